// oxlint-disable unicorn/prefer-add-event-listener -- the setter is one of the ways to listen
import { addAbortListener, getEventListeners } from 'node:events'
import { aborted } from 'node:util'
import { createChildAbortController } from '@x/abort'
import { describe, expect, test, vi } from 'vitest'
import { collectGarbage } from './collect-garbage.ts'

const nothing = (): void => {}

/** A foreign parent shows from outside whether a child is known to it: it has one listener or none. */
function createFamily(): { parent: AbortController; signal: AbortSignal; known: () => number } {
  const parent = new AbortController()
  const { signal } = createChildAbortController(createChildAbortController(parent))
  return { parent, signal, known: () => getEventListeners(parent.signal, 'abort').length }
}

/** Each way to listen, and its undoing. */
const ways: Record<string, (signal: AbortSignal, listener: () => void) => () => void> = {
  addEventListener: (signal, listener) => {
    signal.addEventListener('abort', listener)
    return () => signal.removeEventListener('abort', listener)
  },
  'addEventListener with once': (signal, listener) => {
    signal.addEventListener('abort', listener, { once: true })
    return () => signal.removeEventListener('abort', listener)
  },
  'addEventListener with capture': (signal, listener) => {
    signal.addEventListener('abort', listener, { capture: true })
    signal.removeEventListener('abort', listener)
    return () => signal.removeEventListener('abort', listener, { capture: true })
  },
  'addEventListener with a signal': (signal, listener) => {
    const undo = new AbortController()
    signal.addEventListener('abort', listener, { signal: undo.signal })
    return () => undo.abort()
  },
  'a handleEvent object': (signal, listener) => {
    const handler = { handleEvent: listener }
    signal.addEventListener('abort', handler)
    return () => signal.removeEventListener('abort', handler)
  },
  'the same listener twice': (signal, listener) => {
    signal.addEventListener('abort', listener)
    signal.addEventListener('abort', listener)
    return () => signal.removeEventListener('abort', listener)
  },
  onabort: (signal, listener) => {
    signal.onabort = nothing
    signal.onabort = listener
    return () => {
      signal.onabort = null
    }
  },
  'events.addAbortListener': (signal, listener) => {
    const subscription = addAbortListener(signal, listener)
    return () => subscription[Symbol.dispose]()
  },
}

describe.each(Object.entries(ways))('%s', (_name, listen) => {
  test('hears the abort once', async () => {
    const { parent, signal, known } = createFamily()
    const heard = vi.fn<() => void>()
    listen(signal, heard)
    expect(known()).toBe(1)
    await collectGarbage()
    parent.abort()
    parent.abort()
    expect(heard).toHaveBeenCalledOnce()
    expect(known()).toBe(0)
  })

  test('leaves nothing behind when undone, and can be done again', () => {
    const { parent, signal, known } = createFamily()
    const heard = vi.fn<() => void>()
    listen(signal, heard)()
    expect(known()).toBe(0)
    const undo = listen(signal, heard)
    expect(known()).toBe(1)
    undo()
    undo()
    expect(known()).toBe(0)
    parent.abort()
    expect(heard).not.toHaveBeenCalled()
    expect(signal.aborted).toBe(true)
  })
})

test('ten thousand listened-to children share one listener on a foreign parent', () => {
  const parent = new AbortController()
  const children = Array.from({ length: 10_000 }, () => createChildAbortController(parent.signal))
  const heard = vi.fn()
  for (const child of children) child.signal.addEventListener('abort', heard)
  expect(getEventListeners(parent.signal, 'abort')).toHaveLength(1)
  for (const child of children) child.signal.removeEventListener('abort', heard)
  expect(getEventListeners(parent.signal, 'abort')).toHaveLength(0)
})

test('a polled child puts no listener anywhere', () => {
  const { signal, known } = createFamily()
  signal.throwIfAborted()
  expect([signal.aborted, signal.reason, known()]).toEqual([false, undefined, 0])
})

test('a listener for another event does not count', () => {
  const { signal, known } = createFamily()
  signal.addEventListener('other', nothing)
  expect(known()).toBe(0)
})

test('a child that is aborted or disposed leaves no listener on its parent', () => {
  const parent = new AbortController()
  const children = [createChildAbortController(parent), createChildAbortController(parent)] as const
  for (const child of children) child.signal.addEventListener('abort', nothing)
  children[0].abort()
  expect(getEventListeners(parent.signal, 'abort')).toHaveLength(1)
  children[1][Symbol.dispose]()
  expect(getEventListeners(parent.signal, 'abort')).toHaveLength(0)
})

test('a listener that Node holds weakly is heard, and forgotten with its owner', async () => {
  const { parent, signal, known } = createFamily()
  const heard = vi.fn()
  const listenFor = async (owner: object): Promise<void> => aborted(signal, owner).then(heard)
  let owner: object | undefined = {}
  const first = listenFor(owner)
  void listenFor({})
  await collectGarbage()
  expect(known()).toBe(1)
  owner = undefined
  await collectGarbage()
  expect(known()).toBe(0)
  parent.abort()
  expect(heard).not.toHaveBeenCalled()
  expect(first).toBeInstanceOf(Promise)
})

describe('AbortSignal.any over a child', () => {
  test('hears the abort, also when only its listener is left', async () => {
    const { parent, known, heard } = (() => {
      const family = createFamily()
      const listener = vi.fn()
      AbortSignal.any([family.signal]).addEventListener('abort', listener)
      return { parent: family.parent, known: family.known, heard: listener }
    })()
    await collectGarbage()
    expect(known()).toBe(1)
    parent.abort()
    expect(heard).toHaveBeenCalledOnce()
  })

  test('asks the child when it is polled', () => {
    const { parent, signal } = createFamily()
    const composite = AbortSignal.any([signal])
    parent.abort('why')
    expect([composite.aborted, composite.reason]).toEqual([true, 'why'])
    expect(AbortSignal.any([signal]).reason).toBe('why')
  })

  test('leaves nothing behind when it is dropped', async () => {
    const { signal, known } = createFamily()
    ;(() => {
      const composite = AbortSignal.any([signal])
      composite.addEventListener('abort', nothing)
      expect(known()).toBe(1)
      composite.removeEventListener('abort', nothing)
    })()
    await collectGarbage()
    expect(known()).toBe(0)
  })
})
