import { getEventListeners } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ContentBlock, Model } from '@x/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type QueryOptions, query } from '../src/index.ts'
import { collect, createTalk } from './scripted.ts'
import { createTool } from './wire.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const warnings: string[] = []
const note = ({ name, message }: Error): void => void warnings.push(`${name}: ${message}`)
beforeAll(() => void process.on('warning', note))
afterAll(() => void process.off('warning', note))

const usage = {
  input_tokens: 1,
  output_tokens: 1,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

/** Starts so many agents at a prompt, every other in the background, each of which makes one call. */
function createModel(agents: number): Model {
  let calls = 0
  const call = (name: string, input: object): ContentBlock => {
    calls += 1
    return { type: 'tool_use', id: `call_${calls}`, name, input: { ...input } }
  }
  const answer = (text: string, isFresh: boolean): readonly ContentBlock[] => {
    if (isFresh && text.includes('GO')) {
      return Array.from({ length: agents }, (_, index) =>
        call('Agent', { description: 'a task', prompt: 'LEAF', run_in_background: index % 2 === 0 }),
      )
    }
    return isFresh && text.includes('LEAF') ? [call('Echo', { say: 'x' })] : [{ type: 'text', text: 'Done.' }]
  }
  return {
    contextWindow: () => 10_000_000,
    async *stream({ messages }) {
      const last = messages.at(-1)
      const text = JSON.stringify(last?.content)
      const content = answer(text, !text.includes('tool_result') && !text.includes('task-notification'))
      yield { type: 'message-start', id: `msg_${calls}_${messages.length}`, model: 'test', usage }
      for (const [index, block] of content.entries()) yield { type: 'block-end', index, block }
      yield {
        type: 'message-end',
        stopReason: content[0]?.type === 'tool_use' ? 'tool_use' : 'end_turn',
        usage,
      }
    },
  }
}

/** A folder of its own, and what sessions in it are made of. */
function open(agents: number): { readonly options: QueryOptions } & Disposable {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'x-session-')))
  const quick = [{ hooks: [() => ({ additionalContext: 'be quick' })] }]
  return {
    options: {
      cwd,
      env: { PATH: process.env['PATH'], HOME: cwd, X_HOME: join(cwd, '.x') },
      endpoint: createModel(agents),
      permissionMode: 'bypassPermissions',
      extraTools: [createTool('Echo', ({ say }) => say)],
      hooks: {
        SessionStart: quick,
        SubagentStart: quick,
        SubagentStop: [{ hooks: [() => undefined] }],
        PreToolUse: quick,
      },
    },
    [Symbol.dispose]: () => rmSync(cwd, { recursive: true, force: true }),
  }
}

/** Megabytes in use after some collections. */
async function heapMb(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    collectGarbage()
    await sleep(10)
  }
  return process.memoryUsage().heapUsed / 1_048_576
}

/** One name for each thing that is open in this process: files, sockets, pipes; timers and children. */
function held(): readonly string[] {
  const files = existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : []
  const others = process.getActiveResourcesInfo().filter((name) => /Timeout|Process|Signal/.test(name))
  return [...files.map(() => 'file'), ...others]
}

/** What is open now and was not before. Things of the test runner come and go; the timer is that of the poll that asks. */
function newSince(before: readonly string[]): readonly string[] {
  const old = Map.groupBy([...before, 'Timeout'], (name) => name)
  return held().filter((name) => old.get(name)?.pop() === undefined)
}

describe('agents', () => {
  it('of 100 sessions with transcripts and hooks, ten at a time, leave nothing', async () => {
    const host = new AbortController()
    using place = open(2)
    const runTen = (): Promise<unknown> =>
      Promise.all(
        Array.from({ length: 10 }, () =>
          collect(query({ prompt: 'GO', options: { ...place.options, abortController: host } })),
        ),
      )
    for (let warmUp = 0; warmUp < 3; warmUp += 1) await runTen()
    const before = held()
    const start = await heapMb()
    for (let round = 0; round < 10; round += 1) await runTen()
    const kept = (await heapMb()) - start
    expect(getEventListeners(host.signal, 'abort')).toEqual([])
    await expect.poll(() => newSince(before)).toEqual([])
    expect(warnings).toEqual([])
    expect(kept).toBeLessThan(5)
  })

  it('200 in one session hold nothing when they have ended', async () => {
    const host = new AbortController()
    using place = open(10)
    const talk = createTalk()
    const listeners = new Set<number>()
    const heaps: number[] = []
    let before: readonly string[] | undefined
    const measure = async (): Promise<void> => {
      heaps.push(await heapMb())
      const first = (before ??= held())
      await expect.poll(() => newSince(first)).toEqual([])
    }
    let prompts = 0
    const next = (): void => (prompts++ < 20 ? talk.say('GO') : talk.end())
    next()
    const running = query({ prompt: talk.prompt, options: { ...place.options, abortController: host } })
    let live = 0
    for await (const event of running) {
      listeners.add(getEventListeners(host.signal, 'abort').length)
      if (event.type === 'system' && event.subtype === 'background_tasks_changed')
        live = Object(event['tasks']).length
      if (event.type !== 'result' || live > 0) continue
      if (prompts === 8 || prompts === 20) await measure()
      next()
    }
    expect(heaps.length).toBeGreaterThanOrEqual(2)
    expect([...listeners]).toEqual([1])
    expect(getEventListeners(host.signal, 'abort')).toEqual([])
    expect(warnings).toEqual([])
    expect((heaps.at(-1) ?? 0) - (heaps[0] ?? 0)).toBeLessThan(5)
  })
})
