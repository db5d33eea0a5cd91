import { mkdirSync, readdirSync } from 'node:fs'
import { status, text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { Cli, isRunning, parseLines } from './cli.ts'

describe('output formats (cli.md 1-5, 7)', () => {
  it('text prints the final text and a newline, nothing else', async () => {
    await using cli = await Cli.start([[text('Hello.')]])
    expect(await cli.run(['-p', 'hi'])).toEqual({ code: 0, stdout: 'Hello.\n', stderr: '' })
  })

  it('json prints one result record', async () => {
    await using cli = await Cli.start([[text('Hello.')]])
    const { stdout, code } = await cli.run(['-p', 'hi', '--output-format', 'json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'result',
      result: 'Hello.',
      total_cost_usd: expect.any(Number),
    })
  })

  it('an answer is as long as CLAUDE_CODE_MAX_OUTPUT_TOKENS allows, and the result says so', async () => {
    await using cli = await Cli.start([[text('Hello.')]])
    const env = { CLAUDE_CODE_MAX_OUTPUT_TOKENS: '1234', ANTHROPIC_MODEL: 'local' }
    const { stdout } = await cli.run(['-p', 'hi', '--output-format', 'json'], { env })
    expect(cli.server.requests[0]?.body).toMatchObject({ max_tokens: 1234 })
    expect(JSON.parse(stdout)).toMatchObject({ modelUsage: { local: { maxOutputTokens: 1234 } } })
  })

  it('json with --verbose prints one array, the result last', async () => {
    await using cli = await Cli.start([[text('Hello.')]])
    const { stdout } = await cli.run(['-p', 'hi', '--output-format=json', '--verbose'])
    const records: readonly { type: string }[] = JSON.parse(stdout)
    expect(records[0]).toMatchObject({ type: 'system', subtype: 'init' })
    expect(records.at(-1)).toMatchObject({ type: 'result' })
  })

  it('stream-json needs --verbose', async () => {
    await using cli = await Cli.start()
    expect(await cli.run(['-p', 'hi', '--output-format', 'stream-json'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error: When using --print, --output-format=stream-json requires --verbose\n',
    })
  })

  it('stream-json prints init first and the result last, with raw events on request', async () => {
    await using cli = await Cli.start([[text('Hello.')]])
    const { events } = await cli.stream('hi', '--include-partial-messages')
    const kinds = events.map((event) => event.type)
    expect(events[0]).toMatchObject({ subtype: 'init' })
    expect(kinds.at(-1)).toBe('result')
    expect(kinds.lastIndexOf('stream_event')).toBeLessThan(kinds.indexOf('assistant'))
  })

  it('3 MB reach a reader that begins late (HE-01)', async () => {
    const long = '0123456789'.repeat(300_000)
    for (const [format, code] of [
      ['text', 0],
      ['json', 0],
      ['stream-json', 0],
    ] as const) {
      await using cli = await Cli.start([[text(long)]], {}, 100_000)
      const running = cli.start(['-p', 'hi', '--verbose', '--output-format', format])
      running.child.stdout?.pause()
      setTimeout(() => running.child.stdout?.resume(), 500)
      const result = await running.ended
      expect(result.code).toBe(code)
      expect(result.stdout).toContain(long)
      if (format !== 'text')
        expect(() =>
          JSON.parse(
            result.stdout
              .trim()
              .split('\n')
              .at(-1)
              ?.replace(/^,|\]$/g, '') ?? '',
          ),
        ).not.toThrow()
    }
  })

  it('a reader that goes away during a silent command ends the run, and the command (HE-02)', async () => {
    await using cli = await Cli.start([
      [toolUse('Bash', { command: 'echo $$ > pid; exec sleep 300' })],
      [text('x')],
    ])
    const args = [
      '-p',
      'go',
      '--output-format',
      'stream-json',
      '--verbose',
      '--permission-mode',
      'bypassPermissions',
    ]
    const running = cli.start(args)
    await running.sees('"phase":"start"')
    running.child.stdout?.destroy()
    const { stderr } = await running.ended
    expect(stderr).toBe('')
    expect(isRunning(Number(cli.read('pid')))).toBe(false)
  })
})

describe('a broken outside', () => {
  const busy = [[toolUse('Bash', { command: 'sleep 300' })], [text('x')]]
  const all = ['--permission-mode', 'bypassPermissions']

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'a reader that reads nothing does not keep the run from ending by %s',
    async (signal) => {
      await using cli = await Cli.start([[text('0123456789'.repeat(300_000))]], {}, 100_000)
      const running = cli.start(['-p', 'hi', '--output-format', 'stream-json', '--verbose'])
      await running.sees('"init"')
      running.child.stdout?.pause()
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      running.child.kill(signal)
      const exited = new Promise((resolve) => running.child.once('exit', resolve))
      expect(await exited).toBe(signal === 'SIGTERM' ? 143 : 129)
      running.child.stdout?.destroy()
    },
  )

  it('a closed standard error does not end the work', async () => {
    await using cli = await Cli.start([[text('Hello.')]])
    const running = cli.start(['-p', 'hi', '--debug'])
    running.child.stderr?.destroy()
    expect(await running.ended).toMatchObject({ code: 0, stdout: 'Hello.\n' })
  })

  it('an output that cannot be written is a failure that says so', async () => {
    await using cli = await Cli.start([[text('Hello.')]])
    const result = await cli.run(['-p', 'hi'], { stdoutFile: '/dev/full' })
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('the output could not be written')
  })

  it('json with --verbose ends with the result, whatever comes behind it', async () => {
    await using cli = await Cli.start([
      [toolUse('Bash', { command: 'sleep 1', run_in_background: true })],
      [text('Started.')],
    ])
    const { stdout } = await cli.run(['-p', 'hi', '--output-format', 'json', '--verbose', ...all])
    const records: readonly { type: string; subtype?: string }[] = JSON.parse(stdout)
    expect(records.at(-1)).toMatchObject({ type: 'result' })
    expect(records.some(({ subtype }) => subtype === 'task_notification')).toBe(true)
  })

  it('an interruption belongs to its turn: a later turn that ends well ends the run well', async () => {
    await using cli = await Cli.start([...busy.slice(0, 1), [text('Two.')]])
    const args = [
      '-p',
      '--input-format',
      'stream-json',
      '--output-format',
      'stream-json',
      '--verbose',
      ...all,
    ]
    const running = cli.start(args, { stdin: null })
    const say = (content: string) =>
      running.child.stdin?.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`)
    say('one')
    await running.sees('"phase":"start"')
    running.child.kill('SIGINT')
    await running.sees('"type":"result"')
    say('two')
    await running.sees('Two.')
    running.child.stdin?.end()
    expect((await running.ended).code).toBe(0)
  })

  it('nothing is left in the folder for temporary files', async () => {
    await using cli = await Cli.start([[toolUse('Bash', { command: 'echo hi' })], [text('Done.')]])
    mkdirSync(cli.path('tmp'))
    await cli.run(['-p', 'hi', ...all], { env: { TMPDIR: cli.path('tmp'), NODE_DISABLE_COMPILE_CACHE: '1' } })
    expect(readdirSync(cli.path('tmp'))).toEqual([])
  })
})

describe('failures', () => {
  it.each([
    [status(401), 401],
    [status(400), 400],
  ])('of the service are a result with is_error and exit code 1 (cli.md 15)', async (reply, code) => {
    await using cli = await Cli.start([reply])
    const { events, code: exitCode } = await cli.stream('hi')
    expect(events.at(-1)).toMatchObject({
      type: 'result',
      subtype: 'success',
      is_error: true,
      api_error_status: code,
    })
    expect(exitCode).toBe(1)
  })

  it('of the service print their message in text mode', async () => {
    await using cli = await Cli.start([status(401)])
    const { stdout, code } = await cli.run(['-p', 'hi'])
    expect(stdout).toMatch(/API Error/)
    expect(stdout).not.toContain('sk-test-123')
    expect(code).toBe(1)
  })

  it('529 twice is announced twice and then answered (cli.md 16)', async () => {
    await using cli = await Cli.start([status(529), status(529), [text('At last.')]])
    const { events, code } = await cli.stream('hi')
    const retries = events.flatMap((event) =>
      event.type === 'system' && event.subtype === 'api_retry' ? [event['attempt']] : [],
    )
    expect(retries).toEqual([1, 2])
    expect(code).toBe(0)
  })

  it('a turn limit ends with error_max_turns and exit code 1 (cli.md 14)', async () => {
    await using cli = await Cli.start([
      [toolUse('Glob', { pattern: 'a' })],
      [toolUse('Glob', { pattern: 'b' })],
    ])
    const { events, code } = await cli.stream('hi', '--max-turns', '1')
    expect(events.at(-1)).toMatchObject({ subtype: 'error_max_turns', errors: [expect.any(String)] })
    expect(code).toBe(1)
  })

  it('an unpriced model with a money budget is an error before the first request', async () => {
    await using cli = await Cli.start([[text('x')]])
    const { stderr, stdout, code } = await cli.run([
      '-p',
      'hi',
      '--model',
      'nobody-knows-1',
      '--max-budget-usd',
      '1',
    ])
    expect(`${stderr}${stdout}`).toMatch(/nobody-knows-1/)
    expect(code).toBe(1)
    expect(cli.server.requests).toEqual([])
  })

  it('no endpoint is one clear error', async () => {
    await using cli = await Cli.start()
    const env = {
      ANTHROPIC_BASE_URL: undefined,
      ANTHROPIC_API_KEY: undefined,
      ANTHROPIC_AUTH_TOKEN: undefined,
    }
    const { stderr, code } = await cli.run(['-p', 'hi'], { env })
    expect(stderr).toBe(
      'Error: No model endpoint is configured. Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for an endpoint of your own that speaks the Messages API.\n',
    )
    expect(code).toBe(1)
  })
})

describe('stream-json input', () => {
  const user = (content: string) =>
    `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`
  const args = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']

  it('answers each message, and control requests beside them', async () => {
    await using cli = await Cli.start([[text('One.')], [text('Two.')]])
    const stdin = `${user('a')}{"type":"control_request","request_id":"r1","request":{"subtype":"nope"}}\n${user('b')}`
    const { stdout, code } = await cli.run(args, { stdin })
    const records: readonly Record<string, unknown>[] = parseLines(stdout) as never
    expect(records.filter(({ type }) => type === 'result').map(({ result }) => result)).toEqual([
      'One.',
      'Two.',
    ])
    expect(records.find(({ type }) => type === 'control_response')).toMatchObject({
      response: { subtype: 'error', request_id: 'r1' },
    })
    expect(code).toBe(0)
  })

  it('takes characters and lines that were cut anywhere (HE-04)', async () => {
    await using cli = await Cli.start([[text('Got it.')]])
    const running = cli.start(args, { stdin: null })
    for (const byte of Buffer.from(user('你😀é'))) {
      await new Promise((resolve) => running.child.stdin?.write(Buffer.of(byte), resolve))
    }
    running.child.stdin?.end()
    expect((await running.ended).code).toBe(0)
    expect(JSON.stringify(cli.server.requests[0]?.body.messages)).toContain('你😀é')
  })

  it.each([
    '{broken\n',
    '[]\n',
    '{"type":"user"}\n',
    '{"type":"user","message":{"role":"user","content":[7]}}\n',
  ])('refuses %j with an error and exit code 1', async (stdin) => {
    await using cli = await Cli.start()
    const { stderr, code } = await cli.run(args, { stdin })
    expect(stderr).toMatch(/^Error: .*stdin/)
    expect(code).toBe(1)
  })
})
