import { randomInt } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createHooks, type LateHookResult } from '@x/hooks'
import { describe, expect, test } from 'vitest'
import {
  bash,
  beforeBash,
  command,
  decide,
  processesWith,
  quote,
  runHooks,
  temporaryFolder,
} from './helpers.ts'

/** Seconds to sleep, in words of this run alone, with a figure behind them: processes are found by them, also beside another run. */
const forever = `300.${randomInt(1e8, 1e9)}`

describe('a block is never ignored', () => {
  test('HO-01. status 2 denies with its text', async () => {
    const result = await beforeBash([command('echo no >&2; exit 2')])
    expect(result).toMatchObject({ outcome: 'deny' })
    expect(result.feedback[0]).toMatch(/no$/)
  })

  test.each(['Bash', 'Edit', 'Agent', 'mcp__a__b', 'WebFetch'])(
    'HO-02. an answer and status 2 deny %s, once',
    async (name) => {
      const handler = command({
        out: decide('deny', { permissionDecisionReason: 'why' }),
        exit: 2,
        err: 'also',
      })
      const run = (): ReturnType<typeof beforeBash> =>
        runHooks('PreToolUse', { tool_name: name, tool_input: {}, tool_use_id: '1' }, [handler])
      for (const result of await Promise.all([run(), run()])) {
        expect(result).toMatchObject({ outcome: 'deny', feedback: ['why'] })
      }
    },
  )

  test('HO-03. status 1 lets the call run and is told with its text and status', async () => {
    const { outcome, errors } = await beforeBash([command('echo "policy broken" >&2; exit 1')])
    expect(outcome).toBe('none')
    expect(errors).toEqual([
      expect.stringMatching(/^PreToolUse:Bash hook error: .*status code 1: policy broken$/),
    ])
  })

  test('HO-04. a guard blocks from a working folder that is gone', async () => {
    using folder = temporaryFolder()
    writeFileSync(folder.file('deny.sh'), '#!/bin/sh\necho no >&2\nexit 2\n')
    chmodSync(folder.file('deny.sh'), 0o755)
    mkdirSync(folder.file('gone'))
    rmSync(folder.file('gone'), { recursive: true })
    const input = { ...bash('ls'), cwd: folder.file('gone') }
    expect((await runHooks('PreToolUse', input, [command(folder.file('deny.sh'))])).outcome).toBe('deny')
  })

  const pretty = JSON.stringify({ ...decide('deny'), padding: Array.from({ length: 12 }, String) }, null, 2)
  test.each([
    ['after a banner', `Shell ready {}\n${JSON.stringify(decide('deny'))}`, true],
    ['after a log line', `loading\n${JSON.stringify(decide('deny'))}`, true],
    ['pretty after a banner', `loading\n${pretty}`, true],
    ['before blank lines', `${JSON.stringify(decide('deny'))}\n\n \n`, false],
    ['pretty', pretty, false],
  ])('HO-05. an answer %s', async (_, out, isLost) => {
    const result = await beforeBash([command({ out })])
    expect(result.outcome).toBe(isLost ? 'none' : 'deny')
    expect(result.errors.length).toBe(isLost ? 1 : 0)
    expect((await beforeBash([command({ out }, { onFailure: 'block' })])).outcome).toBe('deny')
  })
})

describe('a shell', () => {
  // Bash takes a socket for a login from afar, unless a shell started the host; and node's pipes are sockets.
  test('reads no start-up file of the user, who started the host in whatever way', async () => {
    using folder = temporaryFolder()
    writeFileSync(folder.file('.bashrc'), 'echo Welcome; exit 0\n')
    const env = { ...process.env, HOME: folder.path, SHLVL: undefined }
    const result = await beforeBash([command({ out: decide('deny') })], { env })
    expect(result).toMatchObject({ outcome: 'deny', errors: [] })
  })
})

