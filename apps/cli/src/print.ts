import process from 'node:process'
import { toPlain } from './live/paint.ts'

/** Prints lines for people on standard output. Much of what they say comes from files of a project or from a model. */
export function print(text: string): void {
  process.stdout.write(`${toPlain(text)}\n`)
}

/** The same on standard error: what is wrong, or good to know beside the answer. */
export function printError(text: string): void {
  process.stderr.write(`${toPlain(text)}\n`)
}
