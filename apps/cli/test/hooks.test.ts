import { text, toolUse } from '@x/model-anthropic/testing'
import { trustFolder } from '@x/session'
import { describe, expect, it } from 'vitest'
import { Cli, hasTerminal, isRunning, parseLines, type Running } from './cli.ts'

const bash = (command: string) => toolUse('Bash', { command })
const all = ['--permission-mode', 'bypassPermissions']
const stream = ['--output-format', 'stream-json', '--verbose']
const noEndpoint = { ANTHROPIC_BASE_URL: undefined, ANTHROPIC_API_KEY: undefined }

/** Puts hooks into the project's settings; each event has one command line, or several. */
function configure(
  cli: Cli,
  hooks: Readonly<Record<string, string | readonly string[]>>,
  more: object = {},
): void {
  const groups = Object.entries(hooks).map(([event, lines]) => [
    event,
    [{ hooks: [lines].flat().map((command) => ({ type: 'command', command })) }],
  ])
  cli.write('.claude/settings.json', { hooks: Object.fromEntries(groups), ...more })
}

describe('the flags of Setup', () => {
  const log = {
    Setup: 'grep -o "trigger[^,}]*" >> log',
    SessionStart: 'grep -o "source[^,}]*" >> log; echo context',
  }

  it('--init-only runs the hooks of Setup and of the start, silently, without endpoint and prompt', async () => {
    await using cli = await Cli.start()
    configure(cli, { ...log, Setup: [log.Setup, 'echo broken >&2; exit 2'] })
    expect(await cli.run(['--init-only'], { env: noEndpoint })).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(cli.read('log')).toBe('trigger":"init"\nsource":"startup"\n')
  })

  it.each([
    ['--init', 'init'],
    ['--maintenance', 'maintenance'],
  ])('%s runs them in front of the session; without it they do not run', async (flag, trigger) => {
    await using cli = await Cli.start([[text('One.')], [text('Two.')]])
    configure(cli, log)
    expect(await cli.run(['-p', 'hi', flag])).toEqual({ code: 0, stdout: 'One.\n', stderr: '' })
    expect(cli.read('log')).toBe(`trigger":"${trigger}"\nsource":"startup"\n`)
    await cli.run(['-p', 'hi'])
    expect(cli.read('log')?.match(/trigger/g)).toHaveLength(1)
  })

  it('contradict each other', async () => {
    await using cli = await Cli.start()
    const { code, stderr } = await cli.run(['-p', 'hi', '--init', '--maintenance'])
    expect([code, stderr]).toEqual([
      1,
      'Error: of --init, --init-only and --maintenance only one can be given\n',
    ])
  })

  it('--init-only is ended by a signal, with what its hooks started', async () => {
    await using cli = await Cli.start()
    configure(cli, { Setup: 'sleep 300 & echo $! > child; echo $$ > pid; wait' })
    const running = cli.start(['--init-only'])
    await appears(cli, 'pid')
    running.child.kill('SIGTERM')
    expect(await running.ended).toEqual({ code: 143, stdout: '', stderr: '' })
    for (const name of ['pid', 'child']) expect(isRunning(Number(cli.read(name)))).toBe(false)
  })
})

