import { getEventListeners } from 'node:events'
import { anySignal, createAbortController, createChildAbortController } from '@x/abort'
import { expect, test, vi } from 'vitest'
import { collectGarbage } from './collect-garbage.ts'

test('is aborted with the first signal that is, with its reason unchanged', () => {
  const [ours, foreign] = [createAbortController(), new AbortController()]
  const { signal } = anySignal([createChildAbortController(ours).signal, undefined, foreign.signal])
  const heard = vi.fn()
  signal.addEventListener('abort', heard)
  expect(signal).toBeInstanceOf(AbortSignal)
  expect(signal.aborted).toBe(false)
  const reason = new Error('why')
  foreign.abort(reason)
  ours.abort('later')
  expect(signal.reason).toBe(reason)
  expect(heard).toHaveBeenCalledOnce()
})

test('polls without a listener on any signal', () => {
  const sources = [new AbortController(), new AbortController()] as const
  const { signal } = anySignal(sources.map((source) => source.signal))
  expect(signal.aborted).toBe(false)
  expect(sources.map((source) => getEventListeners(source.signal, 'abort').length)).toEqual([0, 0])
  sources[1].abort('second')
  expect(signal.reason).toBe('second')
})

test('takes the first in the list when several are aborted already', () => {
  const root = createAbortController()
  const deep = createChildAbortController(createChildAbortController(root)).signal
  root.abort('first')
  expect(anySignal([deep, AbortSignal.abort('second')]).signal.reason).toBe('first')
  expect(anySignal([AbortSignal.abort('second'), deep]).signal.reason).toBe('second')
})

test('takes the earlier when several were aborted before anybody looked', () => {
  const [early, late] = [createAbortController(), createAbortController()]
  const { signal } = anySignal([late.signal, early.signal])
  early.abort('early')
  late.abort('late')
  expect(signal.reason).toBe('early')
})

test('of no signal, or of undefined only, is never aborted', () => {
  expect(anySignal([]).signal.aborted).toBe(false)
  expect(anySignal([undefined]).signal.aborted).toBe(false)
})

test('leaves the other signals when one is aborted', () => {
  const sources = [new AbortController(), new AbortController()] as const
  anySignal(sources.map((source) => source.signal)).signal.addEventListener('abort', () => {})
  expect(getEventListeners(sources[1].signal, 'abort')).toHaveLength(1)
  sources[0].abort()
  expect(sources.map((source) => getEventListeners(source.signal, 'abort').length)).toEqual([0, 0])
})

test('dispose stops following, twice is harmless, and aborts nothing', () => {
  const source = new AbortController()
  let escaped: AbortSignal
  {
    using either = anySignal([source.signal, source.signal])
    either.signal.addEventListener('abort', () => {})
    either[Symbol.dispose]()
    escaped = either.signal
  }
  expect(getEventListeners(source.signal, 'abort')).toEqual([])
  source.abort()
  expect(escaped.aborted).toBe(false)
})

test('of its own results hears once through every diamond', () => {
  const root = createAbortController()
  let { signal } = createChildAbortController(root)
  for (let level = 0; level < 200; level += 1) {
    signal = anySignal([anySignal([signal]).signal, createChildAbortController(signal).signal]).signal
  }
  const heard = vi.fn()
  expect(signal.aborted).toBe(false)
  signal.addEventListener('abort', heard)
  root.abort('why')
  expect(heard).toHaveBeenCalledOnce()
  expect(signal.reason).toBe('why')
})

test('hears a platform timeout that nobody else holds', async () => {
  const reason = await new Promise((resolve) => {
    const { signal } = anySignal([AbortSignal.timeout(20)])
    signal.addEventListener('abort', () => resolve(signal.reason))
    // A timer of our own keeps the process; the platform's does not.
    setTimeout(() => {}, 50)
    void collectGarbage()
  })
  expect(reason).toMatchObject({ name: 'TimeoutError' })
})

test('refuses what is no signal', () => {
  expect(() => Reflect.apply(anySignal, undefined, [[{}]])).toThrow(TypeError)
})