describe('standard input', () => {
  test.each(['exit 0', 'sleep 0.2; exit 0', 'exec 0<&-; sleep 0.1'])(
    'HO-06. a hook that does not read 5 MB (%s) is no failure',
    async (line) => {
      const result = await runHooks('PreToolUse', bash('x'.repeat(5_000_000)), [command(line)])
      expect(result).toMatchObject({ outcome: 'none', errors: [] })
    },
  )

  test('HO-14. half characters and control characters arrive as JSON on one line', async () => {
    const text = 'a\ud83db\0c\u2028d'
    const result = await runHooks('PreToolUse', bash(text), [command('cat >&2')])
    const stderr = result.handlers[0]?.stderr ?? ''
    expect(stderr.trimEnd().includes('\n')).toBe(false)
    expect(JSON.parse(stderr)).toMatchObject({ tool_input: { command: text } })
  })

  test('HO-14. in a reason they become replacement characters', async () => {
    const out = String.raw`{"decision":"block","reason":"a\ud83d \u001b[31mred"}`
    expect((await beforeBash([command({ out })])).reason).toBe('a\ufffd \ufffd[31mred')
  })

  test('1 MB with quotes, line feeds, NUL and other letters arrives byte-exact', async () => {
    using folder = temporaryFolder()
    const unit = '\'"\\`$(x)\n\r\t\0é漢😀'
    const input = bash(unit.repeat(1_000_000 / unit.length))
    const result = await runHooks('PreToolUse', input, [command(`cat > ${quote(folder.file('in'))}`)])
    expect(result.errors).toEqual([])
    const text = readFileSync(folder.file('in'), 'utf8')
    expect(text.endsWith('}\n')).toBe(true)
    expect(JSON.parse(text)).toMatchObject({ tool_input: input.tool_input })
  })

  test('HO-15. an echoed payload of 3 MB is read whole and means nothing', async () => {
    const result = await runHooks('PreToolUse', bash('y"\n'.repeat(1_000_000)), [command('cat')])
    expect(result).toMatchObject({ outcome: 'none', errors: [] })
  })

  test('HO-15. 300 kB of context are bounded', async () => {
    const line = `printf '{"additionalContext":"%0300000d"}' 0`
    const { context, errors } = await beforeBash([command(line)])
    expect(errors).toEqual([])
    expect(context[0]?.length).toBeLessThan(2500)
  })

  test('an answer behind 11 MB is refused with a message, never cut', async () => {
    const line = `printf '{"decision":"block","reason":"'; head -c 11000000 /dev/zero | tr '\\0' x; printf '"}'`
    const result = await beforeBash([command(line)])
    expect(result.outcome).toBe('none')
    expect(result.errors[0]).toMatch(/more than is read/)
    expect((await beforeBash([command(line, { onFailure: 'block' })])).outcome).toBe('deny')
  })
})