describe('hooks under -p', () => {
  it('run in a folder that nobody trusts, while its allow rules do not count (hooks.md 99)', async () => {
    await using cli = await Cli.start([[bash('touch made')], [text('Well.')]])
    configure(cli, { PreToolUse: 'touch hooked' }, { permissions: { allow: ['Bash(touch *)'] } })
    expect((await cli.run(['-p', 'go'])).code).toBe(0)
    expect([cli.read('hooked'), cli.read('made')]).toEqual(['', undefined])
  })

  it('that fail are told beside the answer, each kind of failure', async () => {
    await using cli = await Cli.start([[bash('echo hi')], [text('Well.')]])
    configure(cli, {
      PreToolUse: ['./gone.sh', 'echo "Shell ready {}"; exit 3', 'if then', 'echo "{bad}"', 'echo fine'],
      Stop: 'echo "not today" >&2; exit 1',
    })
    const { code, stdout, stderr } = await cli.run(['-p', 'go', ...all])
    expect([code, stdout]).toEqual([0, 'Well.\n'])
    for (const part of ['gone.sh', 'status code 3', 'syntax error', '{bad}', 'not today'])
      expect(stderr).toContain(part)
    expect(stderr).not.toContain('echo fine')
  })

  it('are told of once if they cannot be read', async () => {
    await using cli = await Cli.start([[text('Well.')]])
    cli.write('.claude/settings.json', { hooks: { Stop: [{ hooks: [{ type: 'commando' }] }], Nope: [] } })
    const { stdout, stderr } = await cli.run(['-p', 'go'])
    expect(stdout).toBe('Well.\n')
    expect(stderr.match(/hooks\.Stop\[0\]\.hooks\[0\]/g)).toHaveLength(1)
    expect(stderr.match(/hooks\.Nope/g)).toHaveLength(1)
  })

  it('that make a turn of their own leave JSON output one record: the last', async () => {
    await using cli = await Cli.start([[text('First.')], [text('Second.')]])
    configure(cli, { SessionStart: `echo '{"initialUserMessage":"look around"}'` })
    const { stdout } = await cli.run(['-p', 'go', '--output-format', 'json'])
    expect(JSON.parse(stdout)).toMatchObject({ type: 'result', result: 'Second.' })
  })

  it('--include-hook-events tells of each; without it only of those at the start', async () => {
    const tell = async (...flags: readonly string[]): Promise<readonly unknown[]> => {
      await using cli = await Cli.start([[text('Well.')]])
      configure(cli, { SessionStart: 'echo hi', Stop: 'echo bye; exit 1' })
      const { events } = await cli.stream('go', ...flags)
      return events.flatMap((event) =>
        event.type === 'system' && event.subtype.startsWith('hook_')
          ? [[event.subtype, event['hook_name'], event['outcome'], event['exit_code'], event['stdout']]]
          : [],
      )
    }
    const start = [
      ['hook_started', 'SessionStart:startup', undefined, undefined, undefined],
      ['hook_response', 'SessionStart:startup', 'success', 0, 'hi'],
    ]
    expect(await tell()).toEqual(start)
    expect(await tell('--include-hook-events')).toEqual([
      ...start,
      ['hook_started', 'Stop', undefined, undefined, undefined],
      ['hook_response', 'Stop', 'error', 1, 'bye'],
    ])
  })

  it('that put a call off end the run; --resume runs it once a hook allows it, and once only (cli.md 24)', async () => {
    await using cli = await Cli.start([
      [bash('echo ran >> log')],
      [text('It ran.')],
      [text('Welcome.')],
      [text('Well.')],
    ])
    const decide = (wish: string) => `echo '{"permissionDecision":"${wish}"}'`
    configure(cli, { PreToolUse: decide('defer') })
    const parked = await cli.stream('go')
    const last = parked.events.at(-1)
    expect([parked.code, parked.stderr]).toEqual([0, ''])
    expect(last).toMatchObject({
      type: 'result',
      is_error: false,
      stop_reason: 'tool_deferred',
      terminal_reason: 'tool_deferred',
      deferred_tool_use: { name: 'Bash', input: { command: 'echo ran >> log' } },
    })
    const resume = ['--resume', last?.session_id ?? '']
    expect((await cli.stream('go on', ...resume)).events.at(-1)).toMatchObject({
      stop_reason: 'tool_deferred',
    })
    expect(cli.read('log')).toBeUndefined()
    configure(cli, { PreToolUse: decide('allow') })
    const after = await cli.run(['-p', 'thanks', ...resume])
    expect(after).toEqual({ code: 0, stdout: 'It ran.\nWelcome.\n', stderr: '' })
    await cli.run(['-p', 'and?', ...resume])
    expect(cli.read('log')).toBe('ran\n')
    expect(cli.server.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  it.each([
    ['-p, by its id', ['-p', '--resume'], {}],
    ['-p, with nothing on standard input', ['-p', '--resume'], { stdin: '' }],
    ['-p, as the last one', ['-p', '--continue'], {}],
    ['without -p', ['--resume'], {}],
  ])('that put a call off need no prompt to go on with it: %s', async (_, flags, options) => {
    await using cli = await Cli.start([[bash('echo ran >> log')], [text('It ran.')]])
    configure(cli, { PreToolUse: `echo '{"permissionDecision":"defer"}'` })
    const parked = await cli.stream('go')
    configure(cli, { PreToolUse: `echo '{"permissionDecision":"allow"}'` })
    const id = parked.events[0]?.session_id ?? ''
    const args = flags.includes('--resume') ? [...flags, id] : flags
    expect(await cli.run(args, options)).toEqual({ code: 0, stdout: 'It ran.\n', stderr: '' })
    expect(cli.read('log')).toBe('ran\n')
    // Now there is no such call any more.
    const again = await cli.run(args, options)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('Input must be provided')])
    expect(cli.server.requests).toHaveLength(2)
  })

  it('a call that was put off is no reason to go on where a prompt is blank, or in a copy', async () => {
    await using cli = await Cli.start([[bash('echo ran >> log')]])
    configure(cli, { PreToolUse: `echo '{"permissionDecision":"defer"}'` })
    const id = (await cli.stream('go')).events[0]?.session_id ?? ''
    const blank = await cli.run(['-p', '--resume', id], { stdin: ' \n' })
    expect([blank.code, blank.stderr]).toEqual([1, expect.stringContaining('only whitespace')])
    const copy = await cli.run(['-p', '--resume', id, '--fork-session'])
    expect([copy.code, copy.stderr]).toEqual([1, expect.stringContaining('Input must be provided')])
    expect(cli.server.requests).toHaveLength(1)
  })

  it('--include-hook-events needs stream-json', async () => {
    await using cli = await Cli.start()
    const { code, stderr } = await cli.run(['-p', 'hi', '--include-hook-events'])
    expect([code, stderr]).toEqual([1, 'Error: --include-hook-events requires --output-format=stream-json\n'])
  })
})

describe('signals', () => {
  it('TERM runs the hooks of the end, and no others', async () => {
    await using cli = await Cli.start([[bash('echo $$ > pid; sleep 300')]])
    configure(cli, {
      SessionEnd: 'cat > end.json',
      Stop: 'touch stopped',
      PostToolUse: 'touch after',
      PostToolUseFailure: 'touch after',
    })
    const running = cli.start(['-p', 'go', ...stream, ...all])
    await appears(cli, 'pid')
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(143)
    expect(JSON.parse(cli.read('end.json') ?? '')).toMatchObject({
      hook_event_name: 'SessionEnd',
      reason: 'other',
    })
    expect([cli.read('stopped'), cli.read('after')]).toEqual([undefined, undefined])
    expect(isRunning(Number(cli.read('pid')))).toBe(false)
  })

  it('INT while a hook judges a call ends the hook with all it started; the call does not run (hooks.md 107, F9)', async () => {
    await using cli = await Cli.start([[bash('touch ran')]])
    configure(cli, { PreToolUse: '(trap "" TERM; sleep 300) & echo $! > child; echo $$ > pid; wait' })
    const running = cli.start(['-p', 'go', ...stream, ...all])
    await appears(cli, 'pid')
    running.child.kill('SIGINT')
    const { code, stdout } = await running.ended
    expect(code).toBe(130)
    expect(cli.read('ran')).toBeUndefined()
    expect(JSON.stringify(parseLines(stdout))).toContain('PreToolUse:Bash hook cancelled')
    for (const name of ['pid', 'child']) expect(isRunning(Number(cli.read(name)))).toBe(false)
  })

  it('INT while the hooks at the start run ends them, and the prompt with a result', async () => {
    await using cli = await Cli.start()
    configure(cli, { SessionStart: 'echo $$ > pid; exec sleep 300' })
    const running = cli.start(['-p', 'go', '--output-format', 'json'])
    await appears(cli, 'pid')
    running.child.kill('SIGINT')
    const { code, stdout } = await running.ended
    expect([code, JSON.parse(stdout)]).toMatchObject([130, { subtype: 'error_during_execution' }])
    expect([isRunning(Number(cli.read('pid'))), cli.server.requests.length]).toEqual([false, 0])
  })

  it('the end of the run ends what runs in the background, but not what took leave of it', async () => {
    await using cli = await Cli.start([[text('Well.')]])
    const daemon = `env -i "$(command -v setsid)" bash -c 'echo $$ > daemon; exec sleep 600' >/dev/null 2>&1 &`
    cli.write('.claude/settings.json', {
      hooks: {
        SessionStart: [{ hooks: [{ type: 'command', async: true, command: 'echo $$ > pid; sleep 300' }] }],
        UserPromptSubmit: [{ hooks: [{ type: 'command', command: daemon }] }],
        Stop: [
          { hooks: [{ type: 'command', command: 'until [ -s pid ] && [ -s daemon ]; do sleep 0.02; done' }] },
        ],
      },
    })
    expect((await cli.run(['-p', 'go'])).code).toBe(0)
    const daemonId = Number(cli.read('daemon'))
    try {
      expect([isRunning(Number(cli.read('pid'))), isRunning(daemonId)]).toEqual([false, true])
    } finally {
      process.kill(daemonId)
    }
  })
})

describe('hooks of the host, over the control channel', () => {
  const args = ['-p', '--input-format', 'stream-json', ...stream, ...all]
  const user = { type: 'user', message: { role: 'user', content: 'go' } }

  /** Starts with these hooks, and sends the prompt when they are in place. */
  async function open(cli: Cli, hooks: object): Promise<Running> {
    const running = cli.start(args, { stdin: null })
    send(running, { type: 'control_request', request_id: 'r1', request: { subtype: 'initialize', hooks } })
    await running.sees('"control_response"')
    send(running, user)
    return running
  }

  it('are asked with the input, and what they say counts', async () => {
    await using cli = await Cli.start([[bash('touch ran')], [text('Well.')]])
    const running = await open(cli, { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['guard'] }] })
    const { request_id: id, request } = await question(running)
    expect(request).toMatchObject({
      subtype: 'hook_callback',
      callback_id: 'guard',
      tool_use_id: expect.any(String),
      input: { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'touch ran' } },
    })
    const output = { permissionDecision: 'deny', permissionDecisionReason: 'the host says no' }
    respond(running, {
      subtype: 'success',
      request_id: id,
      response: { hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } },
    })
    await running.sees('"type":"result"')
    running.child.stdin?.end()
    const { code, stdout } = await running.ended
    expect([code, cli.read('ran')]).toEqual([0, undefined])
    expect(stdout).toContain('the host says no')
  })

  it('that answer with an error are told, and stop nothing', async () => {
    await using cli = await Cli.start([[bash('touch ran')], [text('Well.')]])
    const running = await open(cli, { PreToolUse: [{ hookCallbackIds: ['guard'] }] })
    const { request_id: id } = await question(running)
    respond(running, { subtype: 'error', request_id: id, error: 'guard is out' })
    await running.sees('"type":"result"')
    running.child.stdin?.end()
    expect((await running.ended).stdout).toContain('guard is out')
    expect(cli.read('ran')).toBe('')
  })

  it('that cannot be read are refused', async () => {
    await using cli = await Cli.start()
    for (const [hooks, message] of [
      [{ PreToolUze: [{ hookCallbackIds: ['a'] }] }, 'PreToolUze is no event'],
      [{ PreToolUse: [{ callbacks: ['a'] }] }, 'hooks.PreToolUse must be a list'],
    ] as const) {
      const running = cli.start(args, { stdin: null })
      send(running, { type: 'control_request', request_id: 'r1', request: { subtype: 'initialize', hooks } })
      await running.sees('"control_response"')
      running.child.stdin?.end()
      expect((await running.ended).stdout).toMatch(new RegExp(`"subtype":"error".*${message}`))
    }
  })
})

