import { describe, expect, test } from 'vitest'
import { bash, beforeBash, command, decide, runHooks, type Script } from './helpers.ts'

interface Example {
  readonly number: number
  readonly says: string
  readonly script: Script | string
  readonly more?: object
  readonly outcome: string
  readonly reason?: string | RegExp
  readonly error?: RegExp
}

const r = 'r'
const deny = decide('deny', { permissionDecisionReason: r })

const examples: readonly Example[] = [
  {
    number: 1,
    says: 'status 2 denies with its text',
    script: { exit: 2, err: 'no rm' },
    outcome: 'deny',
    reason: /^PreToolUse:Bash hook error: \[.*\]: no rm$/,
  },
  {
    number: 2,
    says: 'status 1 is told and does not block',
    script: { exit: 1, err: 'BLOCKED\nmore' },
    outcome: 'none',
    error: /status code 1: BLOCKED$/,
  },
  {
    number: 3,
    says: 'a missing program is told',
    script: '/gone/guard.sh',
    outcome: 'none',
    error: /127.*\/gone\/guard\.sh/,
  },
  {
    number: 4,
    says: 'a missing program blocks with onFailure',
    script: '/gone/guard.sh',
    more: { onFailure: 'block' },
    outcome: 'deny',
    reason: /failed; blocking because onFailure is "block"/,
  },
  {
    number: 5,
    says: 'a timeout blocks with onFailure',
    script: { sleep: 5 },
    more: { onFailure: 'block', timeout: 0.1 },
    outcome: 'deny',
    reason: /timed out; blocking because onFailure is "block"/,
  },
  {
    number: 6,
    says: 'a timeout alone is no decision',
    script: { sleep: 5 },
    more: { timeout: 0.1 },
    outcome: 'none',
    error: /timed out/,
  },
  { number: 7, says: 'a JSON deny', script: { out: deny }, outcome: 'deny', reason: r },
  {
    number: 8,
    says: 'a JSON deny with status 1, without an error',
    script: { out: deny, exit: 1 },
    outcome: 'deny',
    reason: r,
  },
  {
    number: 9,
    says: 'a JSON allow cannot undo status 2',
    script: { out: decide('allow'), exit: 2, err: 'no' },
    outcome: 'deny',
    reason: /: no$/,
  },
  {
    number: 10,
    says: 'the JSON reason goes before stderr',
    script: { out: decide('deny', { permissionDecisionReason: 'json' }), exit: 2, err: 'std' },
    outcome: 'deny',
    reason: 'json',
  },
  {
    number: 11,
    says: 'an answer without hookEventName is not valid',
    script: { out: { hookSpecificOutput: { permissionDecision: 'deny' } } },
    outcome: 'none',
    error: /not valid.*hookEventName/,
  },
  {
    number: 12,
    says: 'an answer that is not valid, with status 2',
    script: { out: { hookSpecificOutput: { permissionDecision: 'deny' } }, exit: 2, err: 'no' },
    outcome: 'deny',
    reason: /: no$/,
  },
  {
    number: 13,
    says: 'fields at the top level count',
    script: { out: { permissionDecision: 'deny', permissionDecisionReason: r } },
    outcome: 'deny',
    reason: r,
  },
  {
    number: 14,
    says: 'the old block denies',
    script: { out: { decision: 'block', reason: r } },
    outcome: 'deny',
    reason: r,
  },
  { number: 15, says: 'the old approve allows', script: { out: { decision: 'approve' } }, outcome: 'allow' },
  { number: 16, says: 'silence is no opinion', script: {}, outcome: 'none' },
  {
    number: 20,
    says: 'a JSON ask asks',
    script: { out: decide('ask', { permissionDecisionReason: 'sure?' }) },
    outcome: 'ask',
    reason: '[settings] sure?',
  },
  { number: 31, says: 'a defer is said as such', script: { out: decide('defer') }, outcome: 'defer' },
  {
    number: 93,
    says: 'a missing program in exec form is told',
    script: 'no-such-program',
    more: { args: [] },
    outcome: 'none',
    error: /cannot start.*no-such-program/,
  },
]

