import { createHooks, type HookEventName, type HookInput } from '@x/hooks'
import { describe, expect, test } from 'vitest'
import { bash, command, runHooks, temporaryFolder } from './helpers.ts'

const prompt = { prompt: 'hello' }
const after = { ...bash('ls'), tool_response: { stdout: '', stderr: '' } }
const stop = { stop_hook_active: false }

describe('after a call', () => {
  test('52. status 2 is feedback', async () => {
    const result = await runHooks('PostToolUse', after, [command({ exit: 2, err: 'lint' })])
    expect(result).toMatchObject({ outcome: 'block', reason: 'lint', feedback: ['lint'] })
  })

  test('53. a block is feedback and changes no output', async () => {
    const result = await runHooks('PostToolUse', after, [
      command({ out: { decision: 'block', reason: 'r' } }),
    ])
    expect(result.feedback).toEqual(['r'])
    expect(result.updatedOutput).toBeUndefined()
  })

  test('54. an output can be replaced, in both spellings', async () => {
    const value = { stdout: 'x', stderr: '', interrupted: false, isImage: false }
    for (const key of ['updatedToolOutput', 'updatedMCPToolOutput']) {
      for (const out of [
        { [key]: value },
        { hookSpecificOutput: { hookEventName: 'PostToolUse', [key]: value } },
      ]) {
        expect((await runHooks('PostToolUse', after, [command({ out })])).updatedOutput).toEqual({ value })
      }
    }
  })

  test('55. a permission decision after the call means nothing', async () => {
    const hookSpecificOutput = { hookEventName: 'PostToolUse', permissionDecision: 'deny' }
    const out = { systemMessage: 's', hookSpecificOutput }
    const result = await runHooks('PostToolUse', after, [command({ out })])
    expect(result).toMatchObject({ outcome: 'none', systemMessages: ['s'], errors: [] })
  })

  test('66. plain text means nothing', async () => {
    const result = await runHooks('PostToolUse', after, [command({ out: 'hello' })])
    expect(result).toMatchObject({
      outcome: 'none',
      context: [],
      errors: [],
      handlers: [{ stdout: 'hello' }],
    })
  })

  test('76. continue: false ends the query', async () => {
    const result = await runHooks('PostToolUse', after, [
      command({ out: { continue: false, stopReason: 'halt' } }),
      command({ out: { continue: false, stopReason: 'second' } }),
    ])
    expect(result.stop).toEqual({ reason: 'halt' })
  })

  test('the note for a classifier goes with the output it belongs to', async () => {
    const answer = (n: number): object =>
      command({ out: { updatedToolOutput: n, classifierContext: `c${n}` } })
    const result = await runHooks('PostToolUse', after, [answer(1), answer(2)])
    expect(result).toMatchObject({ updatedOutput: { value: 2 }, fields: { classifierContext: 'c2' } })
  })
})

