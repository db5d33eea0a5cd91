import { getEventListeners } from 'node:events'
import { anySignal, createAbortController, createChildAbortController } from '@x/abort'
import { describe, expect, test } from 'vitest'
import { watch } from './collect-garbage.ts'

const nothing = (): void => {}

/** What may be done with a child before it is dropped. */
const uses: Record<string, (child: AbortController & Disposable) => void> = {
  'was never touched': nothing,
  'was polled': ({ signal }) => signal.throwIfAborted(),
  'was listened to and is not any more': ({ signal }) => {
    signal.addEventListener('abort', nothing)
    signal.removeEventListener('abort', nothing)
  },
  'is disposed and still listened to': (child) => {
    child.signal.addEventListener('abort', nothing)
    child[Symbol.dispose]()
  },
  'is aborted and still listened to': (child) => {
    child.signal.addEventListener('abort', nothing)
    child.abort()
  },
  'has children of its own': (child) => {
    createChildAbortController(child).signal.throwIfAborted()
  },
  'is followed by an anySignal that nobody hears': (child) => {
    anySignal([child.signal]).signal.throwIfAborted()
  },
}

describe.each([
  ['made here', () => createAbortController()],
  ['foreign', () => new AbortController()],
])('a parent %s keeps no child alive that', (_name, createParent) => {
  test.each(Object.entries(uses))('%s', async (_use, use) => {
    const parent = createParent()
    const { isCollected } = watch(() => {
      const child = createChildAbortController(parent)
      use(child)
      return { watched: child, kept: undefined }
    })
    expect(await isCollected()).toBe(true)
    expect(getEventListeners(parent.signal, 'abort')).toEqual([])
  })

  test('is collected with its listener when the whole tree is dropped', async () => {
    const { isCollected } = watch(() => {
      const child = createChildAbortController(createParent())
      child.signal.addEventListener('abort', nothing)
      return { watched: child, kept: undefined }
    })
    expect(await isCollected()).toBe(true)
  })
})

test('a child that is aborted keeps no parent alive', async () => {
  const { isCollected, kept } = watch(() => {
    const parent = createAbortController()
    const { signal } = createChildAbortController(parent)
    // Not the default reason: the stack of an error that nobody has read yet holds its callers, in V8.
    parent.abort('why')
    expect(signal.aborted).toBe(true)
    return { watched: parent, kept: signal }
  })
  expect(await isCollected()).toBe(true)
  expect(kept.aborted).toBe(true)
})

test('a disposed child keeps no parent alive', async () => {
  const { isCollected, kept } = watch(() => {
    const parent = createAbortController()
    const child = createChildAbortController(parent)
    child[Symbol.dispose]()
    return { watched: parent, kept: child }
  })
  expect(await isCollected()).toBe(true)
  expect(kept.signal.aborted).toBe(false)
})

test('an anySignal that nobody hears is collected without dispose', async () => {
  const sources = [createAbortController(), new AbortController()]
  const { isCollected } = watch(() => {
    const either = anySignal(sources.map(({ signal }) => signal))
    either.signal.addEventListener('abort', nothing)
    either.signal.removeEventListener('abort', nothing)
    return { watched: either, kept: undefined }
  })
  expect(await isCollected()).toBe(true)
})
