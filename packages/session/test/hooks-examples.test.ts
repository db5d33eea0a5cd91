import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { text, toolUse } from '@x/model-anthropic/testing'
import type { PermissionMode } from '@x/permissions'
import { describe, expect, it } from 'vitest'
import { loadSessionSettings } from '../src/index.ts'
import { answer, configure, load, told } from './hook-settings.ts'
import { collect, resultsOf, Scripted, textOf, toolResultsOf } from './scripted.ts'
import { createTool, notesOf } from './wire.ts'

// The numbers are those of the examples in section 11 of the hooks contract, as far as they need a session.

interface Example {
  readonly number: number
  readonly hook: string
  readonly command?: string
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
  readonly mode?: PermissionMode
  /** Nobody can be asked. */
  readonly isAlone?: boolean
  /** It runs, somebody is asked, or it is denied. */
  readonly comesTo: 'runs' | 'asks' | 'denied'
  /** What the model reads then. */
  readonly says?: string
}

const decide = (permissionDecision: string, permissionDecisionReason = 'because'): string =>
  answer({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
  })

const examples: readonly Example[] = [
  { number: 14, hook: answer({ decision: 'block', reason: 'r' }), comesTo: 'denied', says: 'r' },
  { number: 15, hook: answer({ decision: 'approve' }), comesTo: 'runs' },
  { number: 16, hook: 'true', comesTo: 'asks' },
  { number: 17, hook: decide('allow'), command: 'rm a', deny: ['Bash(rm *)'], comesTo: 'denied' },
  { number: 18, hook: decide('allow'), command: 'git push', ask: ['Bash(git push *)'], comesTo: 'asks' },
  {
    number: 19,
    hook: decide('allow'),
    command: 'git push',
    ask: ['Bash(git push *)'],
    isAlone: true,
    comesTo: 'denied',
    says: 'Bash(git push *)',
  },
  { number: 20, hook: decide('ask'), allow: ['Bash'], comesTo: 'asks' },
  { number: 21, hook: decide('ask'), command: 'rm a', deny: ['Bash(rm *)'], comesTo: 'denied' },
  { number: 22, hook: decide('deny'), mode: 'bypassPermissions', comesTo: 'denied', says: 'because' },
  { number: 23, hook: decide('allow'), mode: 'dontAsk', comesTo: 'runs' },
  { number: 24, hook: decide('ask'), mode: 'dontAsk', comesTo: 'denied', says: 'because' },
  { number: 25, hook: decide('allow'), command: 'rm -rf ~', comesTo: 'asks' },
  { number: 25, hook: decide('allow'), command: 'rm -rf ~', mode: 'dontAsk', comesTo: 'denied' },
  { number: 31, hook: decide('defer'), allow: ['Bash'], comesTo: 'runs' },
]