describe('prompts', () => {
  test.each([
    { number: 58, says: 'plain text is context', out: 'branch: x', context: ['branch: x'], errors: 0 },
    { number: 61, says: 'half an object is plain text', out: '{"a":1', context: ['{"a":1'], errors: 0 },
    { number: 62, says: 'what only looks like JSON is an error', out: '{bad}', context: [], errors: 1 },
    {
      number: 63,
      says: 'an answer behind a banner is plain text, with a warning',
      out: 'banner\n{"decision":"block"}',
      context: ['banner\n{"decision":"block"}'],
      errors: 1,
    },
    {
      number: 64,
      says: 'context at the top level counts',
      out: '{"additionalContext":"c"}',
      context: ['c'],
      errors: 0,
    },
    {
      number: 109,
      says: 'JSON lines are plain text',
      out: '{"a":1}\n{"b":2}',
      context: ['{"a":1}\n{"b":2}'],
      errors: 0,
    },
    {
      number: 109,
      says: 'an answer among JSON lines is an error',
      out: '{"a":1}\n{"decision":"block"}',
      context: [],
      errors: 1,
    },
    {
      number: 10.2,
      says: 'an answer on the first line counts',
      out: '{"additionalContext":"c"}\nlog',
      context: ['c'],
      errors: 0,
    },
    { number: 10.12, says: 'a list is plain text', out: '["a"]', context: ['["a"]'], errors: 0 },
  ])('$number. $says', async ({ out, context, errors }) => {
    const result = await runHooks('UserPromptSubmit', prompt, [command({ out })])
    expect(result).toMatchObject({ outcome: 'none', context })
    expect(result.errors.length).toBe(errors)
  })

  test('59. status 2 refuses the prompt; the user reads why, the model does not', async () => {
    const result = await runHooks('UserPromptSubmit', prompt, [command({ exit: 2, err: 'no' })])
    expect(result).toMatchObject({ outcome: 'block', reason: 'no', feedback: [] })
  })

  test('60. the prompt can be left out of the message, or be replaced', async () => {
    const hookSpecificOutput = {
      hookEventName: 'UserPromptSubmit',
      suppressOriginalPrompt: true,
      updatedPrompt: 'p',
    }
    const result = await runHooks('UserPromptSubmit', prompt, [
      command({ out: { decision: 'block', hookSpecificOutput } }),
    ])
    expect(result).toMatchObject({
      outcome: 'block',
      fields: { suppressOriginalPrompt: true, updatedPrompt: 'p' },
    })
  })

  test('65. a late hook is told and the prompt proceeds', async () => {
    const result = await runHooks('UserPromptSubmit', prompt, [command({ sleep: 5 }, { timeout: 0.1 })])
    expect(result).toMatchObject({ outcome: 'none', handlers: [{ outcome: 'timed-out' }] })
    expect(result.errors[0]).toMatch(/timed out after 0\.1 s/)
  })
})

describe('the session', () => {
  test('67. the matcher of SessionStart looks at the source', async () => {
    await using hooks = createHooks([
      { hooks: { SessionStart: [{ matcher: 'compact', hooks: [command({ out: 'text' })] }] } },
    ])
    expect((await hooks.run('SessionStart', { source: 'compact' })).context).toEqual(['text'])
    expect((await hooks.run('SessionStart', { source: 'startup' })).context).toEqual([])
  })

  test('68. export lines come back, from several hooks', async () => {
    const add = (line: string): object => command(`echo ${line} >> "$CLAUDE_ENV_FILE"`)
    const result = await runHooks('SessionStart', { source: 'startup' }, [
      add('export A=1'),
      add('export B=2'),
    ])
    expect(result.envText?.trim().split('\n').sort()).toEqual(['export A=1', 'export B=2'])
    expect((await beforeStop()).envText).toBeUndefined()
  })

  const beforeStop = (): ReturnType<typeof runHooks<'Stop'>> => runHooks('Stop', stop, [command('true')])

  test('70. a hook that says it goes on holds nothing up', async () => {
    const late = Promise.withResolvers<unknown>()
    const hooks = createHooks(
      [
        {
          hooks: {
            SessionStart: [
              {
                hooks: [
                  command(
                    `echo '{"async":true,"asyncTimeout":180000}'; sleep 0.2; echo '{"additionalContext":"later"}'`,
                  ),
                ],
              },
            ],
          },
        },
      ],
      { onLate: late.resolve },
    )
    const result = await hooks.run('SessionStart', { source: 'startup' })
    expect(result).toMatchObject({ context: [], handlers: [{ outcome: 'background' }] })
    expect(await late.promise).toMatchObject({ context: ['later'], report: { outcome: 'success' } })
  })

  test('71. a block of Stop tells the model what to do', async () => {
    const out = { decision: 'block', reason: 'run tests', systemMessage: 's' }
    const result = await runHooks('Stop', stop, [command({ out })])
    expect(result).toMatchObject({ outcome: 'block', feedback: ['run tests'], systemMessages: ['s'] })
  })

  test('73. context of Stop is no block', async () => {
    const hookSpecificOutput = { hookEventName: 'Stop', additionalContext: 'c' }
    const result = await runHooks('Stop', stop, [command({ out: { hookSpecificOutput } })])
    expect(result).toMatchObject({ outcome: 'none', context: ['c'] })
  })

  test('74. a script of Stop that is missing is no block', async () => {
    const result = await runHooks('Stop', stop, [command('python3 /gone.py')])
    expect(result.outcome).toBe('none')
    expect(result.errors[0]).toMatch(/status code 2.*gone\.py/)
  })

  test('75. a missing file that the hook does not name still blocks', async () => {
    const result = await runHooks('Stop', stop, [
      command(`printf 'a.%s: No such file or directory' test.ts >&2; exit 2`),
    ])
    expect(result.outcome).toBe('block')
  })

  test('77. status 2 keeps a compaction from happening', async () => {
    const input = { trigger: 'auto', custom_instructions: null }
    const result = await runHooks('PreCompact', input, [command({ exit: 2, out: '', err: 'no' })])
    expect(result).toMatchObject({ outcome: 'block', reason: 'no' })
  })

  test('78. TaskCreated: continue is ignored, a block removes the task', async () => {
    const task = { task_id: '1', task_subject: 's' }
    expect(
      (await runHooks('TaskCreated', task, [command({ out: { continue: false } })])).stop,
    ).toBeUndefined()
    const block = command({ out: { decision: 'block', reason: 'r' } })
    expect(await runHooks('TaskCreated', task, [block])).toMatchObject({ outcome: 'block', feedback: ['r'] })
  })

  test('79. a change of settings can be refused, one of the policy cannot', async () => {
    const refuse = [command({ exit: 2 })]
    expect((await runHooks('ConfigChange', { source: 'project_settings' }, refuse)).outcome).toBe('block')
    expect((await runHooks('ConfigChange', { source: 'policy_settings' }, refuse)).outcome).toBe('none')
  })

  test('105. at the end of a session all share a short time', async () => {
    const end = { reason: 'other' }
    const cut = await runHooks('SessionEnd', end, [command({ sleep: 9 })], {
      env: { ...process.env, CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS: '100' },
    })
    expect(cut.handlers[0]?.outcome).toBe('timed-out')
    const longer = await runHooks('SessionEnd', end, [
      command({ sleep: 1.6 }),
      command('true', { timeout: 60 }),
    ])
    expect(longer.handlers.map(({ outcome }) => outcome)).toEqual(['success', 'success'])
  })

  test('110. a folder that is gone is told, and the hook runs', async () => {
    using folder = temporaryFolder()
    const result = await runHooks('PreToolUse', { ...bash('ls'), cwd: '/gone' }, [command('pwd')], {
      projectDir: folder.path,
    })
    expect(result.handlers[0]?.stdout).toBe(folder.path)
    expect(result.errors[0]).toMatch(/\/gone is gone/)
  })
})

