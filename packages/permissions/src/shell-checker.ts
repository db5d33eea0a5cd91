import type { Checker, Finding, Judgement, OpenPart, Question } from './checker.ts'
import { findCriticalRemoval } from './critical-removals.ts'
import { isDevice } from './devices.ts'
import { editsFreely, escapePath, findFileRule, isInside, outside } from './file-checker.ts'
import { isMove, targetsOf } from './follow-moves.ts'
import { createGenericChecker } from './other-checkers.ts'
import type { FoundPath } from './places.ts'
import { isProtectedPath } from './protected-paths.ts'
import { createShellCall, type ShellCall } from './shell-call.ts'
import { type Coverage, coverCommands } from './shell-coverage.ts'
import { findShellDoubt } from './shell-doubt.ts'
import { findShellRule, toolsOf } from './shell-rules.ts'
import { variablesSetByWay } from './shell-word.ts'
import { findZshPattern } from './zsh-pattern.ts'

/** Checks calls of tools that run a Bash command. */
export function createShellChecker(question: Question): Checker {
  const { command } = question.input
  if (typeof command !== 'string') return createGenericChecker(question)
  const call = createShellCall(command, question.places, question.disk)
  return {
    findForbidding: (behavior) => findShellRule(question, call, behavior),
    findDoubt: () => findShellDoubt(question, call),
    findCritical: () => findCriticalRemoval(call, question.places, question.disk),
    findProtected: () => findProtectedWrite(call),
    changesSomething: () =>
      !judgeShell({ ...question, mode: 'default', isSandboxed: false, rules: none(question) }, call)
        .isAllowed,
    judge: () => judgeShell(question, call),
  }
}

/** Plan mode asks about what only a rule allows. */
function none({ rules }: Question): Question['rules'] {
  return {
    ...rules,
    bare: (behavior, name) => (isAboutFiles(name) ? rules.bare(behavior, name) : undefined),
    ofCommand: () => [],
  }
}

function isAboutFiles(name: string): boolean {
  return name === 'Read' || name === 'Edit'
}

function findProtectedWrite(call: ShellCall): Finding | undefined {
  for (const { access, paths } of call.writes) {
    const path = paths.find((one) => one.doubt === undefined && isProtectedPath(one))
    if (path)
      return { detail: `${access.word.text} is a sensitive file`, part: access.word.text, path: path.plain }
  }
  return undefined
}

function judgeShell(question: Question, call: ShellCall): Judgement {
  const { analysis } = call
  if (question.isSandboxed && question.mode !== 'plan') {
    return { isAllowed: true, by: 'mode', detail: 'it runs in the sandbox' }
  }
  if (!analysis.isUnderstood)
    return { isAllowed: false, open: analysis.problems.slice(0, 3).map(toOpen(call)), isUnclear: true }
  const whole = findWholeRule(question, call)
  if (whole) return { isAllowed: true, by: 'rule', detail: 'a rule allows the whole command', hit: whole }
  const covers = coverCommands(question, call)
  const open = [
    ...covers.flatMap((cover) => (cover.by === 'nothing' ? [cover.open] : [])),
    ...findOpenSyntax(question, call),
    ...findOpenWrites(question, call),
    ...findOpenInputs(question, call),
    ...findOpenMoves(question, call),
  ]
  return open.length > 0 ? { isAllowed: false, open } : explainAllowed(covers, question, call)
}

function toOpen({ source }: ShellCall) {
  return ({ message, span }: ShellCall['analysis']['problems'][number]): OpenPart => ({
    detail: `it is not understood (${message})`,
    part: source.slice(span.start, span.end),
  })
}

/** A rule without `*` may name a whole script, letter for letter. */
function findWholeRule(question: Question, { source }: ShellCall) {
  const text = source.trim()
  const found = toolsOf(question)
    .flatMap((name) => question.rules.ofCommand('allow', name, text))
    .find(
      ({ matcher }) => matcher.kind === 'command' && matcher.pattern.isExact && matcher.pattern.matches(text),
    )
  return found && { rule: found.rule, part: text }
}

/** What the syntax does by itself, apart from commands. */
function findOpenSyntax(question: Question, { analysis }: ShellCall): readonly OpenPart[] {
  if (hasBareAllow(question)) return []
  const pattern = findZshPattern(analysis)
  // A loop that sets `PATH` decides what every program in it is, like an assignment.
  const names = variablesSetByWay(analysis).filter((name) => /^[A-Z_]/.test(name))
  return [
    ...(pattern === undefined ? [] : [{ detail: `${pattern} may run a command in zsh`, part: pattern }]),
    ...[...new Set(names)].map((name) => ({ detail: `it sets ${name}` })),
  ]
}

