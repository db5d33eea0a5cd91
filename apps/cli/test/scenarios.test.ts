import type { SessionEvent } from '@x/contract'
import { delay, message, status, text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { Cli, isRunning } from './cli.ts'

const all = ['--permission-mode', 'bypassPermissions']
const bash = (command: string) => toolUse('Bash', { command })

/** `Read start`, `Read end`, `message end` ... in order; calls of one name are numbered. */
function orderOf(events: readonly SessionEvent[]): readonly string[] {
  const names = new Map<string, string>()
  return events.flatMap((event) => {
    if (event.type === 'tool_progress' && event.phase !== undefined) {
      const name = names.get(event.tool_use_id) ?? `${event.tool_name}${names.size + 1}`
      names.set(event.tool_use_id, name)
      return event.phase === 'progress' ? [] : [`${name} ${event.phase}`]
    }
    if (event.type !== 'stream_event' || !JSON.stringify(event.event).includes('"message_stop"')) return []
    return ['message end']
  })
}

function resultsIn(
  body: { readonly messages: readonly unknown[] } | undefined,
): readonly Record<string, unknown>[] {
  const last = body?.messages.at(-1)
  const content = typeof last === 'object' && last !== null && 'content' in last ? last.content : []
  return Array.isArray(content) ? content.filter((block) => block.type === 'tool_result') : []
}

describe('calls of one message', () => {
  it('overlap the stream, and an unsafe one waits for the safe ones before it', async () => {
    const steps = [
      toolUse('Read', { file_path: 'a' }),
      toolUse('Read', { file_path: 'b' }),
      bash('touch c'),
      delay(1_500),
    ]
    await using cli = await Cli.start([message(steps), [text('ok')]], { a: 'a\n', b: 'b\n' })
    const { events } = await cli.stream('go', '--include-partial-messages', ...all)
    const order = orderOf(events)
    expect(order.indexOf('Bash3 start')).toBeLessThan(order.indexOf('message end'))
    expect(order.indexOf('Bash3 start')).toBeGreaterThan(order.indexOf('Read1 end'))
    expect(order.indexOf('Bash3 start')).toBeGreaterThan(order.indexOf('Read2 end'))
  })

  it('a failing mkdir cancels the queued cp, but not the Read', async () => {
    await using cli = await Cli.start(
      [[bash('mkdir a'), bash('cp a copied'), toolUse('Read', { file_path: 'a' })], [text('ok')]],
      { a: 'a\n' },
    )
    await cli.stream('go', ...all)
    const [mkdir, cp, read] = resultsIn(cli.server.requests[1]?.body)
    expect(JSON.stringify(mkdir)).toMatch(/Exit code 1/)
    expect(JSON.stringify(cp)).toMatch(/Cancelled: parallel tool call Bash\(.*mkdir a.*\) errored/)
    expect(read).not.toHaveProperty('is_error', true)
    expect(cli.read('copied')).toBeUndefined()
  })

  it('grep without a match cancels nobody', async () => {
    await using cli = await Cli.start([[bash('grep zzz a'), bash('cp a copied')], [text('ok')]], { a: 'a\n' })
    await cli.stream('go', ...all)
    expect(resultsIn(cli.server.requests[1]?.body).map((block) => block['is_error'] === true)).toEqual([
      false,
      false,
    ])
    expect(cli.read('copied')).toBe('a\n')
  })

  it('two edits of one file are both made (FI-14)', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `${index + 1}\n`).join('')
    const edit = (from: string, to: string) =>
      toolUse('Edit', { file_path: 'n', old_string: from, new_string: to })
    await using cli = await Cli.start(
      [
        [
          toolUse('Read', { file_path: 'n' }),
          edit('\n50\n', '\nFIFTY\n'),
          edit('\n75\n', '\nSEVENTY-FIVE\n'),
        ],
        [text('ok')],
      ],
      { n: lines },
    )
    await cli.stream('go', '--permission-mode', 'acceptEdits')
    expect(cli.read('n')).toBe(lines.replace('\n50\n', '\nFIFTY\n').replace('\n75\n', '\nSEVENTY-FIVE\n'))
  })
})

describe('signals (HE-05)', () => {
  it.each([
    ['SIGINT', 130, true],
    ['SIGTERM', 143, false],
    ['SIGHUP', 129, false],
  ] as const)(
    '%s during a command ends it and the run with %i; a result record: %s',
    async (signal, code, hasResult) => {
      await using cli = await Cli.start([[bash('echo $$ > pid; sleep 300 & echo $! > child; wait')]])
      const running = cli.start(['-p', 'go', '--output-format', 'stream-json', '--verbose', ...all])
      await running.sees('"phase":"start"')
      await expect.poll(() => cli.read('child')).toMatch(/\n$/)
      running.child.kill(signal)
      const { code: exitCode, stdout, stderr } = await running.ended
      expect(exitCode).toBe(code)
      expect(stdout.includes('"type":"result"')).toBe(hasResult)
      expect(stderr).toBe('')
      for (const name of ['pid', 'child']) expect(isRunning(Number(cli.read(name)))).toBe(false)
    },
  )

  it('a second INT exits at once', async () => {
    await using cli = await Cli.start([[bash('trap "" INT TERM; echo $$ > pid; sleep 300; sleep 300')]])
    const running = cli.start(['-p', 'go', '--output-format', 'stream-json', '--verbose', ...all])
    await expect.poll(() => cli.read('pid')).toMatch(/\n$/)
    running.child.kill('SIGINT')
    running.child.kill('SIGINT')
    expect((await running.ended).code).toBe(130)
    expect(isRunning(Number(cli.read('pid')))).toBe(false)
  })
})

describe('the end of a run', () => {
  it('ends background commands about five seconds after the result (SH-23, cli.md 52)', async () => {
    await using cli = await Cli.start([
      [
        toolUse('Bash', {
          command: 'echo $$ > pid; while :; do date >> beat; sleep 0.2; done',
          run_in_background: true,
        }),
      ],
      [text('Started.')],
    ])
    const { code } = await cli.run(['-p', 'go', ...all])
    expect(code).toBe(0)
    expect(isRunning(Number(cli.read('pid')))).toBe(false)
    const beat = cli.read('beat')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(cli.read('beat')).toBe(beat)
  })
})

describe('fallback models (cli.md 50, 51)', () => {
  it('finish the turn when the first is overloaded to the end', async () => {
    const overloaded = Array.from({ length: 2 }, () => status(529))
    await using cli = await Cli.start([...overloaded, [text('From the other.')]])
    const { stdout } = await cli.run(['-p', 'hi', '--model', 'a-1', '--fallback-model', 'b-1'], {
      env: { CLAUDE_CODE_MAX_RETRIES: '1' },
    })
    expect(stdout).toBe('From the other.\n')
    expect(cli.server.requests.map(({ body }) => body.model)).toEqual(['a-1', 'a-1', 'b-1'])
  })

  it('are not asked after a 401', async () => {
    await using cli = await Cli.start([status(401)])
    expect((await cli.run(['-p', 'hi', '--fallback-model', 'b-1'])).code).toBe(1)
    expect(cli.server.requests).toHaveLength(1)
  })
})
