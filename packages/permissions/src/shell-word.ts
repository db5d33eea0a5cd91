import type { ShellAnalysis, ShellWord, WordPiece } from '@x/shell-analysis'
import type { Disk } from './disk.ts'
import { type FoundPath, findPath, type Places } from './places.ts'

/** Variables whose value everybody knows, unless the script sets them itself. */
const plainVariables: ReadonlySet<string> = new Set(['HOME', 'PWD', 'USER', 'PATH'])

/** Variables of the shell that hold a number. */
const numbers = /^[?$#!]$/

/** Does the word hold an expansion whose value is not known and could be anything? */
export function isOpenWord({ pieces }: ShellWord): boolean {
  return pieces.some((piece) => {
    if (piece.kind === 'variable') return !plainVariables.has(piece.name) && !numbers.test(piece.name)
    // What a command prints, and a number, are data; what `${x:-y}` and `{a,b}` make may be anything.
    return piece.kind === 'unknown' && /^(\$\{|\{)/.test(piece.text)
  })
}

/** Variables that a loop, an expansion or arithmetic sets though programs may give them a meaning: `for PATH in ...`. */
export function variablesSetByWay({ effects, source }: ShellAnalysis): readonly string[] {
  const calculates = effects.some(({ message }) => /^(Arithmetic|Evaluates)/.test(message))
  const calculated = calculates
    ? [...source.matchAll(inArithmetic)].map(([, one, other]) => one ?? other ?? '')
    : []
  const named = effects.flatMap(({ command, message }) => {
    const name = command === undefined ? /^Sets (\w+)$/.exec(message)?.[1] : undefined
    return name === undefined ? [] : [name]
  })
  return [...named, ...calculated]
}

/** `((PATH = 1))` and the like; a `$` in front reads. */
const inArithmetic =
  /(?<![$\w{])([A-Z_]\w*)(?:\[[^\]]{0,100}\])?\s*(?:\+\+|--(?!\w)|(?:[-+*/%&|^]|<<|>>)?=(?!=))|(?:\+\+|--)\s*([A-Z_]\w*)/g

/** Which of the plain variables a script does not touch. */
export function keptVariables(analysis: ShellAnalysis): ReadonlySet<string> {
  const { commands } = analysis
  const byWay = variablesSetByWay(analysis)
  const touched = (name: string): boolean =>
    byWay.includes(name) ||
    commands.some(
      ({ argv, assignments }) =>
        assignments.some((one) => one.name === name) ||
        argv.some(({ prefix }) => prefix === name || prefix.startsWith(`${name}=`)),
    )
  return new Set([...plainVariables].filter((name) => !touched(name)))
}

/** What a word that names a file is read against. */
export interface WordSetting {
  /** The folders; `cwd` is the one the command may run in. */
  readonly places: Places
  /** Variables with their usual value. */
  readonly kept: ReadonlySet<string>
  /** Looks at links. */
  readonly disk: Disk
}

/** Stands for text that is not known while a path is put together. */
const open = '\u0001'

/** The file that a word names, as far as it can be told: a path, or a pattern. */
export function findWordPath(word: ShellWord, { places, kept, disk }: WordSetting): FoundPath {
  const text = word.pieces.map((piece) => textOf(piece, places, kept)).join('')
  const tilde = word.pieces[0]?.kind === 'tilde'
  // A quoted `~` is an ordinary character.
  const path = !tilde && text.startsWith('~') ? `./${text}` : text
  const isOpen = path.includes(open)
  const found = findPath(isOpen ? spread(path) : path, places, disk)
  const doubt = isOpen ? 'which file it is is known only when the command runs' : found.doubt
  return {
    ...found,
    text: word.text,
    isPattern: isOpen || word.hasGlob,
    ...(doubt === undefined ? {} : { doubt }),
  }
}

function textOf(piece: WordPiece, places: Places, kept: ReadonlySet<string>): string {
  switch (piece.kind) {
    case 'text':
      return piece.value
    case 'glob':
      return piece.text
    case 'tilde':
      return piece.user === '' ? valueOf('HOME', places, kept) : `~${piece.user}`
    case 'variable':
      return valueOf(piece.name, places, kept)
    case 'unknown':
      return open
  }
}

function valueOf(name: string, { home, cwd }: Places, kept: ReadonlySet<string>): string {
  if (!kept.has(name)) return open
  if (name === 'HOME') return home
  return name === 'PWD' ? cwd : open
}

/** Text that is not known may hold slashes, also in front. */
function spread(path: string): string {
  const segments = path.split('/').map((segment) => (segment.includes(open) ? '**' : segment))
  return path.startsWith(open) ? `/${segments.join('/')}` : segments.join('/')
}