describe('hooks and permissions', () => {
  it.each(examples)('$number. $hook: $comesTo', async (example) => {
    const { hook, command = 'npm test', comesTo, says = '', mode = 'default', isAlone } = example
    await using scripted = await Scripted.start([[toolUse('Bash', { command })], [text('Well.')]])
    const { allow = [], ask = [], deny = [] } = example
    write(scripted, 'home/.claude/settings.json', { permissions: { allow, ask, deny } })
    configure(scripted, { PreToolUse: [['Bash', { command: hook }]] })
    const seen: string[] = []
    const events = await collect(
      scripted.ask('Go', {
        settings: await load(scripted),
        permissionMode: mode,
        // Nothing of this is ever run.
        extraTools: [createTool('Bash', () => void seen.push('runs'), { isReadOnly: () => false })],
        ...(isAlone !== true && {
          canUseTool: async () => {
            seen.push('asks')
            return { behavior: 'deny', message: 'no' }
          },
        }),
      }),
    )
    const [result] = toolResultsOf(events)
    expect(seen).toEqual(comesTo === 'denied' ? [] : [comesTo])
    if (comesTo === 'denied') expect(textOf(result)).toContain(says)
  })

  it('26. an allow answers a question to the user only together with the answers', async () => {
    await using scripted = await Scripted.start([
      [toolUse('AskUserQuestion', { id: 'one' }), toolUse('AskUserQuestion', { id: 'two' })],
      [text('Well.')],
    ])
    const allow = { permissionDecision: 'allow', permissionDecisionReason: 'asked by the hook' }
    const events = await collect(
      scripted.ask('Go', {
        extraTools: [
          createTool('AskUserQuestion', ({ answers }) => `answered ${String(answers)}`, {
            requiresUserInteraction: true,
          }),
        ],
        hooks: {
          PreToolUse: [
            {
              hooks: [
                ({ tool_input: input }) =>
                  JSON.stringify(input).includes('two')
                    ? { ...allow, updatedInput: { id: 'two', answers: 'blue' } }
                    : allow,
              ],
            },
          ],
        },
      }),
    )
    const [first, second] = toolResultsOf(events)
    expect(first?.is_error).toBe(true)
    expect(textOf(second)).toBe('answered blue')
  })

  it('29. the strictest of several counts, and all have run', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'touch ran' })],
      [text('Well.')],
    ])
    configure(scripted, {
      PreToolUse: ['allow', 'deny', 'ask'].map((wish) => ({
        command: `touch ${wish}; ${decide(wish, `because ${wish}`)}`,
      })),
    })
    const events = await collect(scripted.ask('Go', { settings: await load(scripted) }))
    expect(textOf(toolResultsOf(events)[0])).toContain('because deny')
    expect(['allow', 'deny', 'ask', 'ran'].map((name) => scripted.read(name))).toEqual([
      '',
      '',
      '',
      undefined,
    ])
  })

  it('32. a wish to defer one of two calls is told, and both go their way', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Glob', { pattern: '*' }), toolUse('Glob', { pattern: '?' })],
      [text('Well.')],
    ])
    configure(scripted, { PreToolUse: [{ command: decide('defer') }] })
    const events = await collect(scripted.ask('Go', { settings: await load(scripted) }))
    expect(toolResultsOf(events).map((result) => result.is_error === true)).toEqual([false, false])
    expect(notesOf(events).filter((note) => note.includes('defer'))).toHaveLength(2)
  })
})

describe('a rewritten input', () => {
  it('is parsed like one of the model: what does not fit does not run', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'touch ran' })],
      [text('Well.')],
    ])
    const events = await collect(
      scripted.ask('Go', {
        permissionMode: 'bypassPermissions',
        hooks: { PreToolUse: [{ hooks: [() => ({ updatedInput: { command: 7 } })] }] },
      }),
    )
    const [result] = toolResultsOf(events)
    expect(result?.is_error).toBe(true)
    expect(textOf(result)).toContain('command')
    expect(scripted.read('ran')).toBeUndefined()
  })

  it('28. takes the place of the whole, and the last one written counts', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'echo one', description: 'first' })],
      [text('Well.')],
    ])
    const inputs: unknown[] = []
    await collect(
      scripted.ask('Go', {
        extraTools: [createTool('Bash', (input) => void inputs.push(input))],
        hooks: {
          PreToolUse: [
            {
              hooks: [
                () =>
                  new Promise((resolve) => setImmediate(resolve, { updatedInput: { command: 'echo two' } })),
                () => ({ updatedInput: { command: 'echo three' } }),
              ],
            },
          ],
        },
      }),
    )
    expect(inputs).toEqual([{ command: 'echo three' }])
  })
})

