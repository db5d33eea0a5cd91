import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  type RecordedRequest,
  type Reply,
  startScriptedServer,
  text,
  toolUse,
} from '@x/model-anthropic/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collect, createTalk, resultsOf, Scripted } from './scripted.ts'
import { createTool, refusals } from './wire.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const warnings: string[] = []
const note = ({ name, message }: Error): void => void warnings.push(`${name}: ${message}`)
beforeAll(() => void process.on('warning', note))
afterAll(() => void process.off('warning', note))

const echo = createTool('Echo', ({ say }) => say)

async function startResponding(respond: (request: RecordedRequest) => Reply): Promise<Scripted> {
  return new Scripted(await startScriptedServer({ respond }), { 'a.txt': 'one\n' })
}

/** Megabytes in use after two collections. */
async function heapMb(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    collectGarbage()
    await sleep(10)
  }
  return process.memoryUsage().heapUsed / 1_048_576
}

/** Sockets, timers and processes that are open now and were not before. */
function newHandles(before: readonly string[]): readonly string[] {
  const old = Map.groupBy(before, (name) => name)
  return process
    .getActiveResourcesInfo()
    .filter((name) => /Socket|Timeout|Process|Signal/.test(name) && old.get(name)?.pop() === undefined)
}

describe('a long session', () => {
  it('of 200 turns with four calls each leaves no listener, no warning and no handle', async () => {
    const turns = 200
    const calls = [
      toolUse('Read', { file_path: 'a.txt' }),
      toolUse('Echo', { say: 'x'.repeat(500) }),
      toolUse('Nope'),
      toolUse('Read', { file_path: 'gone.txt' }),
    ]
    const before = process.getActiveResourcesInfo()
    const host = new AbortController()
    {
      await using scripted = await startResponding(({ index }) => (index < turns ? calls : text('Done.')))
      const counts = new Set<number>()
      const events = []
      for await (const event of scripted.ask('Go', { extraTools: [echo], abortController: host })) {
        if (event.type === 'assistant') counts.add(getEventListeners(host.signal, 'abort').length)
        events.push(event)
      }
      expect(refusals(scripted)).toEqual([])
      expect(resultsOf(events)).toMatchObject([{ is_error: false, num_turns: turns + 1 }])
      expect([...counts]).toEqual([1])
      expect(getEventListeners(host.signal, 'abort')).toEqual([])
    }
    // The timer is that of the poll itself.
    await expect.poll(() => newHandles([...before, 'Timeout'])).toEqual([])
    expect(warnings).toEqual([])
  })

  it('of 100 prompts holds no query that has ended', async () => {
    const host = new AbortController()
    await using scripted = await startResponding(({ index }) =>
      index % 2 === 0 ? toolUse('Echo', { say: 'x' }) : text('Done.'),
    )
    const talk = createTalk()
    const counts = new Set<number>()
    talk.say('0')
    let prompts = 1
    for await (const event of scripted.ask(talk.prompt, { extraTools: [echo], abortController: host })) {
      if (event.type !== 'result') continue
      counts.add(getEventListeners(host.signal, 'abort').length)
      if (prompts < 100) talk.say(String(prompts))
      else talk.end()
      prompts += 1
    }
    expect(refusals(scripted)).toEqual([])
    expect([...counts]).toEqual([1])
    expect(getEventListeners(host.signal, 'abort')).toEqual([])
    expect(warnings).toEqual([])
  })
})

describe('many sessions in one process', () => {
  it('leave nothing behind: 100 of them, ten at a time, under one host signal', async () => {
    const before = process.getActiveResourcesInfo()
    const host = new AbortController()
    // A server of its own for each round: it keeps every request.
    const runTen = async (): Promise<void> => {
      await using scripted = await startResponding(({ body: { messages } }) =>
        messages.length > 3
          ? text('Done.')
          : [toolUse('Echo', { say: 'x' }), toolUse('Read', { file_path: 'a.txt' })],
      )
      const options = { extraTools: [echo], abortController: host }
      await Promise.all(Array.from({ length: 10 }, () => collect(scripted.ask('Go', options))))
      expect(refusals(scripted)).toEqual([])
    }
    for (let warmUp = 0; warmUp < 5; warmUp += 1) await runTen()
    const start = await heapMb()
    for (let round = 0; round < 10; round += 1) await runTen()
    const kept = (await heapMb()) - start
    expect(getEventListeners(host.signal, 'abort')).toEqual([])
    // The timer is that of the poll itself.
    await expect.poll(() => newHandles([...before, 'Timeout'])).toEqual([])
    expect(warnings).toEqual([])
    expect(kept).toBeLessThan(5)
  })
})
