import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SessionEvent } from '@x/contract'
import { startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { answer, configure, load, told } from './hook-settings.ts'
import { collect, createTalk, resultsOf, Scripted, textOf, toolResultsOf } from './scripted.ts'
import { createTool } from './wire.ts'

// The numbers are those of the hooks contract, as far as they need agents, MCP servers, worktrees or a compaction.

const serverAt = (url: URL) => ({ command: process.execPath, args: [fileURLToPath(url)] })
const asking = serverAt(new URL('programs/asking-server.mjs', import.meta.url))
const guard = serverAt(new URL('programs/permission-server.mjs', import.meta.url))
const bypass = { permissionMode: 'bypassPermissions' } as const
const agent = (prompt: string, more: object = {}) =>
  toolUse('Agent', { description: 'a task', prompt, subagent_type: 'general-purpose', ...more })

describe('worktree hooks', () => {
  it('84. make and clean up worktrees in place of git; the last line is the path', async () => {
    await using scripted = await Scripted.start([
      [toolUse('EnterWorktree', { name: 'try' })],
      [toolUse('Bash', { command: 'pwd' })],
      [toolUse('ExitWorktree', { action: 'remove', discard_changes: true })],
      [text('Well.')],
    ])
    const made = scripted.path('made')
    configure(scripted, {
      WorktreeCreate: [
        { command: `cat > asked.json; mkdir ${made}; echo Welcome; printf '\\033[1m${made}\\033[0m\\n\\n'` },
      ],
      WorktreeRemove: [{ command: `cat > ${scripted.path('ended.json')}; rmdir ${made}` }],
    })
    const events = await collect(scripted.ask('Go', { settings: await load(scripted), ...bypass }))
    const [entered, folder, left] = toolResultsOf(events)
    expect(textOf(entered)).toContain(made)
    expect(textOf(folder)).toBe(made)
    expect(left?.is_error).not.toBe(true)
    expect(JSON.parse(scripted.read('asked.json') ?? '')).toMatchObject({ name: 'try' })
    expect(JSON.parse(scripted.read('ended.json') ?? '')).toMatchObject({ worktree_path: made })
    expect(existsSync(made)).toBe(false)
  })

  it.each([
    ['ends with 1', 'echo sorry >&2; exit 1', /sorry/],
    ['gives no path', 'true', /path/],
    ['names a file', 'touch file; echo "$PWD/file"', /./],
  ])('84. one that %s makes no worktree, and nobody moves', async (_, command, says) => {
    await using scripted = await Scripted.start([
      [toolUse('EnterWorktree', { name: 'try' })],
      [toolUse('Bash', { command: 'pwd' })],
      [text('Well.')],
    ])
    commitAll(scripted)
    configure(scripted, { WorktreeCreate: [{ command }] })
    const events = await collect(scripted.ask('Go', { settings: await load(scripted), ...bypass }))
    const [entered, folder] = toolResultsOf(events)
    expect(entered?.is_error).toBe(true)
    expect(textOf(entered)).toMatch(says)
    expect(textOf(folder)).toBe(scripted.cwd)
    expect(existsSync(scripted.path('.claude/worktrees'))).toBe(false)
  })

  it('84. make the worktrees of agents too, outside of a repository; work in them stays', async () => {
    await using scripted = await scriptedAgent(
      [toolUse('Write', { file_path: 'work.txt', content: 'mine' })],
      {
        isolation: 'worktree',
      },
    )
    const made = scripted.path('made')
    configure(scripted, {
      WorktreeCreate: [{ command: `mkdir ${made}; echo ${made}` }],
      WorktreeRemove: [{ command: `rm -r ${made}` }],
    })
    const events = await collect(scripted.ask('Main', { settings: await load(scripted), ...bypass }))
    expect(toolResultsOf(events).map(textOf).join('\n')).toContain(made)
    expect(scripted.read('made/work.txt')).toBe('mine')
    expect(scripted.read('work.txt')).toBeUndefined()
  })

  it('E26. without a hook that removes, what a hook has made stays', async () => {
    await using scripted = await Scripted.start([
      [toolUse('EnterWorktree', { name: 'try' })],
      [toolUse('ExitWorktree', { action: 'remove' })],
      [text('Well.')],
    ])
    const made = scripted.path('made')
    configure(scripted, { WorktreeCreate: [{ command: `mkdir ${made}; touch ${made}/work; echo ${made}` }] })
    const events = await collect(scripted.ask('Go', { settings: await load(scripted), ...bypass }))
    expect(toolResultsOf(events)[1]?.is_error).toBe(true)
    expect(scripted.read('made/work')).toBe('')
  })
})

describe('elicitation hooks', () => {
  const accept = answer({
    hookSpecificOutput: { hookEventName: 'Elicitation', action: 'accept', content: { name: 'Ada' } },
  })

  it.each([
    { asked: accept, answered: 'true', expected: { action: 'accept', content: { name: 'Ada' } } },
    { asked: `${accept}; exit 2`, answered: 'true', expected: { action: 'decline' } },
    { asked: 'true', answered: 'true', expected: { action: 'decline' } },
    { asked: accept, answered: 'exit 2', expected: { action: 'decline' } },
  ])('85. "$asked", then "$answered", gives the server $expected', async ({ asked, answered, expected }) => {
    await using scripted = await Scripted.start([[toolUse('mcp__asking__greet', {})], [text('Well.')]])
    configure(scripted, {
      Elicitation: [['asking', { command: `cat > asked.json; ${asked}` }]],
      ElicitationResult: [{ command: `cat > answered.json; ${answered}` }],
    })
    const mcpServers = { asking }
    const events = await collect(
      scripted.ask('Go', { settings: await load(scripted), mcpServers, ...bypass }),
    )
    expect(JSON.parse(textOf(toolResultsOf(events)[0]))).toEqual(expected)
    expect(JSON.parse(scripted.read('asked.json') ?? '')).toMatchObject({
      mcp_server_name: 'asking',
      message: 'Who are you?',
      requested_schema: { properties: { name: { type: 'string' } } },
    })
    expect(JSON.parse(scripted.read('answered.json') ?? '')).toMatchObject({ mcp_server_name: 'asking' })
  })
})

describe('hooks and agents', () => {
  it("101. an agent's call comes to the hooks of the settings with the agent's id", async () => {
    await using scripted = await scriptedAgent([toolUse('Bash', { command: 'true' })])
    configure(scripted, { PreToolUse: [['Bash', { command: 'cat >> seen.json' }]] })
    await collect(scripted.ask('Main', { settings: await load(scripted), ...bypass }))
    expect(JSON.parse(scripted.read('seen.json') ?? '')).toMatchObject({
      hook_event_name: 'PreToolUse',
      agent_id: expect.stringMatching(/./),
      agent_type: 'general-purpose',
    })
  })

  it("a hook that denies an agent's call is heard by the agent", async () => {
    await using scripted = await scriptedAgent([toolUse('Bash', { command: 'touch ran' })])
    configure(scripted, { PreToolUse: [['Bash', { command: 'echo "not you" >&2; exit 2' }]] })
    await collect(scripted.ask('Main', { settings: await load(scripted), ...bypass }))
    expect(scripted.read('ran')).toBeUndefined()
    expect(told(scripted, 2)).toContain('not you')
  })
})

describe('a block is never ignored', () => {
  it('HO-02. a denial together with status 2 stops calls of every kind, side by side', async () => {
    await using scripted = await Scripted.start([
      [
        toolUse('Bash', { command: 'touch ran' }),
        toolUse('Write', { file_path: 'written', content: '' }),
        agent('Do it'),
        agent('Do it too'),
        toolUse('mcp__guard__note', { words: 'this' }),
        toolUse('mcp__guard__note', { words: 'that' }),
      ],
      [text('Well.')],
    ])
    const deny = answer({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'by order of the hook',
      },
    })
    configure(scripted, { PreToolUse: [{ command: `${deny}; echo also >&2; exit 2` }] })
    const mcpServers = { guard }
    const options = { settings: await load(scripted), mcpServers, siblingPolicy: 'none', ...bypass } as const
    const results = toolResultsOf(await collect(scripted.ask('Go', options)))
    expect(
      results.map((result) => [result.is_error, countOf(textOf(result), 'by order of the hook')]),
    ).toEqual(Array.from({ length: 6 }, () => [true, 1]))
    expect([scripted.read('ran'), scripted.read('written')]).toEqual([undefined, undefined])
    expect(scripted.server.requests).toHaveLength(2)
    const kept = readdirSync(scripted.path('.x'), { recursive: true, encoding: 'utf8' })
    expect(kept.filter((name) => /agent-.*\.jsonl$/.test(name))).toEqual([])
  })

  it('HO-04. a guard blocks where the working folder is gone', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Vanish', {})],
      [toolUse('Bash', { command: 'touch ../ran' })],
      [text('Well.')],
    ])
    const cwd = scripted.path('work')
    mkdirSync(cwd)
    writeFileSync(scripted.path('guard.sh'), 'echo "no entry" >&2; exit 2')
    configure(scripted, { PreToolUse: [['Bash', { command: `sh ${scripted.path('guard.sh')}` }]] })
    const settings = await load(scripted)
    const extraTools = [createTool('Vanish', () => rmSync(cwd, { recursive: true }))]
    const events = await collect(scripted.ask('Go', { cwd, settings, extraTools, ...bypass }))
    expect(textOf(toolResultsOf(events)[1])).toContain('no entry')
    expect(scripted.read('ran')).toBeUndefined()
  })
})

