import { mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionEvent } from '@x/contract'
import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { loadSessionSettings, type SessionSettings } from '../src/index.ts'
import { collect, createTalk, resultsOf, Scripted, textOf, toolResultsOf } from './scripted.ts'
import { notesOf } from './wire.ts'

interface Handler {
  readonly type?: string
  readonly command?: string
  readonly [key: string]: unknown
}

/** Writes hooks into the project's settings; each entry is a handler, or a matcher and a handler. */
function configure(
  scripted: Scripted,
  hooks: Readonly<Record<string, readonly (Handler | readonly [string, Handler])[]>>,
): void {
  const groups = Object.entries(hooks).map(([event, entries]) => [
    event,
    entries.map((entry) => {
      const [matcher, handler] = isPair(entry) ? entry : [undefined, entry]
      return { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', ...handler }] }
    }),
  ])
  mkdirSync(scripted.path('.claude'), { recursive: true })
  writeFileSync(scripted.path('.claude/settings.json'), JSON.stringify({ hooks: Object.fromEntries(groups) }))
}

function isPair(entry: Handler | readonly [string, Handler]): entry is readonly [string, Handler] {
  return Array.isArray(entry)
}

function load(scripted: Scripted): Promise<SessionSettings> {
  const home = scripted.path('home')
  return loadSessionSettings({ cwd: scripted.cwd, home, env: scripted.env, managedFolder: false })
}

/** Everything that the model was told in one request, as one text. */
function told({ server }: Scripted, index: number): string {
  return JSON.stringify(server.requests[index]?.body.messages ?? '')
}

function answer(fields: Readonly<Record<string, unknown>>): string {
  return `echo '${JSON.stringify(fields)}'`
}

describe('hooks around calls', () => {
  it('refuse a call, and the model reads why (hooks.md 1)', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'touch ran' })],
      [text('Well.')],
    ])
    configure(scripted, { PreToolUse: [['Bash', { command: 'echo "no touching" >&2; exit 2' }]] })
    const settings = await load(scripted)
    const events = await collect(scripted.ask('Go', { settings, allowedTools: ['Bash(touch *)'] }))
    expect(scripted.read('ran')).toBeUndefined()
    expect(textOf(toolResultsOf(events)[0])).toContain('no touching')
    expect(told(scripted, 1)).toContain('no touching')
  })

  it('that end with another status let the call run, and the user is told (hooks.md 2, HO-03)', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'touch ran' })],
      [text('Well.')],
    ])
    configure(scripted, { PreToolUse: [{ command: 'echo "policy broken" >&2; exit 1' }] })
    const settings = await load(scripted)
    const events = await collect(scripted.ask('Go', { settings, allowedTools: ['Bash(touch *)'] }))
    expect(scripted.read('ran')).toBe('')
    expect(notesOf(events).join('\n')).toContain('policy broken')
  })

  it('rewrite the input, and rules judge what they made of it (hooks.md 27, HO-13)', async () => {
    await using scripted = await Scripted.start(
      [[toolUse('Bash', { command: 'ls' }), toolUse('Bash', { command: 'rm keep' })], [text('Well.')]],
      { keep: 'kept' },
    )
    configure(scripted, {
      PreToolUse: [
        {
          if: 'Bash(ls)',
          command: answer({
            hookSpecificOutput: {
              hookEventName: 'PreToolUse',
              permissionDecision: 'allow',
              updatedInput: { command: 'rm -rf keep' },
            },
          }),
        },
        {
          if: 'Bash(rm *)',
          command: answer({
            hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'echo safe' } },
          }),
        },
      ],
    })
    const settings = await load(scripted)
    const events = await collect(
      scripted.ask('Go', {
        settings,
        siblingPolicy: 'none',
        allowedTools: ['Bash(echo *)'],
        disallowedTools: ['Bash(rm *)'],
      }),
    )
    expect(scripted.read('keep')).toBe('kept')
    const [first, second] = toolResultsOf(events)
    expect(first?.is_error).toBe(true)
    expect(textOf(second)).toContain('safe')
  })

  it('in code are called with the call they are about, and a throw is told', async () => {
    await using scripted = await Scripted.start([[toolUse('Glob', { pattern: '*' })], [text('Well.')]])
    const seen: unknown[] = []
    const events = await collect(
      scripted.ask('Go', {
        hooks: {
          PreToolUse: [
            {
              matcher: 'Glob',
              hooks: [(input, id) => void seen.push([input['tool_name'], id, input['permission_mode']])],
            },
            { matcher: 'Glob', hooks: [() => Promise.reject(new Error('boom'))] },
          ],
        },
      }),
    )
    const call = toolResultsOf(events)[0]
    expect(seen).toEqual([['Glob', call?.tool_use_id, 'default']])
    expect(call?.is_error).not.toBe(true)
    expect(notesOf(events).join('\n')).toContain('boom')
  })

  it('after all calls of a message stop the query, and their text stays in the conversation (PostToolBatch)', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Glob', { pattern: '*' }), toolUse('Glob', { pattern: '?' })],
      [text('Never asked.')],
    ])
    const talk = createTalk()
    talk.say('Go')
    const batches: unknown[] = []
    const events: SessionEvent[] = []
    for await (const event of scripted.ask(talk.prompt, {
      hooks: {
        PostToolBatch: [
          {
            hooks: [
              ({ tool_calls: calls }) => {
                batches.push(Array.isArray(calls) ? calls.length : calls)
                return { decision: 'block', reason: 'enough of that' }
              },
            ],
          },
        ],
      },
    })) {
      events.push(event)
      if (event.type === 'result') talk.end()
    }
    expect(batches).toEqual([2])
    expect(scripted.server.requests).toHaveLength(1)
    expect(resultsOf(events)).toMatchObject([{ terminal_reason: 'hook_stopped', is_error: false }])
  })
})

