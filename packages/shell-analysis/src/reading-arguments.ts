import { splitGit } from './git-command.ts'
import { type ParsedArguments, parseArguments } from './options.ts'
import { gitReaders, type Reader, readers } from './readers.ts'
import type { ShellWord } from './types.ts'
import { createWord, restOfWord } from './word.ts'

/** The words, or parts of them, that name files which a program reads though its table of options does not say so. */
export function findReads(program: string, args: readonly ShellWord[]): readonly ShellWord[] {
  if (program === 'git') return findGitReads(args)
  const reader = readers.get(program)
  return reader ? readWords(reader, args) : []
}

function readWords(reader: Reader, words: readonly ShellWord[]): readonly ShellWord[] {
  const parsed = parseArguments(words, reader)
  const marked = reader.marks ? words.flatMap((word) => partsOf(word, reader.marks ?? [])) : []
  return [...filesOf(reader, parsed), ...marked].filter(({ value }) => value !== '-' && value !== '')
}

function filesOf(reader: Reader, { options, operands }: ParsedArguments): readonly ShellWord[] {
  const { filesFrom, filesTo, patternOptions, fileOptions } = reader
  const isNamed = (names: string | undefined, name: string) => names?.split(' ').includes(name) ?? false
  const values = options.flatMap(({ name, value }) =>
    value && (fileOptions === '*' || isNamed(fileOptions, name)) ? [value] : [],
  )
  if (filesFrom === undefined) return values
  const hasPattern = options.some(({ name }) => isNamed(patternOptions, name))
  return [...values, ...operands.slice(hasPattern ? 0 : filesFrom, filesTo)]
}

/** What stands behind the marks of a word; curl takes `;type=...` behind a file for something else. */
function partsOf(word: ShellWord, marks: readonly RegExp[]): readonly ShellWord[] {
  return marks.flatMap((mark) => {
    const found = mark.exec(word.prefix)
    if (!found) return []
    const part = restOfWord(word, found[0].length)
    const end = part.value?.indexOf(';') ?? -1
    return end < 0 ? [part] : [part, named(word, part.value?.slice(0, end) ?? '')]
  })
}

/** Revisions and paths look alike: both are listed, and those of a folder named by `-C` from there. */
function findGitReads(args: readonly ShellWord[]): readonly ShellWord[] {
  const { subcommand, operands, options } = splitGit(args)
  const reader = gitReaders.get(subcommand?.value ?? '')
  if (!reader) return []
  const words = readWords(reader, operands).filter(isPath)
  const folders = options.flatMap(({ name, value }) => (name === '-C' && value?.value ? [value.value] : []))
  const inside = folders.flatMap((folder) =>
    words.flatMap((word) => (word.value === undefined ? [] : [named(word, `${folder}/${word.value}`)])),
  )
  return [...words, ...inside]
}

/** What a command prints, and the value of most variables, is a revision; what `xargs` and `find` fill in is a file. */
function isPath({ pieces: [first] }: ShellWord): boolean {
  if (first?.kind === 'unknown') return !/^["$`]/.test(first.text)
  return first?.kind !== 'variable' || /^(HOME|PWD)$/.test(first.name)
}

function named(word: ShellWord, value: string): ShellWord {
  return createWord(word.text, word.span, [{ kind: 'text', value }])
}