describe('hooks and compaction', () => {
  const compactions = async (command: string) => {
    const answers = ['Long.', 'First.', 'Second.', 'Third.', 'Fourth.', 'Fifth.']
    const scripted = await Scripted.start(answers.map((answer) => [text(answer)]))
    configure(scripted, {
      PreCompact: [['auto', { command: `cat > before.json; ${command}` }]],
      SessionStart: [['compact', { command: 'echo remember the plan' }]],
    })
    const env = { ...scripted.env, CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '1' }
    const talk = createTalk()
    const prompts = ['word '.repeat(20_000), 'Go on', 'And on']
    talk.say(prompts.shift() ?? '')
    const events: SessionEvent[] = []
    for await (const event of scripted.ask(talk.prompt, { env, settings: await load(scripted) })) {
      events.push(event)
      if (event.type !== 'result') continue
      const next = prompts.shift()
      if (next === undefined) talk.end()
      else talk.say(next)
    }
    return { scripted, events }
  }
  const boundariesOf = (events: readonly SessionEvent[]) =>
    events.filter((event) => event.type === 'system' && event.subtype === 'compact_boundary')

  it('77. a PreCompact hook with status 2 skips it', async () => {
    const { scripted, events } = await compactions('exit 2')
    await using _ = scripted
    expect(JSON.parse(scripted.read('before.json') ?? '')).toMatchObject({
      trigger: 'auto',
      custom_instructions: null,
    })
    expect(boundariesOf(events)).toEqual([])
    expect(resultsOf(events).map(({ is_error: isError }) => isError)).toEqual([false, false, false])
    expect(told(scripted, scripted.server.requests.length - 1)).toContain('word word')
  })

  it('67. SessionStart hooks for "compact" tell the model something after it, and not before', async () => {
    const { scripted, events } = await compactions('true')
    await using _ = scripted
    expect(boundariesOf(events)).toHaveLength(1)
    const last = scripted.server.requests.length - 1
    expect([0, last].map((index) => countOf(told(scripted, index), 'remember the plan'))).toEqual([0, 1])
    expect(told(scripted, last)).not.toContain('word word')
  })
})

/** A session that starts one agent; the agent makes these calls in its first answer. */
async function scriptedAgent(
  calls: readonly ReturnType<typeof toolUse>[],
  more: object = {},
): Promise<Scripted> {
  const server = await startScriptedServer({
    respond({ body: { messages } }) {
      const isAgent = JSON.stringify(messages[0]?.content).includes('Do it')
      const isFirst = messages.every(({ role }) => role !== 'assistant')
      if (!isFirst) return [text('Well.')]
      return isAgent ? [...calls] : [agent('Do it', more)]
    },
  })
  return new Scripted(server, {})
}

function commitAll({ cwd }: Scripted): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'first')
}

function countOf(haystack: string, needle: string): number {
  return haystack.split(needle).length - 1
}