describe('hooks around a prompt', () => {
  it('refuse it: the user reads why, the model nothing (hooks.md 59)', async () => {
    await using scripted = await Scripted.start([[text('Never asked.')]])
    configure(scripted, { UserPromptSubmit: [{ command: 'echo "no secrets" >&2; exit 2' }] })
    const events = await collect(scripted.ask('my secret', { settings: await load(scripted) }))
    expect(scripted.server.requests).toHaveLength(0)
    expect(resultsOf(events)).toMatchObject([{ terminal_reason: 'hook_stopped', is_error: true }])
    expect(resultsOf(events)[0]?.result).toMatch(/no secrets[\s\S]*my secret/)
  })

  it('leave the prompt out of the message if they say so (hooks.md 60)', async () => {
    await using scripted = await Scripted.start([[text('Never asked.')]])
    const output = { hookEventName: 'UserPromptSubmit', suppressOriginalPrompt: true }
    configure(scripted, {
      UserPromptSubmit: [
        { command: answer({ decision: 'block', reason: 'no', hookSpecificOutput: output }) },
      ],
    })
    const events = await collect(scripted.ask('my secret', { settings: await load(scripted) }))
    expect(resultsOf(events)[0]?.result).not.toContain('my secret')
  })

  it('add context, and may put another prompt in its place (hooks.md 58, decision 15)', async () => {
    await using scripted = await Scripted.start([[text('Well.')]])
    configure(scripted, {
      UserPromptSubmit: [
        { command: 'echo "branch: main"' },
        {
          command: answer({
            hookSpecificOutput: { hookEventName: 'UserPromptSubmit', updatedPrompt: 'Better words' },
          }),
        },
      ],
    })
    await collect(scripted.ask('Bad words', { settings: await load(scripted) }))
    expect(told(scripted, 0)).toContain('branch: main')
    expect(told(scripted, 0)).toContain('Better words')
    expect(told(scripted, 0)).not.toContain('Bad words')
  })

  it('that never end are cut by an interrupt, and the model is not asked (F9)', async () => {
    await using scripted = await Scripted.start([[text('Never asked.')]])
    const running = scripted.ask('Go', {
      hooks: {
        UserPromptSubmit: [
          {
            hooks: [
              () => {
                running.interrupt()
                return new Promise(() => {})
              },
            ],
          },
        ],
      },
    })
    const events = await collect(running)
    expect(scripted.server.requests).toHaveLength(0)
    expect(resultsOf(events)).toMatchObject([{ terminal_reason: 'aborted_streaming' }])
  })
})

