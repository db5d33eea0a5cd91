import { dirname } from 'node:path'
import type { Checker, Judgement, OpenPart, Question, RuleHit, Suggestable } from './checker.ts'
import {
  type FoundPath,
  findPath,
  isBelow,
  isInWorkingDirectories,
  type Places,
  workingDirectories,
} from './places.ts'
import { isProtectedPath } from './protected-paths.ts'
import type { RuleBehavior } from './rule.ts'
import { editTools, readTools } from './tool-names.ts'

/** Checks calls of tools that read files. */
export function createReadChecker(question: Question): Checker {
  const path = findPath(readTarget(question), question.places, question.disk)
  const folder = question.toolName === 'Glob' ? findGlobFolder(question) : path
  return {
    findForbidding: (behavior) =>
      findFileRule(question, ['Read'], { behavior, path }) ??
      findFileRule(question, ['Read'], { behavior, path: folder }) ??
      findOwnRule(question, behavior),
    changesSomething: () => false,
    judge: () => judgeRead(question, isInside(folder, question) ? path : folder),
  }
}

function judgeRead(question: Question, path: FoundPath): Judgement {
  const hit =
    findFileRule(question, ['Read', 'Edit'], { behavior: 'allow', path }) ?? findOwnRule(question, 'allow')
  if (hit) return { isAllowed: true, by: 'rule', detail: `${path.text} may be read`, hit }
  if (isInside(path, question)) {
    return {
      isAllowed: true,
      by: 'tool',
      detail: `${question.toolName} only reads, inside the working directories`,
    }
  }
  return { isAllowed: false, open: [outside(path, 'Read', question)] }
}

/** Checks calls of tools that change files. */
export function createEditChecker(question: Question): Checker {
  const path = findPath(editTarget(question), question.places, question.disk)
  // A notebook may be edited though it may not be read: its tool names no Read rule.
  const families = question.toolName === 'NotebookEdit' ? ['Edit'] : ['Edit', 'Read']
  return {
    findForbidding: (behavior) =>
      findFileRule(question, behavior === 'deny' ? families : ['Edit'], { behavior, path }) ??
      findOwnRule(question, behavior),
    findProtected: () =>
      isProtectedPath(path) && !isGranted(question, path)
        ? { detail: `${path.text} is a sensitive file`, path: path.plain, ...suggestGrant(path) }
        : undefined,
    changesSomething: () => !isPlanFile(path, question),
    judge: () => judgeEdit(question, path),
  }
}

function judgeEdit(question: Question, path: FoundPath): Judgement {
  if (isPlanFile(path, question)) return { isAllowed: true, by: 'mode', detail: 'it is the plan file' }
  if (editsFreely(question) && isInside(path, question)) {
    return {
      isAllowed: true,
      by: 'mode',
      detail: `${question.mode} mode allows edits inside the working directories`,
    }
  }
  const hit = findFileRule(question, ['Edit'], { behavior: 'allow', path }) ?? findOwnRule(question, 'allow')
  if (hit) return { isAllowed: true, by: 'rule', detail: `${path.text} may be edited`, hit }
  if (!isInside(path, question)) return { isAllowed: false, open: [outside(path, 'Edit', question)] }
  const suggestion = {
    kind: 'mode' as const,
    text: 'acceptEdits',
    alsoAllows: 'all edits and simple file commands inside the working directories, for this session',
  }
  return {
    isAllowed: false,
    open: [{ detail: `${path.text} would be changed`, path: path.plain, suggestion }],
  }
}

/** Does the mode let files inside the working directories be changed? */
export function editsFreely({ mode }: Question): boolean {
  return mode === 'acceptEdits' || mode === 'auto'
}

/** What a path outside the working directories lacks. */
export function outside(path: FoundPath, tool: 'Read' | 'Edit', { places }: Question): OpenPart {
  const part = { detail: `${path.text}: ${path.doubt ?? whyOutside(path, places)}`, path: path.plain }
  if (path.doubt !== undefined || !path.isResolved || path.isPattern === true) return part
  const suggestion = tool === 'Edit' ? suggestFile(path, tool) : suggestRead(path, places)
  return suggestion === undefined ? part : { ...part, suggestion }
}

/** A read opens the folder of the file; where that holds the home folder or the project, the file only. */
function suggestRead(path: FoundPath, places: Places): Suggestable | undefined {
  const holdsAll = (folder: string): boolean =>
    [places.home, places.startDir, places.projectDir].some((own) => isBelow(own, folder))
  const folder = dirname(path.plain)
  if (holdsAll(path.plain)) return undefined
  if (holdsAll(folder)) return suggestFile(path, 'Read')
  const alsoAllows = `every file in ${folder} and below`
  return { kind: 'session-rule', text: `Read(/${escapePath(folder)}/**)`, alsoAllows }
}

