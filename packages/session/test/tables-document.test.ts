import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { AbortKind } from '@x/abort'
import { declareCall, type TerminalReason, type Tool } from '@x/contract'
import type { Cause } from '@x/executor'
import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { collect, Scripted } from './scripted.ts'
import { createTool } from './wire.ts'

const folder = resolve(import.meta.dirname, '../../../docs')
const page = readFileSync(join(folder, 'tables.md'), 'utf8')

/** The rows of the table below a heading, cell by cell. */
function rowsOf(heading: string): readonly (readonly string[])[] {
  const [, part = ''] = page.split(`## ${heading}\n`)
  const [section = ''] = part.split('\n## ')
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

/** The words in backquotes. */
function codesIn(cell = ''): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

/** An input for each line of the table; the tools of a session are all there. */
const inputs: readonly (readonly [tool: string, shown: string, input: unknown])[] = [
  ['Read', '', { file_path: '/a' }],
  ['Write', '', { file_path: '/a', content: '' }],
  ['Edit', '', { file_path: '/a', old_string: 'a', new_string: 'b' }],
  ['NotebookEdit', '', { notebook_path: '/a.ipynb', new_source: '', cell_id: 'a' }],
  ['Glob', '', { pattern: '*' }],
  ['Grep', '', { pattern: 'a' }],
  ['Bash', '`git log`', { command: 'git log' }],
  ['Bash', '`npm test`', { command: 'npm test' }],
  ['Bash', '`rm a`', { command: 'rm a' }],
  ['TaskOutput', '', { task_id: 'a' }],
  ['TaskStop', '', { task_id: 'a' }],
  ['EnterWorktree', '', { name: 'a' }],
  ['ExitWorktree', '`keep`', { action: 'keep' }],
  ['ExitWorktree', '`remove`', { action: 'remove' }],
  ['Agent', '', { description: 'a', prompt: 'b', subagent_type: 'general-purpose' }],
  ['SendMessage', '', { to: 'a', message: 'b' }],
]

describe('the tables of docs/tables.md', () => {
  it('say of every tool what it declares', async () => {
    await using scripted = await Scripted.start([[toolUse('Peek', {})], [text('Well.')]])
    let tools: readonly Tool[] = []
    const base = createTool('Peek', () => '')
    const peek: Tool = {
      ...base,
      async call(_, context) {
        tools = context.options.tools
        return { data: '' }
      },
    }
    await collect(scripted.ask('Go', { extraTools: [peek] }))
    const rows = tools
      .filter(({ name }) => name !== 'Peek')
      .flatMap((tool) =>
        inputs.filter(([name]) => name === tool.name).map((line) => describeTool(tool, line)),
      )
    expect(new Set(tools.map(({ name }) => name))).toEqual(new Set([...inputs.map(([name]) => name), 'Peek']))
    expect(rowsOf('Tools and what they declare')).toEqual(rows)
  })

  it('name every reason to abort, and causes and ends that there are', () => {
    const rows = rowsOf('What stops what')
    expect(new Set(rows.flatMap(([, reason]) => codesIn(reason)))).toEqual(new Set(Object.keys(kinds)))
    expect(rows.flatMap(([, , , cause]) => codesIn(cause)).filter((code) => !(code in causes))).toEqual([])
    const ends = rows.flatMap(([, , , , end]) => codesIn(end))
    expect(ends.filter((code) => !(code in terminalReasons))).toEqual([])
  })

  it('name files that are there, with the functions that they export', () => {
    const rows = rowsOf('Where things are')
    const lost = rows.filter(([, , file = '', name]) => {
      const path = join(folder, /\]\(([^)]+)\)/.exec(file)?.[1] ?? '')
      const [exported = ''] = codesIn(name)
      const pattern = new RegExp(`^export (async )?(function\\*?|class|const) ${exported}\\b`, 'm')
      return !existsSync(path) || !pattern.test(readFileSync(path, 'utf8'))
    })
    expect(rows.length).toBeGreaterThan(0)
    expect(lost).toEqual([])
  })
})

describe('the README of the session', () => {
  const folderOfPackage = resolve(import.meta.dirname, '..')
  const readme = readFileSync(join(folderOfPackage, 'README.md'), 'utf8').replaceAll(/```[\s\S]*?```/g, '')
  const named = new Set([...readme.matchAll(/`[^`]+`/g)].flatMap(([code]) => code.match(/\w+/g) ?? []))

  /** The members of an interface, as its source has them. */
  function membersOf(file: string, name: string): readonly string[] {
    const source = readFileSync(join(folderOfPackage, 'src', file), 'utf8')
    const [, body = ''] =
      new RegExp(`export interface ${name} [^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(source) ?? []
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, member = '']) => member)
  }

  it.each([
    ['session-options.ts', 'QueryOptions'],
    ['query.ts', 'Query'],
  ])('names every member of what %s has as %s', (file, name) => {
    const members = membersOf(file, name)
    expect(members.length).toBeGreaterThan(5)
    expect(members.filter((member) => !named.has(member))).toEqual([])
  })

  it('names everything that is exported as a value', async () => {
    const names = Object.keys(await import('../src/index.ts'))
    expect(names.filter((name) => !named.has(name))).toEqual([])
  })
})

function describeTool(tool: Tool, [, shown, input]: (typeof inputs)[number]): readonly string[] {
  const declared = declareCall(tool, tool.inputSchema.parse(input))
  const { isConcurrencySafe, isReadOnly, isDestructive, failureCancelsSiblings, interruptBehavior } = declared
  const { maxResultSizeChars: limit = 100_000 } = tool
  return [
    tool.name,
    shown,
    ...[isConcurrencySafe, isReadOnly, isDestructive, failureCancelsSiblings].map(toWord),
    interruptBehavior,
    toWord(tool.shouldDefer === true),
    Number.isFinite(limit) ? limit.toLocaleString('en-US') : 'none',
  ]
}

const toWord = (isSo: boolean): string => (isSo ? 'yes' : 'no')

// The compiler sees that none is missing, and none too many.
const kinds: Readonly<Record<AbortKind, true>> = {
  'user-cancel': true,
  'user-interrupt': true,
  'sibling-failed': true,
  'permission-rejected': true,
  'streaming-fallback': true,
  'host-stopped': true,
  timeout: true,
}

const causes: Readonly<Record<Cause, true>> = {
  ran: true,
  'unknown-tool': true,
  'invalid-input': true,
  denied: true,
  deferred: true,
  'not-started': true,
  'streaming-fallback': true,
  'sibling-failed': true,
  'user-cancelled': true,
  'user-interrupted': true,
  'permission-rejected': true,
  'host-stopped': true,
}

const terminalReasons: Readonly<Record<TerminalReason, true>> = {
  completed: true,
  max_turns: true,
  aborted_streaming: true,
  aborted_tools: true,
  hook_stopped: true,
  stop_hook_prevented: true,
  prompt_too_long: true,
  model_error: true,
  api_error: true,
  budget_exhausted: true,
  blocking_limit: true,
  rapid_refill_breaker: true,
  tool_deferred: true,
  tool_deferred_unavailable: true,
}