describe('permission requests', () => {
  const request = { tool_name: 'ExitPlanMode', tool_input: { plan: 'p' } }
  const answer = (decision: object): object =>
    command({ out: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } } })

  test('80. an allow allows, also at the top level', async () => {
    expect((await runHooks('PermissionRequest', request, [answer({ behavior: 'allow' })])).outcome).toBe(
      'allow',
    )
    const top = command({ out: { decision: { behavior: 'allow' } } })
    expect((await runHooks('PermissionRequest', request, [top])).outcome).toBe('allow')
  })

  test('81. an allow may bring another input', async () => {
    const result = await runHooks('PermissionRequest', request, [
      answer({ behavior: 'allow', updatedInput: { a: 1 } }),
    ])
    expect(result.updatedInput).toEqual({ a: 1 })
  })

  test('82. status 2 means nothing', async () => {
    const result = await runHooks('PermissionRequest', request, [command({ exit: 2, err: 'no' })])
    expect(result).toMatchObject({ outcome: 'none', errors: [] })
  })

  test('83. updates of rules come together, a deny wins', async () => {
    const update = (type: string): object => answer({ behavior: 'allow', updatedPermissions: [{ type }] })
    const both = await runHooks('PermissionRequest', request, [update('a'), update('b')])
    expect(both.fields.decision).toEqual({
      behavior: 'allow',
      updatedPermissions: [{ type: 'a' }, { type: 'b' }],
    })
    const deny = answer({ behavior: 'deny', message: 'm', interrupt: true })
    const denied = await runHooks('PermissionRequest', request, [update('a'), deny])
    expect(denied).toMatchObject({ outcome: 'deny', reason: 'm', stop: { reason: 'm' } })
  })

  test('onFailure denies the request', async () => {
    const result = await runHooks('PermissionRequest', request, [
      command({ exit: 1 }, { onFailure: 'block' }),
    ])
    expect(result.outcome).toBe('deny')
  })
})

