import { getEventListeners } from 'node:events'
import { createAbortController, raceAbort } from '@x/abort'
import { describe, expect, test } from 'vitest'

const never = new Promise<never>(() => {})

describe('raceAbort', () => {
  test('gives what the promise gives, or its rejection, and leaves no listener', async () => {
    const { signal } = new AbortController()
    expect(await raceAbort(Promise.resolve(1), signal)).toBe(1)
    await expect(raceAbort(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  test('rejects with the reason, unchanged, when the signal aborts, and leaves no listener', async () => {
    const controller = createAbortController()
    const reason = new Error('enough')
    const racing = raceAbort(never, controller.signal)
    controller.abort(reason)
    await expect(racing).rejects.toBe(reason)
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })

  test('rejects at once when the signal has aborted, and drops what the promise comes to', async () => {
    const reason = new Error('before')
    await expect(raceAbort(Promise.reject(new Error('late')), AbortSignal.abort(reason))).rejects.toBe(reason)
    await expect(raceAbort(Promise.resolve(1), AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  test('only waits without a signal', async () => {
    expect(await raceAbort(Promise.resolve(1), undefined)).toBe(1)
  })
})
