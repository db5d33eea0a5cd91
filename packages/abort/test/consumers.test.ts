import { execFile, spawn } from 'node:child_process'
import { addAbortListener, EventEmitter, once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { addAbortSignal, PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { scheduler, setInterval, setTimeout } from 'node:timers/promises'
import { anySignal, createAbortController, createChildAbortController } from '@x/abort'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectGarbage } from './collect-garbage.ts'

let server: Server
let url: string

beforeAll(async () => {
  // It never answers: only the abort ends a request.
  server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const sleeper = [process.execPath, ['-e', 'setInterval(() => {}, 1000)']] as const

type Consumer = (signal: AbortSignal) => Promise<unknown>

/** Each starts something that goes on until its signal aborts, and settles then. These do not look before. */
const listeners: Record<string, Consumer> = {
  addEventListener: (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
  onabort: (signal) =>
    new Promise((resolve) => {
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the setter is one of the ways
      signal.onabort = resolve
    }),
  'another target with a signal': async (signal) => {
    const target = new EventTarget()
    const calls: Event[] = []
    target.addEventListener('ping', (event) => calls.push(event), { signal })
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    await setTimeout(0)
    target.dispatchEvent(new Event('ping'))
    expect(calls).toEqual([])
  },
}

/** These look whether the signal is aborted, and then listen. */
const consumers: Record<string, Consumer> = {
  fetch: (signal) => fetch(url, { signal }),
  'http.request': (signal) => once(request(url, { signal }).end(), 'response'),
  spawn: (signal) => once(spawn(...sleeper, { signal, stdio: 'ignore' }), 'exit'),
  execFile: (signal) =>
    new Promise((resolve) => {
      execFile(...sleeper, { signal }, resolve)
    }),
  'timers/promises setTimeout': (signal) => setTimeout(60_000, undefined, { signal }),
  'timers/promises setInterval': async (signal) => {
    for await (const tick of setInterval(60_000, 'tick', { signal })) expect(tick).toBe('never')
  },
  'scheduler.wait': (signal) => scheduler.wait(60_000, { signal }),
  'events.addAbortListener': (signal) =>
    new Promise<void>((resolve) => {
      addAbortListener(signal, () => resolve())
    }),
  'events.once': (signal) => once(new EventEmitter(), 'never', { signal }),
  'stream.addAbortSignal': (signal) => once(addAbortSignal(signal, new PassThrough()), 'end'),
  pipeline: (signal) => pipeline(new PassThrough(), new PassThrough(), { signal }),
  'AbortSignal.any': (signal) => setTimeout(60_000, undefined, { signal: AbortSignal.any([signal]) }),
  anySignal: (signal) => setTimeout(60_000, undefined, { signal: anySignal([signal]).signal }),
}

/** What is left in the hands of the test once the consumers have been started. */
const holdings: Record<string, (child: AbortController) => unknown> = {
  'the controller is held': (child) => child,
  'only the signal is held': (child) => child.signal,
  'only a listener is left': () => undefined,
}

const all = { ...listeners, ...consumers }

describe.each([
  ['made here', () => createAbortController()],
  ['foreign', () => new AbortController()],
])('below a parent %s', (_parent, createParent) => {
  describe.each(Object.entries(holdings))('while %s', (_holding, hold) => {
    const ends = new Map<string, Promise<unknown>>()

    beforeAll(async () => {
      const parent = createParent()
      const held = Object.entries(all).map(([name, consume]) => {
        const child = createChildAbortController(createChildAbortController(parent))
        ends.set(name, settled(consume(child.signal)))
        return hold(child)
      })
      await collectGarbage()
      parent.abort()
      expect(held).toHaveLength(ends.size)
    })

    test.each(Object.keys(all))('%s hears', async (name) => {
      await ends.get(name)
    })
  })

  test('every consumer hears through a signal whose controller was collected before', async () => {
    const parent = createParent()
    const signals = Object.values(all).map((consume) => ({ consume, signal: onlySignal(parent) }))
    await collectGarbage()
    const ended = Promise.all(signals.map(async ({ consume, signal }) => settled(consume(signal))))
    await collectGarbage()
    parent.abort()
    await ended
    expect(signals.every(({ signal }) => signal.aborted)).toBe(true)
  })

  test.each(Object.entries(consumers))(
    '%s stops at once if the parent was aborted and nobody had told',
    async (_name, consume) => {
      const parent = createParent()
      const signal = onlySignal(parent)
      parent.abort()
      await settled(consume(signal))
      expect(signal.aborted).toBe(true)
    },
  )
})

function onlySignal(parent: AbortController): AbortSignal {
  return createChildAbortController(createChildAbortController(parent)).signal
}

function settled(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) => error)
}
