import type { FoundPath } from './places.ts'

const names = /^\/dev\/(null|zero|stdin|stdout|stderr|tty|fd\/\d+)$/

/** Is it a device that every command may use: nothing is kept in it? */
export function isDevice({ plain, doubt, isPattern }: FoundPath): boolean {
  return doubt === undefined && isPattern !== true && names.test(plain)
}