describe('before a call', () => {
  test.each(examples)('$number. $says', async ({ script, more, outcome, reason, error }) => {
    const result = await beforeBash([command(script, more)])

    expect(result.outcome).toBe(outcome)
    if (reason instanceof RegExp) expect(result.reason).toMatch(reason)
    else expect(result.reason).toBe(reason)
    if (error === undefined && outcome !== 'deny') expect(result.errors).toEqual([])
    if (error !== undefined) expect(result.errors.join()).toMatch(error)
    expect(result.feedback).toEqual(outcome === 'deny' ? [result.reason] : [])
  })

  test('8. an answer with another status is no error', async () => {
    expect((await beforeBash([command({ out: deny, exit: 1 })])).errors).toEqual([])
  })

  test('27. a rewritten input alone is no decision', async () => {
    const result = await beforeBash([command({ out: { updatedInput: { command: 'ls' } } })])
    expect(result).toMatchObject({ outcome: 'none', updatedInput: { command: 'ls' } })
  })

  test('28. a rewritten input takes the place of the whole', async () => {
    const input = { tool_name: 'Bash', tool_input: { command: 'a', timeout: 5 }, tool_use_id: '1' }
    const out = decide('allow', { updatedInput: { command: 'b' } })
    const result = await runHooks('PreToolUse', input, [command({ out })])
    expect(result.updatedInput).toEqual({ command: 'b' })
    expect(result.rewrites).toMatchObject([
      { target: 'input', original: { command: 'a', timeout: 5 }, updated: { command: 'b' } },
    ])
  })

  test('29. deny wins over allow and ask, and all run', async () => {
    const result = await beforeBash([
      command({ out: decide('allow') }),
      command({ out: deny }),
      command({ out: decide('ask') }),
    ])
    expect(result).toMatchObject({ outcome: 'deny', reason: r })
    expect(result.handlers.map(({ outcome }) => outcome)).toEqual(['success', 'blocked', 'success'])
  })

  test('30. defer wins over ask', async () => {
    const handlers = [command({ out: decide('defer') }), command({ out: decide('ask') })]
    expect((await beforeBash(handlers)).outcome).toBe('defer')
  })

  test('33. all contexts are kept', async () => {
    const say = (additionalContext: string): object =>
      command({ out: { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext } } })
    expect((await beforeBash([say('a'), say('b')])).context).toEqual(['a', 'b'])
  })

  test('92. exec form keeps an argument with a blank whole', async () => {
    const handler = command('printf', { args: ['%s|', '${CLAUDE_PROJECT_DIR}/a b.js', '$HOME'] })
    const result = await beforeBash([handler], { projectDir: '/tmp' })
    expect(result.handlers[0]?.stdout).toBe('/tmp/a b.js|$HOME|')
  })

  test('94. a command that reads nothing of 5 MB succeeds', async () => {
    const result = await runHooks('PreToolUse', bash('x'.repeat(5_000_000)), [command('exit 0')])
    expect(result).toMatchObject({ outcome: 'none', errors: [], handlers: [{ outcome: 'success' }] })
  })

  test('95. read -r gets the whole payload with status 0', async () => {
    const result = await beforeBash([command('read -r line; echo "$?"; echo "$line" >&2')])
    expect(result.handlers[0]?.stdout).toBe('0')
    expect(JSON.parse(result.handlers[0]?.stderr ?? '')).toMatchObject({ tool_name: 'Bash' })
  })

  test('98. a long context goes to a file, with a preview', async () => {
    const out = { additionalContext: 'y'.repeat(12_000) }
    const { context } = await beforeBash([command({ out })])
    expect(context[0]).toMatch(/12000 characters.*hook-output-.*\.txt/)
    expect(context[0]?.match(/y{100,}/)?.[0].length).toBe(2000)
  })

  test('108. unknown fields of a handler are no problem', async () => {
    expect((await beforeBash([command({}, { rewakeMessage: 'x', environment: {} })])).handlers.length).toBe(1)
  })

  test('two old and new decisions in one answer: the stricter counts', async () => {
    const out = { decision: 'block', reason: 'old', ...decide('allow') }
    expect((await beforeBash([command({ out })])).outcome).toBe('deny')
  })

  test('the inner spelling wins over the outer', async () => {
    const out = { permissionDecision: 'deny', ...decide('allow') }
    expect((await beforeBash([command({ out })])).outcome).toBe('allow')
  })
})