describe('processes', () => {
  test('HO-08, 96. what a hook leaves behind holds nothing up and stays', async () => {
    const result = await beforeBash([command(`sleep ${forever}1 & echo "{}"; exit 0`, { timeout: 60 })])
    expect(result.handlers[0]).toMatchObject({ outcome: 'success' })
    const left = processesWith(`${forever}1`)
    expect(left.length).toBe(1)
    for (const pid of left) process.kill(pid)
  })

  test('HO-08. a hook that never ends is ended with all it started', async () => {
    const result = await beforeBash([
      command(`sh -c "sleep ${forever}2 & sleep ${forever}2"`, { timeout: 0.2 }),
    ])
    expect(result.errors[0]).toMatch(/timed out after 0\.2 s/)
    expect(processesWith(`${forever}2`)).toEqual([])
  })

  test('97. one that ignores TERM holds nothing up and is killed', async () => {
    const line = `trap '' TERM; sleep ${forever}3 & while :; do sleep ${forever}3; done`
    const hooks = createHooks([{ hooks: { PreToolUse: [{ hooks: [command(line, { timeout: 0.2 })] }] } }], {
      killGraceMs: 200,
    })
    const result = await hooks.run('PreToolUse', bash('ls'))
    expect(result.handlers[0]?.outcome).toBe('timed-out')
    await hooks[Symbol.asyncDispose]()
    expect(processesWith(`${forever}3`)).toEqual([])
  })

  test('one that floods its output is read up to a limit', async () => {
    const result = await beforeBash([command('yes 0123456789 | head -c 30000000')])
    expect(result.handlers[0]?.outcome).toBe('success')
    expect(result.handlers[0]?.stdout.length).toBeLessThan(11 * 1024 * 1024)
  })

  test('what went wrong is told in bounds', async () => {
    const { errors } = await beforeBash([command('head -c 3000000 /dev/zero | tr "\\0" x >&2; exit 1')])
    expect(errors.map(({ length }) => length < 11_000)).toEqual([true])
  })

  test('one that floods its output and never ends is ended', async () => {
    const result = await beforeBash([command(`exec yes ${forever}4`, { timeout: 0.3 })])
    expect(result.handlers[0]?.outcome).toBe('timed-out')
    await expect.poll(() => processesWith(`${forever}4`)).toEqual([])
  })

  test.each(['{', '{}'])('ten million characters of %s lines hold up nobody', async (line) => {
    const result = await beforeBash([command(`yes '${line}' | head -c 10000000`)])
    expect(result.outcome).toBe('none')
  })

  test('one that closes its output goes on, and its status counts', async () => {
    const result = await beforeBash([command('exec >&- 2>&- <&-; sleep 0.1; exit 2')])
    expect(result.outcome).toBe('deny')
  })

  test('one that kills its shell is told', async () => {
    const result = await beforeBash([command("sh -c 'kill -9 $PPID'; echo never")])
    expect(result).toMatchObject({ outcome: 'none', handlers: [{ outcome: 'failed' }] })
    expect(result.errors[0]).toMatch(/status code 137/)
  })

  test('107. an abort ends the tree and says what was cancelled', async () => {
    const controller = new AbortController()
    const running = beforeBash([command(`sleep ${forever}5 & sleep ${forever}5`), command('true')], {
      signal: controller.signal,
    })
    await expect.poll(() => processesWith(`${forever}5`).length).toBeGreaterThan(0)
    controller.abort()
    const result = await running
    expect(result).toMatchObject({ outcome: 'none', isCancelled: true })
    expect(result.handlers.map(({ outcome }) => outcome)).toEqual(['cancelled', expect.any(String)])
    expect(processesWith(`${forever}5`)).toEqual([])
  })

  test('nothing starts when it is aborted already', async () => {
    using folder = temporaryFolder()
    const result = await beforeBash([command(`touch ${folder.file('ran')}`)], { signal: AbortSignal.abort() })
    expect(result.isCancelled).toBe(true)
    expect(existsSync(folder.file('ran'))).toBe(false)
  })

  test('HO-12. blanks, quotes and dollars in the folder', async () => {
    using folder = temporaryFolder()
    const project = folder.file("it's $x")
    mkdirSync(project)
    writeFileSync(`${project}/h.sh`, '#!/bin/sh\nprintf "%s|" "$@"\n')
    chmodSync(`${project}/h.sh`, 0o755)
    const lines = ['"$CLAUDE_PROJECT_DIR"/h.sh', '"${CLAUDE_PROJECT_DIR}/h.sh" arg "two words"']
    const result = await beforeBash(
      lines.map((line) => command(line)),
      { projectDir: project },
    )
    expect(result.handlers.map(({ stdout }) => stdout)).toEqual(['|', 'arg|two words|'])
  })

  test('the line runs in bash, so that [[ works, and a syntax error is told', async () => {
    expect((await beforeBash([command('[[ a == a ]] && echo yes')])).handlers[0]?.stdout).toBe('yes')
    const broken = await beforeBash([command('if then (')])
    expect(broken.errors[0]).toMatch(/syntax error/)
  })

  test('a path that is too long for a variable keeps no guard from starting', async () => {
    const input = {
      tool_name: 'Write',
      tool_input: { file_path: `/${'a'.repeat(3_000_000)}` },
      tool_use_id: '1',
    }
    expect((await runHooks('PreToolUse', input, [command({ exit: 2, err: 'no' })])).outcome).toBe('deny')
  })

  test('the environment has what hooks are promised, and no more', async () => {
    const env = { PATH: process.env['PATH'], OTEL_X: '1', CLAUDE_ENV_FILE: '/other', TOKEN: 't' }
    const input = {
      tool_name: 'Write',
      tool_input: { file_path: 'a b.ts' },
      tool_use_id: '1',
      cwd: '/tmp',
      session_id: 's1',
    }
    const result = await runHooks('PreToolUse', input, [command('env')], { env, projectDir: '/p' })
    const lines = result.handlers[0]?.stdout.split('\n') ?? []
    expect(lines).toEqual(
      expect.arrayContaining([
        'CLAUDE_PROJECT_DIR=/p',
        'CLAUDE_FILE_PATHS=/tmp/a b.ts',
        'CLAUDE_CODE_SESSION_ID=s1',
        'CLAUDECODE=1',
        'TOKEN=t',
      ]),
    )
    expect(lines.some((line) => /^(OTEL|CLAUDE_ENV_FILE)/.test(line))).toBe(false)
  })
})

