import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SessionEvent } from '@x/contract'
import { type RecordedRequest, startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { collect, createTalk, resultsOf, Scripted, textOf, toolResultsOf } from './scripted.ts'

type Reply = ReturnType<typeof text>

/** Answers by the last text of a person in the conversation, and how many answers it has had. */
async function scriptedBy(
  answers: Readonly<Record<string, readonly (readonly Reply[] | 'fail')[]>>,
  files: Readonly<Record<string, string>> = {},
): Promise<Scripted> {
  const server = await startScriptedServer({
    respond(request) {
      const key = Object.keys(answers).find((name) => firstPrompt(request).includes(name)) ?? ''
      const turn = request.body.messages.filter(({ role }) => role === 'assistant').length
      const reply = answers[key]?.[turn] ?? [text('Nothing more.')]
      if (reply !== 'fail') return [...reply]
      return {
        kind: 'status',
        status: 400,
        headers: {},
        body: '{"type":"error","error":{"type":"invalid_request_error","message":"broken"}}',
      }
    },
  })
  return new Scripted(server, files)
}

function firstPrompt({ body }: RecordedRequest): string {
  return JSON.stringify(body.messages[0]?.content ?? '')
}

const agent = (prompt: string, more: object = {}): Reply =>
  toolUse('Agent', { description: 'a task', prompt, subagent_type: 'general-purpose', ...more })

function git(cwd: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@localhost']
  return execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8' })
}

function sidechainsOf(scripted: Scripted): readonly string[] {
  const projects = scripted.path('.x/projects')
  return readdirSync(projects, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /agent-[^/]+\.jsonl$/.test(name),
  )
}

describe('agents', () => {
  it('called in one message run side by side, and only their reports come back (I1 b, cli.md 9, 10)', async () => {
    await using scripted = await scriptedBy(
      {
        Main: [[agent('Look at A'), agent('Look at B')], [text('Both looked.')]],
        'Look at A': [[text('I read.'), toolUse('Read', { file_path: 'a.txt' })], [text('A says hello.')]],
        'Look at B': [[toolUse('Read', { file_path: 'b.txt' })], [text('B says bye.')]],
      },
      { 'a.txt': 'hello', 'b.txt': 'bye' },
    )
    const events = await collect(scripted.ask('Main'))
    expect(resultsOf(events)[0]?.result).toBe('Both looked.')
    const own = toolResultsOf(
      events.filter((event) => 'parent_tool_use_id' in event && event.parent_tool_use_id === null),
    )
    expect(own.map(textOf)).toEqual([
      expect.stringContaining('A says hello.'),
      expect.stringContaining('B says bye.'),
    ])
    const theirs = events.filter((event) => event.type === 'assistant' && event.parent_tool_use_id !== null)
    expect(theirs).toHaveLength(2)
    expect(JSON.stringify(theirs)).not.toContain('I read.')
    expect(sidechainsOf(scripted)).toHaveLength(2)
    expect(resultsOf(events)[0]?.total_cost_usd).toBeGreaterThan(0)
  })

  it('meet the rules and hooks of the session with their id (hooks.md 101), and a denial does not end them', async () => {
    await using scripted = await scriptedBy({
      Main: [[agent('Do it')], [text('Fine.')]],
      'Do it': [[toolUse('Bash', { command: 'touch made' })], [text('I may not.')]],
    })
    const seen: unknown[] = []
    const events = await collect(
      scripted.ask('Main', {
        hooks: {
          PreToolUse: [
            { matcher: 'Bash', hooks: [(input) => void seen.push([input['agent_id'], input['agent_type']])] },
          ],
          SubagentStart: [{ hooks: [() => ({ additionalContext: 'be quick' })] }],
        },
      }),
    )
    expect(scripted.read('made')).toBeUndefined()
    expect(seen).toEqual([[expect.any(String), 'general-purpose']])
    expect(textOf(toolResultsOf(events).at(-1))).toContain('I may not.')
    expect(JSON.stringify(scripted.server.requests[1]?.body.messages)).toContain('be quick')
  })

  it.each([{}, { subagent_type: 'EXPLORE' }, { subagent_type: 'ex-plore' }, { subagent_type: ' ' }])(
    'are held by a rule for their type, however a call spells it: %j',
    async (input) => {
      await using scripted = await scriptedBy({
        Main: [[agent('Do it', { subagent_type: undefined, ...input })], [text('Fine.')]],
      })
      const denied = ['Agent(Explore)', 'Agent(general-purpose)']
      const events = await collect(
        scripted.ask('Main', { permissionMode: 'bypassPermissions', disallowedTools: denied }),
      )
      expect(toolResultsOf(events)[0]?.is_error).toBe(true)
      expect(scripted.server.requests).toHaveLength(2)
    },
  )

  it('that fail after a text give it back as a part, before one they are an error (SU-01)', async () => {
    await using scripted = await scriptedBy({
      Main: [[agent('Half')], [agent('None')], [text('I see.')]],
      Half: [[text('Found X.'), toolUse('Glob', { pattern: '*' })], 'fail'],
      None: ['fail'],
    })
    const events = await collect(scripted.ask('Main'))
    const own = toolResultsOf(
      events.filter((event) => 'parent_tool_use_id' in event && event.parent_tool_use_id === null),
    )
    expect(own.map((result) => [result.is_error === true, /Found X\./.test(textOf(result))])).toEqual([
      [false, true],
      [true, false],
    ])
  })

  it('that a SubagentStop hook sends on go on with its reason (agents.md 50)', async () => {
    await using scripted = await scriptedBy({
      Main: [[agent('Do it')], [text('Fine.')]],
      'Do it': [[text('Done?')], [text('Really done.')]],
    })
    const events = await collect(
      scripted.ask('Main', {
        hooks: {
          SubagentStop: [
            {
              hooks: [
                ({ stop_hook_active: isActive }) =>
                  isActive ? undefined : { decision: 'block', reason: 'check again' },
              ],
            },
          ],
        },
      }),
    )
    expect(textOf(toolResultsOf(events)[0])).toContain('Really done.')
    expect(JSON.stringify(scripted.server.requests[2]?.body.messages)).toContain('check again')
  })

  it('in the background report in a turn of their own, also after the last answer', async () => {
    await using scripted = await scriptedBy({
      Main: [
        [agent('Slow', { run_in_background: true })],
        [text('Started.')],
        [text('It said: done slowly.')],
      ],
      Slow: [[toolUse('Bash', { command: 'sleep 0.3' })], [text('done slowly')]],
    })
    const events = await collect(scripted.ask('Main', { permissionMode: 'bypassPermissions' }))
    expect(resultsOf(events).map(({ result }) => result)).toEqual(['Started.', 'It said: done slowly.'])
    const last = scripted.server.requests.at(-1)?.body.messages
    expect(JSON.stringify(last).split('<task-notification>')).toHaveLength(2)
    expect(JSON.stringify(last)).toContain('done slowly')
  })

  it('go on when they are written to, in another process of the session too (agents.md 35)', async () => {
    await using scripted = await scriptedBy({
      Main: [
        [agent('First task', { name: 'helper' })],
        [text('One.')],
        [toolUse('SendMessage', { to: 'helper', message: 'And more?' })],
        [text('Two.')],
        [text('Three.')],
      ],
      'First task': [[text('I know the secret 42.')], [text('Still 42.')]],
    })
    const [start] = await collect(scripted.ask('Main'))
    const events = await collect(scripted.ask('Ask again', { resume: start?.session_id ?? '' }))
    const toAgent = scripted.server.requests
      .filter((request) => firstPrompt(request).includes('First task'))
      .at(-1)
    expect(JSON.stringify(toAgent?.body.messages)).toMatch(/secret 42.*And more\?/)
    expect(JSON.stringify(scripted.server.requests.at(-1)?.body.messages)).toContain('Still 42.')
    expect(resultsOf(events).at(-1)?.is_error).toBe(false)
  })

  it('in the background tell how far they have come (cli.md, records of tasks)', async () => {
    await using scripted = await scriptedBy({
      Main: [[agent('Look around', { run_in_background: true })], [toolUse('Bash', { command: 'sleep 1' })]],
      'Look around': [[toolUse('Read', { file_path: 'a.txt' })], [text('Seen.')]],
    })
    const events = await collect(scripted.ask('Main', { permissionMode: 'bypassPermissions' }))
    const records = events.filter((event) => event.type === 'system' && event.subtype.startsWith('task_'))
    const task = { type: 'system', task_id: 'agent_1' }
    const usage = { total_tokens: expect.any(Number), tool_uses: 1, duration_ms: expect.any(Number) }
    expect(records).toEqual([
      expect.objectContaining({ ...task, subtype: 'task_started', task_type: 'local_agent', spawn_depth: 1 }),
      expect.objectContaining({
        ...task,
        subtype: 'task_progress',
        description: 'a task',
        subagent_type: 'general-purpose',
        last_tool_name: 'Read',
        usage,
      }),
      expect.objectContaining({
        ...task,
        subtype: 'task_updated',
        patch: { status: 'completed', end_time: expect.any(Number) },
      }),
      expect.objectContaining({ ...task, subtype: 'task_notification', status: 'completed', usage }),
    ])
  })

  it('do not start when the budget of the prompt is spent, and say so', async () => {
    await using scripted = await scriptedBy({
      Main: [[agent('Spend'), agent('Too late')]],
      Spend: [[text('Spent.')]],
    })
    // The first answer of the session takes more than four dollars of it.
    const price = { input: 1_000, output: 1_000, cacheWrite: 1_000, cacheRead: 1_000 }
    const options = { model: 'tiny-1', prices: { 'tiny-1': price }, maxBudgetUsd: 5, maxConcurrency: 1 }
    const results = toolResultsOf(await collect(scripted.ask('Main', options)))
    expect(results.at(-1)).toMatchObject({
      is_error: true,
      content: expect.stringContaining('Budget limit reached: the budget of $5 is spent'),
    })
    expect(scripted.server.requests.map(firstPrompt).join()).not.toContain('Too late')
  })

  it('finish the calls at work when the budget is spent, as the main conversation does', async () => {
    const work = toolUse('Bash', { command: 'sleep 0.5; touch made' })
    await using scripted = await scriptedBy({
      Main: [[agent('Spend')]],
      Spend: [[text('I work.'), toolUse('Bash', { command: 'sleep 0.1' }), work]],
    })
    const price = { input: 1_000, output: 1_000, cacheWrite: 1_000, cacheRead: 1_000 }
    const budget = { model: 'tiny-1', prices: { 'tiny-1': price }, maxBudgetUsd: 5 }
    await collect(scripted.ask('Main', { ...budget, permissionMode: 'bypassPermissions' }))
    expect(existsSync(scripted.path('made'))).toBe(true)
  })

  it('spend the budget of the prompt, together with it', async () => {
    await using scripted = await scriptedBy({
      Main: [[agent('Spend')], [text('Never.')]],
      Spend: [[text('Spent.')]],
    })
    const price = { input: 1_000, output: 1_000, cacheWrite: 1_000, cacheRead: 1_000 }
    const events = await collect(
      scripted.ask('Main', { model: 'tiny-1', prices: { 'tiny-1': price }, maxBudgetUsd: 4 }),
    )
    expect(resultsOf(events)[0]).toMatchObject({ subtype: 'error_max_budget_usd' })
  })

  it('end with the interrupt of their call; what they did stays (agents.md 27)', async () => {
    await using scripted = await scriptedBy({
      Main: [[agent('Wait')], [text('Fine.')]],
      Wait: [[toolUse('Bash', { command: 'touch made && sleep 300' })], [text('Never.')]],
    })
    const talk = createTalk()
    talk.say('Main')
    const running = scripted.ask(talk.prompt, { permissionMode: 'bypassPermissions' })
    const events: SessionEvent[] = []
    for await (const event of running) {
      events.push(event)
      if (event.type === 'tool_progress' && event.tool_name === 'Bash' && existsSync(scripted.path('made')))
        running.interrupt()
      if (event.type === 'result') talk.end()
    }
    expect(resultsOf(events)[0]).toMatchObject({ terminal_reason: 'aborted_tools' })
    expect(scripted.read('made')).toBe('')
    expect(sidechainsOf(scripted)).toHaveLength(1)
  })
})

describe('agents with a worktree of their own', () => {
  it('leave nothing without changes, and keep what they changed; the main checkout stays as it was (agents.md 29-31, SU-07)', async () => {
    await using scripted = await scriptedBy({
      Main: [
        [agent('Look only', { isolation: 'worktree' }), agent('Change it', { isolation: 'worktree' })],
        [text('Fine.')],
      ],
      'Look only': [[toolUse('Read', { file_path: 'a.txt' })], [text('I looked.')]],
      'Change it': [
        [toolUse('Write', { file_path: 'new.txt', content: 'mine' })],
        [toolUse('Bash', { command: 'cd ../../.. && touch stolen' })],
        [text('I changed it.')],
      ],
    })
    writeFileSync(scripted.path('a.txt'), 'hello')
    writeFileSync(scripted.path('.gitignore'), '.x\n')
    git(scripted.cwd, 'init', '-q')
    git(scripted.cwd, 'add', '.')
    git(scripted.cwd, 'commit', '-qm', 'first')
    const before = [git(scripted.cwd, 'status', '--porcelain'), git(scripted.cwd, 'rev-parse', 'HEAD')]
    const events = await collect(scripted.ask('Main', { permissionMode: 'bypassPermissions' }))
    const own = toolResultsOf(
      events.filter((event) => 'parent_tool_use_id' in event && event.parent_tool_use_id === null),
    )
    expect(textOf(own[0])).not.toContain('worktree-')
    const [, branch = ''] = /(worktree-[\w-]+)/.exec(textOf(own[1])) ?? []
    expect(git(scripted.cwd, 'branch', '--list', 'worktree-*').trim().split('\n')).toHaveLength(1)
    const folders = readdirSync(scripted.path('.claude/worktrees')).filter((name) => name !== '.gitignore')
    expect(folders).toEqual([branch.replace('worktree-', '')])
    expect(textOf(own[1])).toMatch(/^worktree: .*, kept: .*new\.txt/m)
    expect(readFileSync(scripted.path(`.claude/worktrees/${folders[0] ?? ''}/new.txt`), 'utf8')).toBe('mine')
    expect(scripted.read('stolen')).toBeUndefined()
    expect([git(scripted.cwd, 'status', '--porcelain'), git(scripted.cwd, 'rev-parse', 'HEAD')]).toEqual(
      before,
    )
  })

  it('do not start outside of a repository, and never in the main checkout (SU-06)', async () => {
    await using scripted = await scriptedBy({
      Main: [[agent('Change it', { isolation: 'worktree' })], [text('Fine.')]],
      'Change it': [[toolUse('Write', { file_path: 'new.txt', content: 'mine' })], [text('Never.')]],
    })
    const events = await collect(scripted.ask('Main', { permissionMode: 'bypassPermissions' }))
    expect(toolResultsOf(events)[0]?.is_error).toBe(true)
    expect(scripted.read('new.txt')).toBeUndefined()
  })
})

describe('the session itself', () => {
  it('is an agent, with its prompt, its tools and those it may start (agents.md 15)', async () => {
    await using scripted = await scriptedBy({ Main: [[agent('Do it')], [text('Fine.')]] })
    const agents = {
      boss: { description: 'd', prompt: 'You are the boss.', tools: 'Read, Agent(worker)' },
      worker: { description: 'w', prompt: 'You work.' },
    }
    const events = await collect(scripted.ask('Main', { agents, agent: 'boss' }))
    const first = scripted.server.requests[0]?.body
    expect(JSON.stringify(first?.system)).toContain('You are the boss.')
    expect(first?.tools?.map(({ name }) => name)).toEqual(['Read', 'Agent'])
    expect(textOf(toolResultsOf(events)[0])).toMatch(/worker/)
    expect(toolResultsOf(events)[0]?.is_error).toBe(true)
    expect(() => scripted.ask('Main', { agents, agent: 'nobody' })).toThrow(/there are: boss, worker/)
  })

  it('is told in which worktree an agent has worked that went into one by itself', async () => {
    await using scripted = await scriptedBy({
      Main: [[agent('Try')], [text('Fine.')]],
      Try: [[toolUse('EnterWorktree', { name: 'try' })], [text('I tried.')]],
    })
    writeFileSync(scripted.path('.gitignore'), '.x\n')
    git(scripted.cwd, 'init', '-q')
    git(scripted.cwd, 'add', '.')
    git(scripted.cwd, 'commit', '-qm', 'first')
    const events = await collect(scripted.ask('Main', { permissionMode: 'bypassPermissions' }))
    expect(toolResultsOf(events).map(textOf).at(-1)).toMatch(
      /I tried\.[^]*worktree: \S*\/\.claude\/worktrees\/try .*kept/,
    )
  })

  it('moves into a worktree and back', async () => {
    await using scripted = await scriptedBy({
      Main: [
        [toolUse('EnterWorktree', { name: 'try' })],
        [toolUse('Bash', { command: 'basename "$PWD"' })],
        [toolUse('ExitWorktree', { action: 'remove' })],
        [toolUse('Bash', { command: 'pwd' })],
        [text('Fine.')],
      ],
    })
    mkdirSync(dirname(scripted.path('a.txt')), { recursive: true })
    writeFileSync(scripted.path('.gitignore'), '.x\n')
    git(scripted.cwd, 'init', '-q')
    git(scripted.cwd, 'add', '.')
    git(scripted.cwd, 'commit', '-qm', 'first')
    const events = await collect(scripted.ask('Main', { permissionMode: 'bypassPermissions' }))
    const texts = toolResultsOf(events).map(textOf)
    expect(texts[1]).toContain('try')
    expect(texts[3]).toContain(scripted.cwd)
    expect(existsSync(join(scripted.cwd, '.claude/worktrees/try'))).toBe(false)
  })
})
