import { execFile } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { promisify } from 'node:util'
import { createAbortController, createTimeoutAbortController, TimeoutReason } from '@x/abort'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('aborts itself after the time with a TimeoutReason', () => {
  const { signal } = createTimeoutAbortController(250)
  const heard = vi.fn()
  signal.addEventListener('abort', heard)
  vi.advanceTimersByTime(249)
  expect(signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(heard).toHaveBeenCalledOnce()
  expect(signal.reason).toBeInstanceOf(TimeoutReason)
  expect(signal.reason).toMatchObject({
    name: 'AbortError',
    kind: 'timeout',
    facts: { timeoutMs: 250 },
    message: 'Timed out after 250 ms',
  })
  expect(vi.getTimerCount()).toBe(0)
})

test('never aborts its parent', () => {
  const parent = createAbortController()
  createTimeoutAbortController(10, { parent })
  vi.advanceTimersByTime(10)
  expect(parent.signal.aborted).toBe(false)
})

describe.each([
  ['made here', () => createAbortController()],
  ['foreign', () => new AbortController()],
])('below a parent %s', (_name, createParent) => {
  test('is aborted with the parent, which clears the timer, listened to or not', () => {
    const parent = createParent()
    const { signal } = createTimeoutAbortController(1_000, { parent: parent.signal })
    parent.abort('first')
    expect(vi.getTimerCount()).toBe(0)
    expect(signal.reason).toBe('first')
    expect(getEventListeners(parent.signal, 'abort')).toEqual([])
  })

  test('starts no timer when the parent is aborted already', () => {
    const parent = createParent()
    parent.abort('before')
    const { signal } = createTimeoutAbortController(1_000, { parent })
    expect(vi.getTimerCount()).toBe(0)
    expect(signal.reason).toBe('before')
  })

  test('leaves the parent and its timer when time is up, aborted by hand or disposed', () => {
    const parent = createParent()
    const endings: Array<(controller: AbortController & Disposable) => void> = [
      () => vi.advanceTimersByTime(1_000),
      (controller) => controller.abort(),
      (controller) => controller[Symbol.dispose](),
    ]
    for (const end of endings) {
      const controller = createTimeoutAbortController(1_000, { parent })
      end(controller)
      expect(vi.getTimerCount()).toBe(0)
      expect(getEventListeners(parent.signal, 'abort')).toEqual([])
    }
  })
})

test('disposed, does not abort, and twice is harmless', () => {
  let escaped: AbortSignal
  {
    using limit = createTimeoutAbortController(10)
    limit[Symbol.dispose]()
    escaped = limit.signal
  }
  vi.advanceTimersByTime(1_000)
  expect(escaped.aborted).toBe(false)
})

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])('refuses a limit of %d', (timeoutMs) => {
  expect(() => createTimeoutAbortController(timeoutMs)).toThrow(RangeError)
  expect(vi.getTimerCount()).toBe(0)
})

test('keeps no process alive', async () => {
  vi.useRealTimers()
  const source = new URL('../src/index.ts', import.meta.url).href
  const script = `import { createTimeoutAbortController } from ${JSON.stringify(source)}
    createTimeoutAbortController(600_000).signal.addEventListener('abort', () => {})
    console.log('end')`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toBe('end\n')
})
