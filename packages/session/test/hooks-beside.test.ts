import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionEvent } from '@x/contract'
import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { answer, configure, load, told } from './hook-settings.ts'
import { collect, createTalk, resultsOf, Scripted, textOf, toolResultsOf } from './scripted.ts'
import { notesOf } from './wire.ts'

describe('hooks that nobody waits for', () => {
  it('do not delay a call and cannot decide it; their context comes later (hooks.md 102, HO-16)', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'touch ran' })],
      [toolUse('Bash', { command: 'touch go; until [ -e told ]; do sleep 0.05; done; sleep 1' })],
      [text('Well.')],
    ])
    configure(scripted, {
      PreToolUse: [
        {
          if: 'Bash(touch *)',
          async: true,
          command: `until [ -e go ]; do sleep 0.05; done; ${answer({ decision: 'block', additionalContext: 'seen late' })}; touch told`,
        },
      ],
    })
    const settings = await load(scripted)
    await collect(scripted.ask('Go', { settings, permissionMode: 'bypassPermissions' }))
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

  it('wake the model after the only prompt too, if they have something to say within the grace', async () => {
    const ask = async (backgroundGraceMs: number, command: string) => {
      await using scripted = await Scripted.start([[text('Done.')], [text('Mended.')]])
      configure(scripted, {
        Stop: [{ asyncRewake: true, command: `[ -e woken ] && exit 0; touch woken; ${command}` }],
      })
      const events = await collect(scripted.ask('Go', { settings: await load(scripted), backgroundGraceMs }))
      return resultsOf(events).map(({ result }) => result)
    }
    expect(await ask(20_000, 'sleep 0.3; echo bad >&2; exit 2')).toEqual(['Done.', 'Mended.'])
    // Words that the program itself uses are no less worth a turn.
    const words = 'Work in the background has ended; you are told of it here.'
    expect(await ask(20_000, `echo '${words}' >&2; exit 2`)).toEqual(['Done.', 'Mended.'])
    expect(await ask(20_000, 'sleep 0.3; exit 0')).toEqual(['Done.'])
    expect(await ask(100, 'sleep 300; exit 2')).toEqual(['Done.'])
  })

  it('do not hold the end up if they cannot wake anybody', async () => {
    await using scripted = await Scripted.start([[text('Done.')]])
    configure(scripted, { Stop: [{ async: true, command: 'sleep 300' }] })
    await collect(scripted.ask('Go', { settings: await load(scripted), backgroundGraceMs: 600_000 }))
  })

  it('that wake the model whenever it has finished are stopped, and the user is told', async () => {
    await using scripted = await Scripted.start(Array.from({ length: 9 }, () => [text('Done.')]))
    configure(scripted, { Stop: [{ asyncRewake: true, command: 'echo again >&2; exit 2' }] })
    const env = { ...scripted.env, CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '2' }
    const events = await collect(scripted.ask('Go', { settings: await load(scripted), env }))
    expect(scripted.server.requests).toHaveLength(3)
    expect(notesOf(events).filter((note) => note.includes('too often'))).toHaveLength(1)
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
      await expect.poll(() => scripted.read('changes.jsonl')).toMatch(/\}\s*$/)
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
      await expect.poll(() => scripted.read('config.json')).toMatch(/\}\s*$/)
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
  return notesOf([event, event]).some((note) => note.includes('settings have changed'))
}

describe('a sequence for the terminal', () => {
  it('reaches it whatever the event, and only if it is a notification or a title (hooks.md 86)', async () => {
    await using scripted = await Scripted.start([[toolUse('Glob', { pattern: '*' })], [text('Done.')]])
    const written: string[] = []
    const title = '\u001b]0;busy\u0007'
    await collect(
      scripted.ask('Go', {
        terminal: (sequence) => void written.push(sequence),
        hooks: {
          PreToolUse: [{ hooks: [() => ({ terminalSequence: title })] }],
          Stop: [{ hooks: [() => ({ terminalSequence: '\u001b[2J' })] }],
          UserPromptSubmit: [{ hooks: [() => ({ terminalSequence: title })] }],
        },
      }),
    )
    expect(written).toEqual([title, title])
  })
})