describe('what is outside', () => {
  test('84. the last line of WorktreeCreate is the path, a failure fails', async () => {
    const made = await runHooks('WorktreeCreate', { name: 'w' }, [
      command({ out: 'Welcome\n\u001b[32m/tmp/wt\u001b[0m\n\n' }),
    ])
    expect(made).toMatchObject({ outcome: 'none', fields: { worktreePath: '/tmp/wt' } })
    for (const handler of [command({ exit: 1 }), command({}), command({ sleep: 9 }, { timeout: 0.1 })]) {
      expect((await runHooks('WorktreeCreate', { name: 'w' }, [handler])).outcome).toBe('block')
    }
  })

  test('a relative path of a worktree is meant from where the hook ran', async () => {
    const made = await runHooks('WorktreeCreate', { name: 'w', cwd: '/tmp' }, [command({ out: 'wt' })])
    expect(made.fields.worktreePath).toBe('/tmp/wt')
  })

  test('a switch of models that nobody answers in time is refused', async () => {
    const late = await runHooks('PreModelSwitch', inputs.PreModelSwitch, [
      command({ sleep: 9 }, { timeout: 0.1 }),
    ])
    expect(late.outcome).toBe('deny')
    const ask = await runHooks('PreModelSwitch', inputs.PreModelSwitch, [
      command({ out: { permissionDecision: 'ask', permissionDecisionReason: 'r' } }),
    ])
    expect(ask).toMatchObject({ outcome: 'ask', reason: '[settings] r' })
  })

  test('WorktreeRemove fails only while the folder is there', async () => {
    using folder = temporaryFolder()
    const remove = (path: string): ReturnType<typeof runHooks<'WorktreeRemove'>> =>
      runHooks('WorktreeRemove', { worktree_path: path }, [command({ exit: 1 })])
    expect((await remove(folder.path)).outcome).toBe('block')
    expect((await remove('/gone')).outcome).toBe('none')
  })

  test('E26. status 0 of WorktreeRemove is success, whatever it printed', async () => {
    using folder = temporaryFolder()
    const handlers = [command({ out: '{bad}' }), command({ out: { continue: 1 } })]
    const result = await runHooks('WorktreeRemove', { worktree_path: folder.path }, handlers)
    expect(result).toMatchObject({ outcome: 'none', errors: [] })
  })

  test('E25. what an absolute path of a worktree says is passed on as it is', async () => {
    const made = await runHooks('WorktreeCreate', { name: 'w' }, [command({ out: '/tmp/a/../b' })])
    expect(made.fields.worktreePath).toBe('/tmp/a/../b')
  })

  test('85. an elicitation is answered; with status 2 the answer is void', async () => {
    const input = { mcp_server_name: 's', message: 'm' }
    const out = { hookSpecificOutput: { hookEventName: 'Elicitation', action: 'accept', content: { a: 1 } } }
    expect((await runHooks('Elicitation', input, [command({ out })])).fields).toEqual({
      action: 'accept',
      content: { a: 1 },
    })
    expect(await runHooks('Elicitation', input, [command({ out, exit: 2 })])).toMatchObject({
      outcome: 'block',
      fields: {},
    })
    const decline = command({ out: { action: 'decline' } })
    expect((await runHooks('Elicitation', input, [decline, command({ out })])).fields).toEqual({
      action: 'decline',
    })
  })

  test('86. a notification: status 2 means nothing, only some sequences reach the terminal', async () => {
    const input = { message: 'm', notification_type: 'idle_prompt' }
    const send = (terminalSequence: string): ReturnType<typeof runHooks<'Notification'>> =>
      runHooks('Notification', input, [command({ out: { terminalSequence, systemMessage: 's' } })])
    expect((await runHooks('Notification', input, [command({ exit: 2 })])).outcome).toBe('none')
    expect(await send('\u001b]777;notify;a;b\u0007')).toMatchObject({
      terminalSequences: ['\u001b]777;notify;a;b\u0007'],
      systemMessages: [],
    })
    expect((await send('\u001b]0;a\u0007\u001b[2J')).terminalSequences).toEqual([])
    expect((await send('\u001b]0;a\u009c\u009b2J\u0007')).terminalSequences).toEqual([])
  })
})