describe('hooks at the start and the end of a session', () => {
  it('give context, a first message and variables for commands (hooks.md 68)', async () => {
    await using scripted = await Scripted.start([
      [text('First.')],
      [toolUse('Bash', { command: 'echo "A is $A"' })],
      [text('Second.')],
    ])
    configure(scripted, {
      SessionStart: [
        { command: 'echo "export A=1" >> "$CLAUDE_ENV_FILE"; echo plain context' },
        {
          command: answer({
            hookSpecificOutput: { hookEventName: 'SessionStart', initialUserMessage: 'Look around' },
          }),
        },
      ],
    })
    const settings = await load(scripted)
    const events = await collect(scripted.ask('Go', { settings, allowedTools: ['Bash(echo *)'] }))
    expect(told(scripted, 0)).toMatch(/plain context.*Look around/)
    expect(resultsOf(events).map(({ result }) => result)).toEqual(['First.', 'Second.'])
    expect(textOf(toolResultsOf(events)[0])).toContain('A is 1')
  })

  it('are told in records before the first one of the session; others only on demand (cli.md 6)', async () => {
    const order = async (includeHookEvents: boolean): Promise<readonly string[]> => {
      await using scripted = await Scripted.start([[text('Well.')]])
      configure(scripted, { SessionStart: [{ command: 'echo hi' }], Stop: [{ command: 'true' }] })
      const events = await collect(scripted.ask('Go', { settings: await load(scripted), includeHookEvents }))
      return events.flatMap((event) =>
        event.type === 'system' ? [`${event.subtype} ${String(event['hook_name'] ?? '')}`.trim()] : [],
      )
    }
    const first = ['hook_started SessionStart:startup', 'hook_response SessionStart:startup', 'init']
    expect(await order(false)).toEqual(first)
    expect(await order(true)).toEqual([...first, 'hook_started Stop', 'hook_response Stop'])
  })

  it('run when the session is closed in the middle of its work, and their time is short (hooks.md 105)', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'sleep 30' })],
      [text('Never.')],
    ])
    configure(scripted, {
      SessionEnd: [{ command: 'cat > ended.json' }, { command: 'sleep 30; touch late' }],
    })
    const running = scripted.ask('Go', { settings: await load(scripted), allowedTools: ['Bash'] })
    for await (const event of running) if (event.type === 'tool_progress') break
    const begun = performance.now()
    await running.close()
    expect(performance.now() - begun).toBeLessThan(10_000)
    expect(JSON.parse(scripted.read('ended.json') ?? '{}')).toMatchObject({
      hook_event_name: 'SessionEnd',
      reason: 'other',
    })
    expect(scripted.read('late')).toBeUndefined()
  })

  it('run the Setup hooks only where they are asked for', async () => {
    await using scripted = await Scripted.start([[text('One.')], [text('Two.')]])
    configure(scripted, { Setup: [['maintenance', { command: 'echo ran >> setup.log' }]] })
    const settings = await load(scripted)
    await collect(scripted.ask('Go', { settings }))
    expect(scripted.read('setup.log')).toBeUndefined()
    await collect(scripted.ask('Go', { settings, setup: 'maintenance' }))
    expect(scripted.read('setup.log')).toBe('ran\n')
  })
})

