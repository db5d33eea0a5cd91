import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { SessionEvent } from '@x/contract'
import { silence, text, toolUse } from '@x/model-anthropic/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Query, QueryOptions } from '../src/index.ts'
import { canLook, findMarked } from './marked.ts'
import { Scripted } from './scripted.ts'
import { isPhase, refusals } from './wire.ts'

/** A session at work, and how to find what it started. */
class Running implements AsyncDisposable {
  readonly mark = randomUUID()
  readonly host = new AbortController()
  readonly scripted: Scripted
  readonly query: Query

  static async start(
    steps: Parameters<typeof Scripted.start>[0],
    options: QueryOptions = {},
  ): Promise<Running> {
    return new Running(await Scripted.start(steps, { 'a.txt': 'one\n' }), options)
  }

  constructor(scripted: Scripted, options: QueryOptions) {
    this.scripted = scripted
    this.query = scripted.ask('Go', {
      // A home without a start-up file: the shell that reads one is the tool's own, not a command's.
      env: { ...scripted.env, HOME: scripted.cwd, SHELL: '/bin/bash', X_TEST_MARK: this.mark },
      permissionMode: 'bypassPermissions',
      abortController: this.host,
      ...options,
    })
  }

  /** Reads on until an event is the wanted one. */
  async readUntil(isWanted: (event: SessionEvent) => boolean): Promise<void> {
    for (let next = await this.query.next(); next.done !== true; next = await this.query.next())
      if (isWanted(next.value)) return
  }

  async expectNothingLeft(): Promise<void> {
    expect(findMarked(this.mark)).toEqual([])
    expect(getEventListeners(this.host.signal, 'abort')).toEqual([])
    expect(await this.query.next()).toEqual({ done: true, value: undefined })
    // Hangs if a request were left open.
    for (const request of this.scripted.server.requests) await request.ended
    expect(refusals(this.scripted)).toEqual([])
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.scripted[Symbol.asyncDispose]()
  }
}

const stubborn = toolUse('Bash', { command: 'trap "" TERM; sleep 62 & sleep 63' })
const background = toolUse('Bash', { command: 'sleep 610', run_in_background: true })
const busy = [
  text('Let me look.'),
  toolUse('Grep', { pattern: 'one' }),
  toolUse('Glob', { pattern: '**' }),
  background,
  stubborn,
  toolUse('Write', { file_path: 'b.txt', content: 'never' }),
  silence(),
]

afterEach(() => void vi.useRealTimers())

describe.skipIf(!canLook)('closing a session', () => {
  it.each([0, 5, 10, 15, 20, 25])('%i to 4 more events in leaves nothing', async (from) => {
    const moments = [0, 1, 2, 3, 4].map((step) => from + step)
    await Promise.all(
      moments.map(async (moment) => {
        await using running = await Running.start([busy])
        let seen = 0
        // Behind the start of the stubborn command nothing comes; the later moments are times after it.
        if (moment > 0) {
          await running.readUntil((event) => {
            seen += 1
            return seen === moment || isStubborn(event)
          })
        }
        await sleep((moment - seen) * 20)
        await running.query.close()
        await running.expectNothingLeft()
        expect(running.scripted.read('b.txt')).toBeUndefined()
      }),
    )
  })

  it('that reads in another place is gone when close resolves, and the reader ends', async () => {
    await using running = await Running.start([[stubborn, silence()]])
    await running.readUntil((event) => isPhase(event, 'Bash', 'start'))
    const reading = running.readUntil(() => false)
    await sleep(300)
    await running.query.close()
    await reading
    await running.expectNothingLeft()
  })

  it('at the result of an interrupt waits for the command that was cancelled', async () => {
    await using running = await Running.start([[stubborn, silence()]])
    await running.readUntil((event) => isPhase(event, 'Bash', 'start'))
    await sleep(300)
    running.query.interrupt()
    await running.readUntil(({ type }) => type === 'result')
    await running.query.close()
    await running.expectNothingLeft()
  })

  it('by the abort of the host, and by leaving a loop, does the same', async () => {
    await using left = await Running.start([[stubborn, silence()]])
    for await (const event of left.query) if (isPhase(event, 'Bash', 'start')) break
    await left.expectNothingLeft()
    await using stopped = await Running.start([[stubborn, silence()]])
    for await (const event of stopped.query) if (isPhase(event, 'Bash', 'start')) stopped.host.abort()
    await stopped.expectNothingLeft()
  })

  it('while the host is asked does not wait for the answer', async () => {
    const asked = Promise.withResolvers<void>()
    await using running = await Running.start([[stubborn, silence()]], {
      permissionMode: 'default',
      canUseTool() {
        asked.resolve()
        return new Promise(() => {})
      },
    })
    const reading = running.readUntil(() => false)
    await asked.promise
    // No grace for a call ever passes here.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await running.query.close()
    await reading
    await running.expectNothingLeft()
  })

  it('ends the shell that still reads a slow start-up file', async () => {
    await using running = await Running.start([[toolUse('Bash', { command: 'echo hi' })], [text('Done.')]])
    writeFileSync(running.scripted.path('.bashrc'), 'sleep 640\n')
    await running.readUntil(({ type }) => type === 'result')
    expect(findMarked(running.mark).join()).toContain('sleep 640')
    await running.query.close()
    await expect.poll(() => findMarked(running.mark)).toEqual([])
  })

  it('twice, and before it began, is harmless', async () => {
    await using running = await Running.start([busy])
    await Promise.all([running.query.close(), running.query.close()])
    await running.query.close()
    await running.expectNothingLeft()
    expect(running.scripted.server.requests).toEqual([])
  })
})

describe('a program whose session has a call that ignores its abort', () => {
  it('reaches the end of the session, interrupted or closed', async () => {
    const program = import.meta.resolve('./programs/deaf-call.ts')
    const run = (how: string) =>
      promisify(execFile)(process.execPath, ['--conditions=@x/source', fileURLToPath(program), how], {
        encoding: 'utf8',
      })
    const ended = await Promise.all(['interrupt', 'close'].map(run))
    expect(ended.map(({ stdout }) => stdout)).toEqual(['ended\n', 'ended\n'])
  })
})

function isStubborn(event: SessionEvent): boolean {
  return event.type === 'user' && JSON.stringify(event.message.content).includes('background')
}