describe('several hooks', () => {
  const rewriter = command({ out: { updatedInput: { command: 'echo MODIFIED' } } })
  test.each([[[command({}), rewriter]], [[rewriter, command({})]], [[rewriter, command({ out: '{}' })]]])(
    'HO-09. a rewrite stands beside hooks that say nothing',
    async (handlers) => {
      expect((await beforeBash(handlers)).updatedInput).toEqual({ command: 'echo MODIFIED' })
    },
  )

  const allow = command({ out: decide('allow') })
  const slow = command({ out: decide('allow'), sleep: 0.2 })
  const deny = command({ out: decide('deny') })
  test.each([
    ['allow, deny', [allow, deny]],
    ['deny, allow', [deny, allow]],
    ['slow allow, deny', [slow, deny]],
    ['deny, slow allow', [deny, slow]],
  ])('HO-10. %s: denied', async (_, handlers) => {
    expect((await beforeBash(handlers)).outcome).toBe('deny')
  })

  test('HO-10. a crash beside an allow is told', async () => {
    const result = await beforeBash([allow, command('kill -SEGV $$')])
    expect(result).toMatchObject({ outcome: 'allow', errors: [expect.stringMatching(/139/)] })
  })

  test('HO-11. the flag tells a hook of Stop that it has had its way', async () => {
    const line = `grep -q '"stop_hook_active":true' || { echo again >&2; exit 2; }`
    const stop = (active: boolean): ReturnType<typeof runHooks<'Stop'>> =>
      runHooks('Stop', { stop_hook_active: active }, [command(line)])
    expect((await stop(false)).feedback).toEqual(['again'])
    expect((await stop(true)).outcome).toBe('none')
  })

  test('HO-13. a rewrite with allow says so, so that rules judge the new input', async () => {
    const out = decide('allow', { updatedInput: { command: 'rm -rf x' } })
    const result = await beforeBash([command({ out })])
    expect(result).toMatchObject({ outcome: 'allow', updatedInput: { command: 'rm -rf x' } })
  })
})