describe('Stop hooks', () => {
  it('send the model on, once if they look at the flag (hooks.md 71, HO-11)', async () => {
    await using scripted = await Scripted.start([[text('Done?')], [text('Done.')]])
    configure(scripted, {
      Stop: [{ command: 'grep -q \'"stop_hook_active":true\' || { echo "run the tests" >&2; exit 2; }' }],
    })
    const events = await collect(scripted.ask('Go', { settings: await load(scripted) }))
    expect(scripted.server.requests).toHaveLength(2)
    expect(told(scripted, 1)).toContain('run the tests')
    expect(resultsOf(events)).toMatchObject([{ result: 'Done.', terminal_reason: 'completed' }])
  })

  it('that always block end after eight rounds, or as many as the environment says (hooks.md 72)', async () => {
    for (const [cap, requests] of [
      [undefined, 9],
      ['2', 3],
    ] as const) {
      await using scripted = await Scripted.start(Array.from({ length: 12 }, () => [text('Done.')]))
      configure(scripted, { Stop: [{ command: 'echo again >&2; exit 2' }] })
      const env = { ...scripted.env, CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: cap }
      await collect(scripted.ask('Go', { settings: await load(scripted), env }))
      expect(scripted.server.requests).toHaveLength(requests)
    }
  })
})

describe('hooks that nobody waits for', () => {
  it('do not delay a call and cannot decide it; their context comes later (hooks.md 102, HO-16)', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'touch ran' })],
      [toolUse('Bash', { command: 'sleep 1' })],
      [text('Well.')],
    ])
    configure(scripted, {
      PreToolUse: [
        {
          if: 'Bash(touch *)',
          async: true,
          command: `sleep 0.3; ${answer({ decision: 'block', additionalContext: 'seen late' })}`,
        },
      ],
    })
    const settings = await load(scripted)
    await collect(scripted.ask('Go', { settings, allowedTools: ['Bash(touch *)', 'Bash(sleep *)'] }))
    expect(scripted.read('ran')).toBe('')
    expect(told(scripted, 1)).not.toContain('seen late')
    expect(told(scripted, 2)).toContain('seen late')
  })

  it('wake the model while the session waits for the user, once (hooks.md 103)', async () => {
    await using scripted = await Scripted.start([[text('Idle.')], [text('Awake.')]])
    configure(scripted, {
      Stop: [
        {
          asyncRewake: true,
          command: '[ -e woken ] && exit 0; touch woken; sleep 0.2; echo bad >&2; exit 2',
        },
      ],
    })
    const talk = createTalk()
    talk.say('Go')
    const events: SessionEvent[] = []
    for await (const event of scripted.ask(talk.prompt, { settings: await load(scripted) })) {
      events.push(event)
      if (event.type === 'result' && event.result === 'Awake.') talk.end()
    }
    expect(resultsOf(events).map(({ result }) => result)).toEqual(['Idle.', 'Awake.'])
    expect(told(scripted, 1).split('bad')).toHaveLength(2)
  })
})

