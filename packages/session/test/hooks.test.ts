import type { SessionEvent } from '@x/contract'
import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { answer, configure, load, told } from './hook-settings.ts'
import { collect, createTalk, resultsOf, Scripted, textOf, toolResultsOf } from './scripted.ts'
import { notesOf } from './wire.ts'

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
        event.type === 'system' ? [`${event.subtype} ${nameOf(event['hook_name'])}`.trim()] : [],
      )
    }
    const first = ['hook_started SessionStart:startup', 'hook_response SessionStart:startup', 'init']
    expect(await order(false)).toEqual(first)
    expect(await order(true)).toEqual([...first, 'hook_started Stop', 'hook_response Stop'])
  })

  it('run when the session is closed in the middle of its work, and their time is short (hooks.md 105)', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'sleep 300' })],
      [text('Never.')],
    ])
    configure(scripted, {
      SessionEnd: [{ command: 'cat > ended.json' }, { command: 'sleep 300; touch late' }],
    })
    const running = scripted.ask('Go', { settings: await load(scripted), allowedTools: ['Bash'] })
    for await (const event of running) if (event.type === 'tool_progress') break
    await running.close()
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

function nameOf(name: unknown): string {
  return typeof name === 'string' ? name : ''
}
