import type { ShellWord } from '../types.ts'

const flags: Readonly<Record<string, string>> = {
  node: '-v --version',
  npm: '-v --version',
  python: '-V --version',
  python3: '-V --version',
  pip: '-V --version',
  pip3: '-V --version',
  ruby: '-v --version',
  perl: '-v --version',
  php: '-v --version',
  java: '-version --version',
  javac: '-version --version',
  gcc: '--version',
  'g++': '--version',
  clang: '--version',
  make: '-v --version',
  cmake: '--version',
  bash: '--version',
  zsh: '--version',
  docker: '-v --version',
  deno: '-V --version',
  bun: '-v --version',
  curl: '-V --version',
  tar: '--version',
  rsync: '--version',
  gh: '--version',
}

/**
 * Whether the command only asks a program for its version. Programs that a project can replace by its own
 * copy (yarn, pnpm, cargo, go) are left out.
 */
export function isVersionQuestion(program: string, args: readonly ShellWord[]): boolean {
  const known = Object.hasOwn(flags, program) ? flags[program] : undefined
  return known !== undefined && args.length === 1 && known.split(' ').includes(args[0]?.value ?? '')
}
