import type { JsonObject } from '@x/contract'
import { createPermissions, type PermissionsOptions } from './create-permissions.ts'
import { type PermissionMode, toPermissionMode } from './mode.ts'
import { parseCall } from './parse-call.ts'
import { parseRule } from './parse-rule.ts'
import type { PermissionRule, RuleBehavior } from './rule.ts'
import { isKnownTool } from './tool-names.ts'
import type { Verdict } from './verdict.ts'

/** One expectation: a call, and what should come of it under the rules and settings above it. */
export interface RuleTest {
  /** Counted from 1. */
  readonly line: number
  /** The call as written. */
  readonly call: string
  /** The tool. */
  readonly toolName: string
  /** Its input. */
  readonly input: JsonObject
  /** What should be decided. */
  readonly expected: RuleBehavior
  /** The rule that should decide, if one is named. */
  readonly by?: string
  /** The rules above it. */
  readonly rules: readonly PermissionRule[]
  /** The mode above it. @default that of the options */
  readonly mode?: PermissionMode
  /** The folders above it. */
  readonly directories: readonly string[]
}

/** A file of rule tests. */
export interface RuleTestFile {
  /** The expectations in order. */
  readonly tests: readonly RuleTest[]
  /** Lines that cannot be read. */
  readonly problems: readonly RuleTestProblem[]
}

/** A line that cannot be read. */
export interface RuleTestProblem {
  /** Counted from 1. */
  readonly line: number
  /** What is wrong, and what to write. */
  readonly message: string
}

/** What came of one expectation. */
export interface RuleTestResult {
  /** The expectation. */
  readonly test: RuleTest
  /** What was decided. */
  readonly verdict: Verdict
  /** Whether that is what was expected. */
  readonly passed: boolean
}

/** What came of a file. */
export interface RuleTestReport {
  /** In the order of the file. */
  readonly results: readonly RuleTestResult[]
  /** Lines that cannot be read; with one of them the file has not passed. */
  readonly problems: readonly RuleTestProblem[]
  /** Whether everything is as expected. */
  readonly passed: boolean
}

/**
 * Reads rules with expectations, line by line:
 *
 *     # a comment
 *     allow Bash(npm test *)
 *     deny Bash(rm *)
 *     mode acceptEdits
 *     directory /srv/data
 *     npm test -- --ci => allow
 *     npm test; rm -rf x => deny by Bash(rm *)
 *     Read /etc/hosts => ask
 *     Bash {"command": "a\nb"} => ask
 *
 * A rule, mode or folder counts for the lines below it. A call is a Bash command, or a tool with its path, address, command
 * or input in JSON. Never throws.
 */
export function parseRuleTests(text: string): RuleTestFile {
  const state: State = { rules: [], directories: [], mode: undefined, tests: [], problems: [] }
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    const line = content.trim()
    if (line !== '' && !line.startsWith('#')) readLine(line, index + 1, state)
  }
  return { tests: state.tests, problems: state.problems }
}

/** Checks every expectation; `options` holds what counts beside the file: rules of settings, folders, mode. */
export function runRuleTests(file: string | RuleTestFile, options: PermissionsOptions = {}): RuleTestReport {
  const { tests, problems } = typeof file === 'string' ? parseRuleTests(file) : file
  const results = tests.map((test) => {
    const { rules = [], workingDirectories = [], mode = 'default' } = options
    const verdict = createPermissions({
      isBypassAvailable: test.mode === 'bypassPermissions',
      ...options,
      rules: [...rules, ...test.rules],
      workingDirectories: [...workingDirectories, ...test.directories],
      mode: test.mode ?? mode,
    }).check(test.toolName, test.input)
    const isRule = test.by === undefined || verdict.reason.rule === test.by
    return { test, verdict, passed: verdict.behavior === test.expected && isRule }
  })
  return { results, problems, passed: problems.length === 0 && results.every(({ passed }) => passed) }
}

interface State {
  rules: readonly PermissionRule[]
  directories: readonly string[]
  mode: PermissionMode | undefined
  readonly tests: RuleTest[]
  readonly problems: RuleTestProblem[]
}

function readLine(text: string, line: number, state: State): void {
  const expectation = /^(.*\S)\s+=>\s+(allow|ask|deny)(?:\s+by\s+(.*))?$/s.exec(text)
  const message = expectation ? addTest(expectation, line, state) : addSetting(text, state)
  if (message !== undefined) state.problems.push({ line, message })
}

function addSetting(text: string, state: State): string | undefined {
  const [word = ''] = text.split(/\s/, 1)
  const rest = text.slice(word.length).trim()
  switch (word) {
    case 'allow':
    case 'deny':
    case 'ask': {
      const rule = parseRule(rest)
      if (!rule.ok) return rule.message
      state.rules = [...state.rules, { behavior: word, text: rest, layer: 'project' }]
      return undefined
    }
    case 'mode':
      state.mode = toPermissionMode(rest)
      return state.mode === undefined ? `"${rest}" is no mode` : undefined
    case 'directory':
      state.directories = [...state.directories, rest]
      return rest.startsWith('/') ? undefined : 'a directory must be an absolute path'
    default:
      return 'write a rule (allow Bash(ls *)), a mode, a directory, or a call with what it should give (ls -la => allow)'
  }
}

function addTest(match: RegExpExecArray, line: number, state: State): string | undefined {
  const [, call = '', expected = '', by] = match
  const found = readCall(call)
  if (typeof found === 'string') return found
  const { rules, directories, mode } = state
  state.tests.push({
    line,
    call,
    ...found,
    expected: expected === 'allow' || expected === 'deny' ? expected : 'ask',
    rules,
    directories,
    ...(by === undefined ? {} : { by: by.trim() }),
    ...(mode === undefined ? {} : { mode }),
  })
  return undefined
}

function readCall(call: string): { toolName: string; input: JsonObject } | string {
  const [word = ''] = call.split(/\s/, 1)
  if (!/^[A-Z]|^mcp__/.test(word) || !isKnownTool(word)) return { toolName: 'Bash', input: { command: call } }
  const parsed = parseCall(word, call.slice(word.length).trim())
  return parsed.ok ? { toolName: word, input: parsed.input } : parsed.message
}