describe('places', () => {
  it('a folder that a command moved to is told of, and gives variables until the next one', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'mkdir -p sub && cd sub' })],
      [toolUse('Bash', { command: 'echo "in $WHERE"' })],
      [text('Well.')],
    ])
    configure(scripted, {
      CwdChanged: [
        {
          command: `cat >> "$CLAUDE_PROJECT_DIR/moves.jsonl"; echo "export WHERE=$(basename "$PWD")" >> "$CLAUDE_ENV_FILE"`,
        },
      ],
    })
    const events = await collect(
      scripted.ask('Go', { settings: await load(scripted), allowedTools: ['Bash'] }),
    )
    expect(textOf(toolResultsOf(events)[1])).toContain('in sub')
    const moves = (scripted.read('moves.jsonl') ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(moves).toMatchObject([{ old_cwd: scripted.cwd, new_cwd: scripted.path('sub') }])
  })

  it('a watched file that changes is told of, whoever wrote it (hooks.md 106)', async () => {
    await using scripted = await Scripted.start([[text('One.')], [text('Two.')]])
    configure(scripted, {
      FileChanged: [['.envrc|.env', { command: 'cat >> "$CLAUDE_PROJECT_DIR/changes.jsonl"' }]],
    })
    const talk = createTalk()
    talk.say('Go')
    for await (const event of scripted.ask(talk.prompt, { settings: await load(scripted) })) {
      if (event.type !== 'result') continue
      writeFileSync(scripted.path('.env'), 'A=1')
      writeFileSync(scripted.path('other'), 'B=1')
      for (let tries = 0; tries < 200 && scripted.read('changes.jsonl') === undefined; tries += 1)
        await sleep(50)
      talk.end()
    }
    const changes = (scripted.read('changes.jsonl') ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(changes).toMatchObject([
      { hook_event_name: 'FileChanged', file_path: scripted.path('.env'), event: 'add' },
    ])
  })

  it('a settings file that changes is told of first; a block keeps what counted (hooks.md 79, 100)', async () => {
    await using scripted = await Scripted.start([[text('One.')], [text('Two.')]])
    configure(scripted, {
      ConfigChange: [['project_settings', { command: 'cat > "$CLAUDE_PROJECT_DIR/config.json"; exit 2' }]],
    })
    const settings = await load(scripted)
    const before = scripted.read('.claude/settings.json') ?? ''
    const talk = createTalk()
    talk.say('Go')
    const events: SessionEvent[] = []
    for await (const event of scripted.ask(talk.prompt, { settings })) {
      events.push(event)
      if (event.type !== 'result') continue
      writeFileSync(scripted.path('.claude/settings.json'), before.replace('exit 2', 'exit 0'))
      for (let tries = 0; tries < 200 && scripted.read('config.json') === undefined; tries += 1)
        await sleep(50)
      await sleep(100)
      talk.end()
    }
    expect(JSON.parse(scripted.read('config.json') ?? '{}')).toMatchObject({
      source: 'project_settings',
      file_path: scripted.path('.claude/settings.json'),
    })
    expect(notesOf(events).join('\n')).not.toContain('settings have changed')
  })
})

describe('permission requests', () => {
  it('are answered by a hook before anybody is asked, and denials stay (hooks.md 80-83)', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'touch one' }), toolUse('Bash', { command: 'touch two' })],
      [text('Well.')],
    ])
    const asked: string[] = []
    const events = await collect(
      scripted.ask('Go', {
        canUseTool: async (_, { command }) => {
          asked.push(String(command))
          return { behavior: 'deny', message: 'nobody' }
        },
        hooks: {
          PermissionRequest: [
            {
              hooks: [
                ({ tool_input: input }) =>
                  JSON.stringify(input).includes('one') ? { decision: { behavior: 'allow' } } : undefined,
              ],
            },
          ],
        },
      }),
    )
    expect(scripted.read('one')).toBe('')
    expect(asked).toEqual(['touch two'])
    expect(toolResultsOf(events).map((result) => result.is_error === true)).toEqual([false, true])
  })

  it('do not exist where nobody could be asked', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'touch one' })],
      [text('Well.')],
    ])
    await collect(
      scripted.ask('Go', {
        hooks: { PermissionRequest: [{ hooks: [() => ({ decision: { behavior: 'allow' } })] }] },
      }),
    )
    expect(scripted.read('one')).toBeUndefined()
  })
})

describe('what is said', () => {
  it('is told of, and another text may be shown: the conversation keeps the first', async () => {
    await using scripted = await Scripted.start([
      [text('Hello'), toolUse('Glob', { pattern: '*' })],
      [text('Bye')],
    ])
    const events = await collect(
      scripted.ask('Go', {
        hooks: { MessageDisplay: [{ hooks: [({ delta }) => ({ displayContent: `<${String(delta)}>` })] }] },
      }),
    )
    const shown = events.flatMap((event) => (event.type === 'assistant' ? [event.display_content] : []))
    expect(shown.filter((content) => content !== undefined)).toEqual(['<Hello>', '<Bye>'])
    expect(told(scripted, 1)).not.toContain('<Hello>')
  })

  it('is a failure of the service: StopFailure hears its name', async () => {
    await using scripted = await Scripted.start([
      {
        kind: 'status',
        status: 401,
        headers: {},
        body: '{"type":"error","error":{"type":"authentication_error","message":"no"}}',
      },
    ])
    const failures: unknown[] = []
    await collect(
      scripted.ask('Go', { hooks: { StopFailure: [{ hooks: [({ error }) => void failures.push(error)] }] } }),
    )
    expect(failures).toEqual(['authentication_failed'])
  })
})