const inputs: { readonly [Event in HookEventName]: HookInput<Event> } = {
  PreToolUse: bash('ls'),
  PostToolUse: after,
  PostToolUseFailure: { ...bash('ls'), error: 'e' },
  PostToolBatch: { tool_calls: [] },
  PermissionRequest: { tool_name: 'Bash', tool_input: {} },
  PermissionDenied: { ...bash('ls'), reason: 'r' },
  SessionStart: { source: 'startup' },
  SessionEnd: { reason: 'other' },
  Setup: { trigger: 'init' },
  InstructionsLoaded: { file_path: '/a', memory_type: 'User', load_reason: 'session_start' },
  ConfigChange: { source: 'user_settings' },
  CwdChanged: { old_cwd: '/', new_cwd: '/tmp' },
  FileChanged: { file_path: '/a', event: 'change' },
  DirectoryAdded: { directory: '/a', source: 'sdk' },
  UserPromptSubmit: prompt,
  UserPromptExpansion: { expansion_type: 'slash_command', command_name: 'c', command_args: '', prompt: '' },
  Notification: { message: 'm', notification_type: 'idle_prompt' },
  MessageDisplay: { turn_id: 't', message_id: 'm', index: 0, final: true, delta: 'd' },
  Stop: stop,
  SubagentStop: { ...stop, agent_id: 'a', agent_type: 't', agent_transcript_path: '/t' },
  StopFailure: { error: 'overloaded' },
  SubagentStart: { agent_id: 'a', agent_type: 't' },
  PreCompact: { trigger: 'auto', custom_instructions: null },
  PostCompact: { trigger: 'auto', compact_summary: 's' },
  TaskCreated: { task_id: '1', task_subject: 's' },
  TaskCompleted: { task_id: '1', task_subject: 's' },
  TeammateIdle: { teammate_name: 't' },
  Elicitation: { mcp_server_name: 's', message: 'm' },
  ElicitationResult: { mcp_server_name: 's', action: 'accept' },
  WorktreeCreate: { name: 'w' },
  WorktreeRemove: { worktree_path: '/w' },
  PreModelSwitch: {
    from_model: 'a',
    to_model: 'b',
    requested_model: 'b',
    source: 'sdk',
    context_tokens: 1,
    prompt_cache_warm: true,
    cache_ttl: '5m',
    estimated_cache_write_usd: 0,
    pricing: 'default',
  },
  PostModelSwitch: {
    from_model: 'a',
    to_model: 'b',
    requested_model: 'b',
    source: 'sdk',
    context_tokens: 1,
    prompt_cache_warm: true,
    cache_ttl: '5m',
    estimated_cache_write_usd: 0,
    pricing: 'default',
  },
}

const blocking =
  'PreToolUse PostToolUse PostToolUseFailure PostToolBatch ConfigChange UserPromptSubmit UserPromptExpansion Stop SubagentStop PreCompact TaskCreated TaskCompleted TeammateIdle Elicitation ElicitationResult WorktreeCreate PreModelSwitch'

test.each(Object.entries(inputs))(
  'HO-07. %s: a hook that reads to the end gets one whole document',
  async (name, input) => {
    using folder = temporaryFolder()
    await using hooks = createHooks([
      {
        hooks: {
          [name]: [{ hooks: [command(`cat > ${folder.file('got.json')}; echo /w`, { timeout: 60 })] }],
        },
      },
    ])
    // The one edge: keys of an object are texts.
    const event = name as HookEventName
    const result = await hooks.run(event, input)
    expect(result).toMatchObject({ event, outcome: 'none', errors: [] })
    const { readFileSync } = await import('node:fs')
    expect(JSON.parse(readFileSync(folder.file('got.json'), 'utf8'))).toMatchObject({
      hook_event_name: name,
      ...input,
    })
  },
)

test.each(Object.entries(inputs))('status 2 at %s does what the table says', async (name, input) => {
  await using hooks = createHooks([{ hooks: { [name]: [{ hooks: [command({ exit: 2, err: 'no' })] }] } }])
  const event = name as HookEventName
  const { outcome } = await hooks.run(event, input)
  expect(outcome !== 'none').toBe(blocking.split(' ').includes(name))
})