function suggestFile({ plain }: FoundPath, tool: 'Read' | 'Edit'): Suggestable {
  const alsoAllows = `nothing but ${plain}, and what is below it if it is a folder`
  return { kind: 'session-rule', text: `${tool}(/${escapePath(plain)})`, alsoAllows }
}

function whyOutside({ isResolved }: FoundPath, places: Places): string {
  if (!isResolved) return 'its links cannot be followed'
  return `it lies outside the working directories (${workingDirectories(places).join(', ')})`
}

/** A saved path means itself: what would be a pattern is escaped. */
export function escapePath(path: string): string {
  return path.replaceAll(/[\\*?[\]!#]/g, '\\$&')
}

/** Does the path lie in the working directories, links followed? */
export function isInside(path: FoundPath, { places, disk }: Question): boolean {
  return isInWorkingDirectories(path, places, disk)
}

interface FileQuestion {
  readonly behavior: RuleBehavior
  readonly path: FoundPath
}

/** The first rule of the families that matches the path. */
export function findFileRule(
  { rules, places, disk }: Question,
  families: readonly string[],
  { behavior, path }: FileQuestion,
): RuleHit | undefined {
  for (const family of families) {
    const bare = rules.bare(behavior, family)
    const found =
      bare && (behavior !== 'allow' || path.isPattern !== true)
        ? bare
        : rules.ofPaths(behavior, family).find(path, places, disk)
    if (found) return { rule: found.rule, part: path.text }
  }
  return undefined
}

/** The first rule about the tool itself: its bare name, or a field of its input. */
export function findOwnRule(
  { rules, toolName, aliases, input }: Question,
  behavior: RuleBehavior,
): RuleHit | undefined {
  for (const name of [toolName, ...aliases]) {
    const found =
      rules.bare(behavior, name) ??
      rules.ofFields(behavior, name).find(({ matcher }) => matcher.kind === 'field' && matcher.matches(input))
    if (found) return { rule: found.rule }
  }
  return undefined
}

/** Was a protected path granted in this session? Only such an answer lifts the protection, and only for `.claude` and `.x`. */
function isGranted({ rules, places, disk }: Question, path: FoundPath): boolean {
  if (!ownFolder.test(path.plain)) return false
  return rules
    .of('allow', 'Edit')
    .some(
      ({ rule, matcher }) =>
        (rule.layer ?? 'session') === 'session' &&
        matcher.kind === 'path' &&
        matcher.matches(path, places, disk),
    )
}

const ownFolder = /^.*?\/\.(claude|x)(?=\/)/

/** The settings may be opened for the rest of the session. */
function suggestGrant({ plain }: FoundPath): { readonly suggestion?: Suggestable } {
  const folder = ownFolder.exec(plain)?.[0]
  if (folder === undefined) return {}
  const alsoAllows = `changes of every file in ${folder}, for this session: also of the rules that decide here`
  return { suggestion: { kind: 'session-rule', text: `Edit(/${escapePath(folder)}/**)`, alsoAllows } }
}

function isPlanFile(path: FoundPath, { planFile }: Question): boolean {
  return planFile !== undefined && path.all.every((form) => form === planFile)
}

function readTarget({ toolName, input }: Question): string {
  const path = input[readTools.get(toolName) ?? 'file_path'] ?? input['filePath'] ?? input['notebook_path']
  return typeof path === 'string' && path !== '' ? path : '.'
}

function findGlobFolder(question: Question): FoundPath {
  const { places, disk, input } = question
  const found = findPath(globTarget(question), places, disk)
  return typeof input['pattern'] === 'string' ? { ...found, text: input['pattern'] } : found
}

/** A pattern may lead elsewhere by itself: `../**`, `/etc/*`. */
function globTarget(question: Question): string {
  const { pattern } = question.input
  const base = readTarget(question)
  if (typeof pattern !== 'string') return base
  const segments = pattern.split('/')
  const end = segments.findIndex((segment) => /[*?[{]/.test(segment))
  const fixed = (end < 0 ? segments : segments.slice(0, end)).join('/')
  // `a*/../../b` leads anywhere.
  const climbs = segments.slice(Math.max(end, 0)).includes('..') ? '/../../../../../../../..' : ''
  if (pattern.startsWith('/') || pattern.startsWith('~')) return (fixed === '' ? '/' : fixed) + climbs
  return `${base}/${fixed}${climbs}`
}

function editTarget({ toolName, input }: Question): string {
  const path = input[editTools.get(toolName) ?? 'file_path']
  return typeof path === 'string' ? path : '\0'
}