describe('background', () => {
  test.each(['PreToolUse', 'SessionStart', 'Stop'] as const)(
    'HO-16, 102, 103. at %s: no delay, no decision, the text once',
    async (event) => {
      const late: LateHookResult[] = []
      const line = `sleep 0.1; echo '{"decision":"block","reason":"r","additionalContext":"c"}'; echo bad >&2; exit 2`
      const waking = { asyncRewake: true, rewakeMessage: 'm', rewakeSummary: 's', timeout: 9 }
      const handlers = [command(line, { async: true }), command(`${line} `, waking)]
      await using hooks = createHooks([{ hooks: { [event]: [{ hooks: handlers }] } }], {
        onLate: (result) => late.push(result),
      })
      const inputs = {
        PreToolUse: bash('ls'),
        SessionStart: { source: 'startup' },
        Stop: { stop_hook_active: false },
      }
      expect(await hooks.run(event, inputs[event])).toMatchObject({
        outcome: 'none',
        context: [],
        handlers: [{ outcome: 'background' }, { outcome: 'background' }],
      })
      await expect.poll(() => late).toHaveLength(2)
      expect(late.map(({ context }) => context)).toEqual([['c'], ['c']])
      expect(late.map(({ wake }) => wake).filter((wake) => wake !== undefined)).toEqual([
        { text: 'm\nbad', summary: 's' },
      ])
    },
  )

  test('disposing ends what runs in the background and says so', async () => {
    const late: LateHookResult[] = []
    const hooks = createHooks(
      [{ hooks: { Stop: [{ hooks: [command(`sleep ${forever}6`, { async: true })] }] } }],
      { onLate: (result) => late.push(result) },
    )
    await hooks.run('Stop', { stop_hook_active: false })
    await expect.poll(() => processesWith(`${forever}6`).length).toBeGreaterThan(0)
    await hooks[Symbol.asyncDispose]()
    expect(late.map(({ report }) => report.outcome)).toEqual(['cancelled'])
    expect(processesWith(`${forever}6`)).toEqual([])
  })

  test('a late one that names no time goes on when the call is aborted', async () => {
    const controller = new AbortController()
    const late = Promise.withResolvers<LateHookResult>()
    const line = `echo '{"async":true}'; sleep 0.3; echo '{"systemMessage":"done"}'`
    const hooks = createHooks([{ hooks: { PreToolUse: [{ hooks: [command(line)] }] } }], {
      onLate: late.resolve,
    })
    await hooks.run('PreToolUse', bash('ls'), { signal: controller.signal })
    controller.abort()
    expect(await late.promise).toMatchObject({ systemMessages: ['done'] })
  })

  test('4.2. a text of the wrong kind costs itself alone', async () => {
    const out = { systemMessage: 1, reason: 2, hookSpecificOutput: { additionalContext: 'c' } }
    const late = await lateOf(command({ out }, { async: true }))
    expect(late).toMatchObject({ context: ['c'], systemMessages: [], report: { outcome: 'success' } })
  })

  test('4.2. the late answer of one that printed the mark is its first line that is an object', async () => {
    const lines = ['{"async":true}', 'working', '{"systemMessage":"done"}', 'bye', '{"systemMessage":"x"}']
    const late = await lateOf(command(lines.map((line) => `echo ${quote(line)}`).join('; ')))
    expect(late.systemMessages).toEqual(['done'])
  })

  test('what wakes the model is bounded, and has no control characters', async () => {
    const line = `printf '\\033[1mbad'; head -c 3000000 /dev/zero | tr '\\0' x; exit 2`
    const { wake } = await lateOf(command(`{ ${line}; } >&2`, { asyncRewake: true }))
    expect(wake?.text.length).toBeLessThan(11_000)
    expect(wake?.text).toContain('\ufffd[1mbad')
  })

  test('once: gone after its first success, not after a failure', async () => {
    using folder = temporaryFolder()
    const line = `test -e ${folder.file('ready')}`
    await using hooks = createHooks([{ hooks: { Stop: [{ hooks: [command(line, { once: true })] }] } }])
    const run = async (): Promise<number> =>
      (await hooks.run('Stop', { stop_hook_active: false })).handlers.length
    expect(await run()).toBe(1)
    writeFileSync(folder.file('ready'), '')
    expect([await run(), await run()]).toEqual([1, 0])
    hooks.configure([{ hooks: { Stop: [{ hooks: [command(line, { once: true })] }] } }])
    expect(await run()).toBe(0)
  })
})

/** What a handler of Stop says that nobody waits for. */
async function lateOf(handler: object): Promise<LateHookResult> {
  const late = Promise.withResolvers<LateHookResult>()
  await using hooks = createHooks([{ hooks: { Stop: [{ hooks: [handler] }] } }], { onLate: late.resolve })
  await hooks.run('Stop', { stop_hook_active: false })
  return await late.promise
}
