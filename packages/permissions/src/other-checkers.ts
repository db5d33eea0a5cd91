import type { Checker, Judgement, OpenPart, Question, RuleHit, Suggestable } from './checker.ts'
import { findOwnRule, isInside } from './file-checker.ts'
import { hostOf } from './host-matcher.ts'
import { findPath } from './places.ts'
import type { RuleBehavior } from './rule.ts'
import { freeTools } from './tool-names.ts'

/** Documentation that may be fetched without asking: hosts, some with the beginning of a path. */
const documentation: readonly string[] = [
  'code.claude.com',
  'docs.claude.com',
  'platform.claude.com',
  'developer.mozilla.org',
  'docs.python.org',
  'nodejs.org',
  'react.dev',
  'www.typescriptlang.org',
  'doc.rust-lang.org',
  'pkg.go.dev',
  'github.com/anthropics',
]

/** Checks WebFetch: rules about the host, then the known documentation. */
export function createWebFetchChecker(question: Question): Checker {
  const host = hostOf(question.input['url'])
  return {
    ...createTextChecker(question, host),
    judge: () => {
      const hit = findTextRule(question, 'allow', host)
      if (hit) return { isAllowed: true, by: 'rule', detail: `${host} may be fetched`, hit }
      if (isDocumentation(question.input['url'])) {
        return { isAllowed: true, by: 'tool', detail: `${host} is known documentation` }
      }
      const suggestion: Suggestable = {
        kind: 'rule',
        text: `WebFetch(domain:${host})`,
        alsoAllows: `every page of ${host}`,
      }
      return {
        isAllowed: false,
        open: [
          {
            detail: `${host || 'the address'} would be fetched`,
            part: host,
            ...(host === '' ? {} : { suggestion }),
          },
        ],
      }
    },
  }
}

function isDocumentation(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { host, pathname, protocol, username, password } = new URL(url)
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return false
  return documentation.some((entry) => `${host}${pathname}`.startsWith(`${entry}/`))
}

/** Checks Skill: rules name the skill, with its arguments behind a blank. */
export function createSkillChecker(question: Question): Checker {
  const { skill, command, args } = question.input
  const given = skill ?? command
  const name = typeof given === 'string' ? given.replace(/^\//, '') : ''
  const text = typeof args === 'string' && args !== '' ? `${name} ${args}` : name
  const suggestion: Suggestable = {
    kind: 'rule',
    text: `Skill(${name})`,
    alsoAllows: 'nothing but this skill without arguments',
  }
  return createTextChecker(question, text, name === '' ? undefined : suggestion)
}

/** Checks Agent: rules name the type. */
export function createAgentChecker(question: Question): Checker {
  const { subagent_type: type } = question.input
  return createTextChecker(question, typeof type === 'string' ? type : 'general-purpose')
}

/** Checks a worktree: only below `.claude/worktrees` without asking. */
export function createWorktreeChecker(question: Question): Checker {
  const { path } = question.input
  const generic = createGenericChecker(question)
  if (typeof path !== 'string')
    return { ...generic, judge: () => judgeFree('it makes a worktree of its own') }
  const found = findPath(path, question.places, question.disk)
  const isOwn =
    found.all.every((form) => /\/\.(claude|x)\/worktrees\//.test(form)) && isInside(found, question)
  return {
    ...generic,
    judge: () =>
      isOwn
        ? judgeFree('it is a worktree of this project')
        : {
            isAllowed: false,
            open: [{ detail: `${path} is no worktree of this project`, path: found.plain }],
          },
  }
}

function judgeFree(detail: string): Judgement {
  return { isAllowed: true, by: 'tool', detail }
}

/** Checks every other tool: rules about the tool, and what the tool says of itself. */
export function createGenericChecker(question: Question): Checker {
  const suggestion: Suggestable = {
    kind: 'rule',
    text: question.toolName,
    alsoAllows: `every call of ${question.toolName}`,
  }
  return createTextChecker(question, undefined, suggestion)
}

function createTextChecker(question: Question, text: string | undefined, suggestion?: Suggestable): Checker {
  return {
    findForbidding: (behavior) => findTextRule(question, behavior, text),
    changesSomething: () => false,
    judge: () => judgeByText(question, text, suggestion),
  }
}

function judgeByText(
  question: Question,
  text: string | undefined,
  suggestion: Suggestable | undefined,
): Judgement {
  const hit = findTextRule(question, 'allow', text)
  if (hit) return { isAllowed: true, by: 'rule', detail: `${question.toolName} is allowed`, hit }
  if (freeTools.has(question.toolName))
    return judgeFree(`${question.toolName} needs no permission of its own`)
  if (question.saysReadOnly) return judgeFree(`${question.toolName} only reads here`)
  const part: OpenPart = {
    detail: `${question.toolName} needs permission`,
    ...(text === undefined ? {} : { part: text }),
  }
  return { isAllowed: false, open: [suggestion === undefined ? part : { ...part, suggestion }] }
}

function findTextRule(
  question: Question,
  behavior: RuleBehavior,
  text: string | undefined,
): RuleHit | undefined {
  const own = findOwnRule(question, behavior)
  if (own || text === undefined) return own
  const found = question.rules
    .of(behavior, question.toolName)
    .find(({ matcher }) => matcher.kind === 'text' && matcher.matches(text))
  return found && { rule: found.rule, part: text }
}