describe('the rule of "if"', () => {
  it.each([
    [47, 'Bash(git *)', 'FOO=1 git push', true],
    [47, 'Bash(git *)', 'npm test && git push', true],
    [47, 'Bash(git *)', 'npm test', false],
    [48, 'Bash(rm *)', 'echo $(rm -rf /)', true],
    [48, 'Bash(rm *)', 'echo $(date)', false],
    [49, 'Bash(git push *)', 'echo $(date)', true],
  ])('%i. %s at %s: %s', async (...example) => {
    const [, rule, command, isMeant] = example
    await using scripted = await Scripted.start([[toolUse('Bash', { command })], [text('Well.')]])
    configure(scripted, { PreToolUse: [['Bash', { if: rule, command: 'touch spawned; exit 2' }]] })
    await collect(
      scripted.ask('Go', { settings: await load(scripted), extraTools: [createTool('Bash', () => 'ran')] }),
    )
    expect(scripted.read('spawned') !== undefined).toBe(isMeant)
  })

  it('51. of one folder is about the folder below the working folder', async () => {
    await using scripted = await Scripted.start([
      [
        toolUse('Write', { file_path: 'vendor/src/a.ts', content: '' }),
        toolUse('Write', { file_path: 'src/a.ts', content: '' }),
      ],
      [text('Well.')],
    ])
    configure(scripted, {
      PreToolUse: [{ if: 'Edit(src/**)', command: 'printenv CLAUDE_FILE_PATHS >> seen' }],
    })
    await collect(scripted.ask('Go', { settings: await load(scripted), permissionMode: 'acceptEdits' }))
    expect(scripted.read('seen')).toBe(`${scripted.path('src/a.ts')}\n`)
  })
})

describe('what the model is told', () => {
  it('33. the context of every hook', async () => {
    await using scripted = await Scripted.start([[toolUse('Glob', { pattern: '*' })], [text('Well.')]])
    const say = (additionalContext: string) =>
      answer({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext } })
    configure(scripted, { PreToolUse: [{ command: say('from one') }, { command: say('from two') }] })
    await collect(scripted.ask('Go', { settings: await load(scripted) }))
    expect(told(scripted, 1)).toMatch(/from one.*from two/)
  })

  it('52, 53. what the hooks behind a call say, beside a result that stays', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Write', { file_path: 'a.txt', content: 'new' })],
      [text('Well.')],
    ])
    configure(scripted, {
      PostToolUse: [
        ['Write', { command: 'echo lint >&2; exit 2' }],
        ['Write', { command: answer({ decision: 'block', reason: 'no tabs' }) }],
      ],
    })
    const settings = await load(scripted)
    const events = await collect(scripted.ask('Go', { settings, permissionMode: 'acceptEdits' }))
    expect(scripted.read('a.txt')).toBe('new')
    expect(toolResultsOf(events)[0]?.is_error).not.toBe(true)
    expect(told(scripted, 1)).toMatch(/a\.txt.*lint.*no tabs/)
  })

  it('54. another output, if it is of the kind of the first', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'echo one' }), toolUse('Bash', { command: 'echo two' })],
      [text('Well.')],
    ])
    const output = { stdout: 'x', stderr: '', interrupted: false, isImage: false }
    const rewrite = (updatedToolOutput: unknown) =>
      answer({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } })
    configure(scripted, {
      PostToolUse: [
        { if: 'Bash(echo one)', command: rewrite(output) },
        { if: 'Bash(echo two)', command: rewrite('a text') },
      ],
    })
    const events = await collect(scripted.ask('Go', { settings: await load(scripted) }))
    expect(toolResultsOf(events).map(textOf)).toEqual(['x', 'two'])
    expect(notesOf(events).join('\n')).toContain('does not fit Bash')
  })

  it('56. context of before a call that fails, and PostToolUseFailure hears of the failure', async () => {
    await using scripted = await Scripted.start([[toolUse('Break', { a: 1 })], [text('Well.')]])
    const failures: unknown[] = []
    await collect(
      scripted.ask('Go', {
        extraTools: [createTool('Break', () => Promise.reject(new Error('it broke')))],
        hooks: {
          PreToolUse: [{ hooks: [() => ({ additionalContext: 'mind the gap' })] }],
          PostToolUseFailure: [{ hooks: [({ error }) => void failures.push(error)] }],
        },
      }),
    )
    expect(failures).toEqual([expect.stringContaining('it broke')])
    expect(told(scripted, 1)).toContain('mind the gap')
  })

  it('57. nothing of hooks where the input is none', async () => {
    await using scripted = await Scripted.start([[toolUse('Glob', { pattern: 7 })], [text('Well.')]])
    const seen: unknown[] = []
    const note = {
      hooks: [({ hook_event_name: name }: { readonly [key: string]: unknown }) => void seen.push(name)],
    }
    const events = await collect(
      scripted.ask('Go', { hooks: { PreToolUse: [note], PostToolUseFailure: [note] } }),
    )
    expect(toolResultsOf(events)[0]?.is_error).toBe(true)
    expect(seen).toEqual([])
  })

  it.each([
    [61, `printf '{"a":1'`, /\{\\\\?\\?"a\\\\?\\?":1/, undefined],
    [62, `echo '{bad}'`, undefined, 'looks like JSON'],
    [109, `printf '{"a":1}\\n{"b":2}\\n'`, /b\\\\?\\?":2/, undefined],
    [109, `printf '{"a":1}\\n{"decision":"block"}\\n'`, undefined, 'JSON'],
  ] as const)('%i. a prompt hook that prints %s', async (...example) => {
    const [, command, context, note] = example
    await using scripted = await Scripted.start([[text('Well.')]])
    configure(scripted, { UserPromptSubmit: [{ command }] })
    const events = await collect(scripted.ask('Go', { settings: await load(scripted) }))
    const prompt = told(scripted, 0)
    if (context === undefined) expect(prompt).not.toContain('UserPromptSubmit hook')
    else expect(prompt).toMatch(context)
    expect(notesOf(events).join('\n')).toContain(note ?? '')
    expect(resultsOf(events)[0]?.result).toBe('Well.')
  })
})