/** Resolves when the file is written to the end of a line. */
async function appears(cli: Cli, name: string): Promise<void> {
  await expect.poll(() => cli.read(name)).toMatch(/\n$/)
}

function send(running: Running, record: object): void {
  running.child.stdin?.write(`${JSON.stringify(record)}\n`)
}

function respond(running: Running, response: object): void {
  send(running, { type: 'control_response', response })
}

/** What the host is asked. */
async function question(
  running: Running,
): Promise<{ readonly request_id: unknown; readonly request: unknown }> {
  await running.sees('"hook_callback"')
  for (;;) {
    const records: readonly object[] = parseLines(running.seen())
    const record = records.find((one) => Reflect.get(one, 'type') === 'control_request')
    if (record !== undefined)
      return { request_id: Reflect.get(record, 'request_id'), request: Reflect.get(record, 'request') }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('what hooks say beside their answer', () => {
  const title = String.raw`{"terminalSequence":"\u001b]0;hello\u0007"}`

  it('reaches a terminal, and nothing else', async () => {
    await using cli = await Cli.start([[text('One.')], [text('Two.')]])
    configure(cli, { UserPromptSubmit: `printf '%s' '${title}'` })
    await trustFolder({ cwd: cli.cwd, env: { X_HOME: cli.path('.x') }, home: cli.path('home') })
    const { stdout } = await cli.run(['-p', 'hi'])
    expect(stdout).toBe('One.\n')
    if (!hasTerminal) return
    const live = await cli.run(['hi'], { isTerminal: true })
    expect(live.stdout).toContain('\u001b]0;hello\u0007')
  })
})