describe('a switch of the model', () => {
  it('is refused by a hook, or told of behind it', async () => {
    await using scripted = await Scripted.start([[text('One.')]])
    const talk = createTalk()
    const running = scripted.ask(talk.prompt, {
      hooks: {
        PreModelSwitch: [
          {
            matcher: '.*opus.*',
            hooks: [() => ({ permissionDecision: 'deny', permissionDecisionReason: 'too dear' })],
          },
        ],
        PostModelSwitch: [{ hooks: [() => ({ additionalContext: 'be brief now' })] }],
      },
    })
    await expect(running.setModel('opus')).rejects.toThrow('too dear')
    await running.setModel('haiku')
    talk.say('Go')
    talk.end()
    await collect(running)
    expect(scripted.server.requests[0]?.body.model).toContain('haiku')
    expect(told(scripted, 0)).toContain('be brief now')
  })
})

describe('hooks that ask', () => {
  it('a model is asked in a request of its own, and its no is the reason (hooks.md 104)', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Glob', { pattern: '*' })],
      [text('{"ok": false, "reason": "not today"}')],
      [text('Well.')],
    ])
    configure(scripted, {
      PreToolUse: [{ type: 'prompt', prompt: 'May it? $ARGUMENTS', continueOnBlock: true }],
    })
    const events = await collect(scripted.ask('Go', { settings: await load(scripted) }))
    expect(textOf(toolResultsOf(events)[0])).toContain('not today')
    expect(told(scripted, 1)).toContain('May it?')
    expect(scripted.server.requests[1]?.body.model).toContain('haiku')
  })

  it('an agent looks around with tools of its own, and no hooks run for them', async () => {
    await using scripted = await Scripted.start(
      [
        [toolUse('Bash', { command: 'touch ran' })],
        [toolUse('Read', { file_path: 'policy.txt' })],
        [text('{"ok": false, "reason": "the policy says no"}')],
        [text('Well.')],
      ],
      { 'policy.txt': 'never touch' },
    )
    configure(scripted, { PreToolUse: [{ type: 'agent', prompt: 'Does policy.txt allow this? $ARGUMENTS' }] })
    const events = await collect(
      scripted.ask('Go', { settings: await load(scripted), allowedTools: ['Bash'] }),
    )
    expect(told(scripted, 2)).toContain('never touch')
    expect(textOf(toolResultsOf(events)[0])).toContain('the policy says no')
    expect(scripted.read('ran')).toBeUndefined()
  })
})

describe('hooks of the settings', () => {
  it('come with the next change, and the one that is gone does not run (hooks.md 100)', async () => {
    await using scripted = await Scripted.start([[text('One.')], [text('Two.')]])
    configure(scripted, { UserPromptSubmit: [{ command: 'echo old words' }] })
    const talk = createTalk()
    talk.say('Go')
    let results = 0
    for await (const event of scripted.ask(talk.prompt, { settings: await load(scripted) })) {
      if (event.type === 'result' && ++results === 1)
        configure(scripted, { UserPromptSubmit: [{ command: 'echo new words' }] })
      else if (event.type === 'result') talk.end()
      else if (isNews(event)) talk.say('Again')
    }
    expect(told(scripted, 0)).toContain('old words')
    const again = scripted.server.requests[1]?.body.messages.at(-1)
    expect(JSON.stringify(again)).toContain('new words')
    expect(JSON.stringify(again)).not.toContain('old words')
  })
})

function isNews(event: SessionEvent): boolean {
  return event.type === 'system' && String(event['content'] ?? '').includes('settings have changed')
}