describe('ends and switches', () => {
  it('76. continue: false ends the turn, and the user reads why', async () => {
    await using scripted = await Scripted.start([[toolUse('Glob', { pattern: '*' })], [text('Never.')]])
    configure(scripted, { PostToolUse: [{ command: answer({ continue: false, stopReason: 'halt' }) }] })
    const events = await collect(scripted.ask('Go', { settings: await load(scripted) }))
    expect(scripted.server.requests).toHaveLength(1)
    expect(resultsOf(events)[0]).toMatchObject({ terminal_reason: 'hook_stopped' })
    expect(JSON.stringify(events)).toContain('halt')
  })

  it('73. context of a Stop hook lets the model go on, as feedback', async () => {
    await using scripted = await Scripted.start([[text('Done?')], [text('Done.')]])
    configure(scripted, {
      Stop: [
        {
          command: `grep -q '"stop_hook_active":true' || ${answer({
            hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'one more look' },
          })}`,
        },
      ],
    })
    await collect(scripted.ask('Go', { settings: await load(scripted) }))
    expect(told(scripted, 1)).toContain('Stop hook feedback: one more look')
  })

  it.each([
    [
      87,
      { user: { disableAllHooks: true }, project: { disableAllHooks: false } },
      ['managed', 'project', 'user'],
    ],
    [87, { user: { disableAllHooks: true } }, ['managed']],
    [87, { flag: { disableAllHooks: true } }, ['managed']],
    [88, { managed: { allowManagedHooksOnly: 'yes' } }, ['managed']],
    [34, {}, ['managed', 'project', 'user']],
  ])('%i. %j: those of %j run', async (_, switches, expected) => {
    const settings: Readonly<Record<string, object>> = switches
    await using scripted = await Scripted.start([[text('Well.')]])
    const hooks = (name: string) => ({ Stop: [{ type: 'command', command: `echo ${name} >> log` }] })
    const files = {
      managed: 'managed/managed-settings.json',
      project: '.claude/settings.json',
      user: 'home/.claude/settings.json',
    }
    for (const [name, file] of Object.entries(files)) {
      const shared = { type: 'command', command: 'echo shared >> log' }
      const own = hooks(name)
      write(scripted, file, { hooks: { Stop: [...own.Stop, shared] }, ...settings[name] })
    }
    const loaded = await loadSessionSettings({
      cwd: scripted.cwd,
      env: scripted.env,
      home: scripted.path('home'),
      managedFolder: scripted.path('managed'),
      flagSettings: settings['flag'] ?? {},
    })
    await collect(scripted.ask('Go', { settings: loaded }))
    const log = scripted.read('log')?.trim().split('\n').toSorted()
    expect(log).toEqual([...expected, 'shared'].toSorted())
  })
})

function write(scripted: Scripted, file: string, content: object): void {
  mkdirSync(dirname(scripted.path(file)), { recursive: true })
  writeFileSync(scripted.path(file), JSON.stringify(content))
}