function findOpenWrites(question: Question, call: ShellCall): readonly OpenPart[] {
  return call.writes
    .filter(({ access }) => access.by === 'redirection')
    .flatMap(({ access, paths }) => {
      const isPlain = access.word.pieces.every(({ kind }) => kind === 'text')
      const open = paths.find((path) => !mayWrite(question, path, isPlain))
      return open ? [toOpenWrite(question, open, isPlain)] : []
    })
}

function toOpenWrite(question: Question, path: FoundPath, isPlain: boolean): OpenPart {
  if (path.doubt !== undefined || !isInside(path, question)) return outside(path, 'Edit', question)
  const part = { detail: `it writes to ${path.text}`, part: path.text, path: path.plain }
  if (!isPlain) return part
  const text = `Edit(/${escapePath(path.plain)})`
  return { ...part, suggestion: { kind: 'session-rule', text, alsoAllows: 'edits of this file' } }
}

function mayWrite(question: Question, path: FoundPath, isPlain: boolean): boolean {
  if (!isPlain || path.isPattern === true || path.doubt !== undefined) return false
  if (isDevice(path)) return true
  const isFree = editsFreely(question) || hasBareAllow(question)
  if (isFree && isInside(path, question)) return true
  return findFileRule(question, ['Edit'], { behavior: 'allow', path }) !== undefined
}

function hasBareAllow(question: Question): boolean {
  return toolsOf(question).some((name) => question.rules.bare('allow', name) !== undefined)
}

/** Files that feed a command. */
function findOpenInputs(question: Question, call: ShellCall): readonly OpenPart[] {
  if (hasBareAllow(question)) return []
  return call.reads
    .filter(({ access }) => access.by === 'redirection')
    .flatMap(({ paths }) => paths)
    .filter(
      (path) =>
        !isDevice(path) &&
        !isInside(path, question) &&
        findFileRule(question, ['Read', 'Edit'], { behavior: 'allow', path }) === undefined,
    )
    .map((path) => outside(path, 'Read', question))
}

/** A `cd` in front changes what a write means, and whose settings git obeys. */
function findOpenMoves(question: Question, call: ShellCall): readonly OpenPart[] {
  const { analysis } = call
  if (!analysis.changesDirectory || hasBareAllow(question)) return []
  const moves = analysis.commands.filter((command) => isMove(command) && !staysHere(command, question, call))
  const [first] = moves
  if (!first) return []
  const writes = call.writes.some(({ access }) => access.by === 'redirection')
  if (writes) return [{ detail: `${first.text} changes the folder in front of a write`, part: first.text }]
  const git = analysis.commands.find(({ program, index }) => program === 'git' && index > first.index)
  if (!git) return []
  return [{ detail: `${first.text} changes the repository that ${git.text} obeys`, part: git.text }]
}

function staysHere(command: Parameters<typeof isMove>[0], { places }: Question, call: ShellCall): boolean {
  const [target] = targetsOf(command)
  return (
    target !== undefined && call.pathsOf(target, command.index).every(({ plain }) => plain === places.cwd)
  )
}

function explainAllowed(covers: readonly Coverage[], question: Question, call: ShellCall): Judgement {
  const rule = covers.find((cover) => cover.by === 'rule')
  if (rule) return { isAllowed: true, by: 'rule', detail: 'every part is allowed', hit: rule.hit }
  const [written] = writesOf(call)
  const hit = written && findFileRule(question, ['Edit'], { behavior: 'allow', path: written })
  if (hit) return { isAllowed: true, by: 'rule', detail: 'every part is allowed', hit }
  if (written || covers.some(({ by }) => by === 'mode')) {
    const detail = `${question.mode} mode allows simple file commands inside the working directories`
    return { isAllowed: true, by: 'mode', detail }
  }
  return { isAllowed: true, by: 'tool', detail: 'every part only reads' }
}

/** The files that redirections write. */
function writesOf(call: ShellCall): readonly FoundPath[] {
  return call.writes
    .filter(({ access }) => access.by === 'redirection')
    .flatMap(({ paths }) => paths)
    .filter((path) => !isDevice(path))
}
