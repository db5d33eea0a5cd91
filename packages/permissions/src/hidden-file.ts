import type { SimpleCommand } from '@x/shell-analysis'
import type { Question, RuleHit } from './checker.ts'
import { findNamedAllow } from './command-allow.ts'
import type { CompiledRule } from './compiled-rule.ts'
import { findFileRule } from './file-checker.ts'
import { type FoundPath, findPath, isBelow } from './places.ts'
import type { ShellCall } from './shell-call.ts'
import { programAt, uncoveredReaders } from './shell-rules.ts'

/** Says why a file that rules forbid may be among those that the script opens, though none is named for sure. */
export function findHiddenFile(question: Question, call: ShellCall): string | undefined {
  const families = ['Read', 'Edit'].filter((name) => pathRules(question, name).length > 0)
  if (families.length === 0) return undefined
  return (
    findOpenPath(question, call) ?? findNamedFile(question, call, families) ?? findFileBelow(question, call)
  )
}

/** Files whose name is not known, or whose reader is not covered by the rules. */
function findOpenPath(question: Question, call: ShellCall): string | undefined {
  for (const kind of ['reads', 'writes'] as const) {
    const families = kind === 'reads' ? ['Read'] : ['Edit', 'Read']
    for (const { access, paths } of call[kind]) {
      const isUncovered = uncoveredReaders.has(programAt(call.analysis.commands, access.command))
      const doubtful = paths.filter((path) => path.doubt !== undefined || isUncovered)
      const hit = firstHit(question, families, doubtful)
      if (hit) return mayBe(access.word.text, hit)
    }
  }
  return undefined
}

/** A program of which it is not known what it opens, with the name of such a file among its words. */
function findNamedFile(question: Question, call: ShellCall, families: readonly string[]): string | undefined {
  // What such a program opens by itself is no matter of these rules where the user allowed the program, or everything.
  for (const command of call.analysis.commands) {
    if (question.mode === 'bypassPermissions' && !showsFiles.has(command.program ?? '')) continue
    if (command.areFilesKnown || findNamedAllow(question, command)) continue
    const hit = firstHit(question, families, namedPaths(question, call, command))
    if (hit) return mayBe(hit.part ?? command.text, hit)
  }
  return undefined
}

/** Programs that do nothing with a file but read it out or run it. */
const showsFiles: ReadonlySet<string> = new Set(
  'less more bat view awk gawk mawk base32 base64 zcat gzip bzip2 xz shuf split iconv sdiff diff3 source . yq tar zip'.split(
    ' ',
  ),
)

function namedPaths(
  { places, disk }: Question,
  call: ShellCall,
  { argv, index }: SimpleCommand,
): FoundPath[] {
  const folders = call.foldersOf(index) ?? [places.cwd]
  const texts = argv.slice(1).flatMap(({ value = '' }) => [value, value.replace(/^@|^.*[:=]@?/s, '')])
  const names = [...new Set(texts)].filter((text) => /^[^-\s][^\n]{0,1000}$/.test(text) && /[./]/.test(text))
  return names.flatMap((text) => folders.map((cwd) => findPath(text, { home: places.home, cwd }, disk)))
}

/** A search through folders below which such a file stands. */
function findFileBelow(question: Question, call: ShellCall): string | undefined {
  const rules = pathRules(question, 'Read')
  for (const command of call.analysis.commands) {
    if (rules.length === 0 || !searchesBelow(command)) continue
    for (const { plain } of rootsOf(question, call, command)) {
      const rule = rules.find((one) => standsBelow(one, plain, { question, command }))
      if (rule) return `${command.text} searches files that ${rule.rule.text} is about`
    }
  }
  return undefined
}

function searchesBelow({ program = '', argv }: SimpleCommand): boolean {
  const copies = copiesFolders[program]
  if (copies) return argv.slice(1).some(({ prefix }) => copies.test(prefix))
  if (/^(bsd|g)?tar$/.test(program)) return createsArchive(argv)
  if (program === 'rg' || program === 'ag' || program === 'ack') return true
  if (program === 'git') return argv.some(({ prefix }) => /^--(no-ind|untr)/.test(prefix))
  if (!/^[ef]?grep$/.test(program)) return false
  return argv.some(({ prefix }) =>
    /^-[a-zA-Z]*[rR]|^--(dereference-)?recursive|^--directories=recurse/.test(prefix),
  )
}

/** Programs that read all that stands below a folder, with the option that makes them do so. */
const copiesFolders: Readonly<Partial<Record<string, RegExp>>> = {
  zip: /^-([a-zA-Z]*r|-recurse)/,
  cp: /^-([a-zA-Z]*[rRa]|-recursive|-archive)/,
  scp: /^-[a-zA-Z]*r/,
  rsync: /^-([a-zA-Z]*[ra]|-recursive|-archive)/,
  diff: /^-([a-zA-Z]*r|-recursive)/,
}

/** The first word of tar may lack its dash. */
function createsArchive(argv: SimpleCommand['argv']): boolean {
  return argv
    .slice(1)
    .some(({ prefix }, index) =>
      /^-[a-zA-Z]*[cru]|^--(create|append|update)/.test(index === 0 ? prefix.replace(/^(?!-)/, '-') : prefix),
    )
}

function rootsOf(
  { places, disk }: Question,
  call: ShellCall,
  { index }: SimpleCommand,
): readonly FoundPath[] {
  const named = call.readWords(index).flatMap((word) => call.pathsOf(word, index))
  const folders = call.foldersOf(index) ?? [places.cwd]
  return named.length > 0 ? named : folders.map((cwd) => findPath('.', { home: places.home, cwd }, disk))
}

interface Search {
  readonly question: Question
  readonly command: SimpleCommand
}

function standsBelow({ matcher }: CompiledRule, root: string, { question, command }: Search): boolean {
  if (matcher.kind !== 'path') return false
  const { places, disk } = question
  return matcher.namedFiles(root, places).some((path) => {
    if (!isBelow(path, root) || !isSearched(path.slice(root.length), command)) return false
    try {
      return disk.readLink(path) !== undefined
    } catch {
      return true
    }
  })
}

/** `rg` and its like pass by hidden files unless told otherwise. */
function isSearched(rest: string, { program, argv }: SimpleCommand): boolean {
  if (program !== 'rg' && program !== 'ag') return true
  const isHidden = /\/\./.test(rest)
  return (
    !isHidden || argv.some(({ prefix }) => /^(--(hidden|unrestricted|no-ignore)|-[a-zA-Z]*[.u])/.test(prefix))
  )
}

function pathRules({ rules }: Question, name: string): readonly CompiledRule[] {
  return [...rules.of('deny', name), ...rules.of('ask', name)].filter(
    ({ matcher }) => matcher.kind === 'path',
  )
}

function firstHit(
  question: Question,
  families: readonly string[],
  paths: readonly FoundPath[],
): RuleHit | undefined {
  for (const path of paths) {
    const hit =
      findFileRule(question, families, { behavior: 'deny', path }) ??
      findFileRule(question, families, { behavior: 'ask', path })
    if (hit) return hit
  }
  return undefined
}

function mayBe(text: string, { rule }: RuleHit): string {
  return `${text} may be a file that ${rule.text} is about`
}
