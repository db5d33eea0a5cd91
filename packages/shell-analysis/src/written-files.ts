import type { CommandFiles } from './files.ts'
import { type OptionTable, type ParsedArguments, parseArguments } from './options.ts'
import type { ShellWord } from './types.ts'
import { createWord, restOfWord } from './word.ts'

interface Writer extends OptionTable {
  /** Which operands are written; the others are read. */
  readonly writes: (parsed: ParsedArguments) => readonly ShellWord[]
  /** Whether it writes only with one of these options, and is otherwise no writer. */
  readonly onlyWith?: readonly string[]
  /** Operands in front that are no files (`chmod 644`). */
  readonly skip?: number
}

const all = ({ operands }: ParsedArguments): readonly ShellWord[] => operands
const copy = 'abdfHilLnpPrRsS:t:TuvxZ'
const copyLong =
  'archive backup:: force interactive link dereference no-clobber no-dereference parents recursive symbolic-link target-directory: no-target-directory update:: verbose one-file-system preserve:: remove-destination'

/** Programs that write the files they are given. */
const writers: Readonly<Record<string, Writer>> = {
  tee: { short: 'aip', long: 'append ignore-interrupts', writes: all },
  touch: { short: 'acd:fhmr:t:', long: 'no-create date: reference: time: no-dereference', writes: all },
  rm: { short: 'dfiIrRv', long: 'force recursive dir verbose interactive:: one-file-system', writes: all },
  rmdir: { short: 'pv', long: 'parents verbose ignore-fail-on-non-empty', writes: all },
  unlink: { writes: all },
  shred: { short: 'fn:s:uvxz', long: 'force iterations: size: verbose exact zero remove::', writes: all },
  mkdir: { short: 'pvm:Z', long: 'parents verbose mode:', writes: all },
  truncate: { short: 'cor:s:', long: 'no-create io-blocks reference: size:', writes: all },
  chmod: { short: 'cfvR', long: 'recursive verbose changes quiet silent', writes: all, skip: 1 },
  chown: {
    short: 'cfvRhHLP',
    long: 'recursive verbose changes quiet silent no-dereference',
    writes: all,
    skip: 1,
  },
  cp: { short: copy, long: copyLong, writes: target },
  // A moved file is gone from its old place.
  mv: { short: copy, long: copyLong, writes: (parsed) => [...parsed.operands, ...targetOption(parsed)] },
  ln: {
    short: 'bdfFiLnPrsS:t:Tv',
    long: 'force symbolic no-dereference relative target-directory: verbose',
    writes: target,
  },
  install: {
    short: 'bcCdDg:m:o:pst:Tv',
    long: 'mode: owner: group: target-directory: directory',
    writes: target,
  },
  uniq: { short: 'cdDiuzf:s:w:', writes: ({ operands }) => operands.slice(1) },
  xxd: { short: 'abeEiprRuc:g:l:o:s:', writes: ({ operands }) => operands.slice(1) },
  sort: {
    short: 'bcCdfghiMmnRrsuVzk:t:o:S:T:',
    long: 'output: key: field-separator: reverse unique numeric-sort',
    onlyWith: ['-o', '--output'],
    writes: (parsed) => valuesOf(parsed, ['-o', '--output']),
  },
  sed: {
    short: 'nEruzse:f:i::l:',
    long: 'quiet silent regexp-extended expression: file: in-place:: separate null-data',
    onlyWith: ['-i', '--in-place'],
    writes: ({ operands, options }) =>
      operands.slice(options.some((one) => /^(-e|-f|--expression|--file)$/.test(one.name)) ? 0 : 1),
  },
}

/** The files of a program that writes, undefined when it is not one of them. */
export function findWritten(program: string, args: readonly ShellWord[]): CommandFiles | undefined {
  if (program === 'dd') return findDd(args)
  const writer = Object.hasOwn(writers, program) ? writers[program] : undefined
  if (!writer) return undefined
  const parsed = parseArguments(args, writer)
  const { onlyWith } = writer
  if (onlyWith && !parsed.options.some((one) => onlyWith.includes(one.name))) return undefined
  const files = { ...parsed, operands: parsed.operands.slice(writer.skip ?? 0) }
  const writes = writer.writes(files)
  const reads = files.operands.filter((word) => !writes.includes(word))
  const isComplete =
    parsed.unsure.length === 0 && parsed.options.every((one) => one.isKnown) && program !== 'sed'
  return { reads: program === 'sed' ? [] : reads, writes, isComplete }
}

function target(parsed: ParsedArguments): readonly ShellWord[] {
  const named = targetOption(parsed)
  return named.length > 0 ? named : parsed.operands.slice(-1)
}

function targetOption(parsed: ParsedArguments): readonly ShellWord[] {
  return valuesOf(parsed, ['-t', '--target-directory'])
}

function valuesOf(parsed: ParsedArguments, names: readonly string[]): ShellWord[] {
  return parsed.options.flatMap((one) => (names.includes(one.name) && one.value ? [one.value] : []))
}

function findDd(args: readonly ShellWord[]): CommandFiles {
  const named = (name: string) =>
    args.filter((word) => word.prefix.startsWith(name)).map((word) => fileOf(word, name.length))
  const isComplete = args.every((word) => /^[a-z]+=/.test(word.prefix))
  return { reads: named('if='), writes: named('of='), isComplete }
}

/** The shell expands `~` behind `=` too, so that such a path is not static. */
function fileOf(word: ShellWord, offset: number): ShellWord {
  const file = restOfWord(word, offset)
  return file.prefix.startsWith('~')
    ? createWord(word.text, word.span, [{ kind: 'unknown', text: word.text, quoted: true }])
    : file
}
