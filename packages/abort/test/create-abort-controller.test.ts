// oxlint-disable unicorn/prefer-add-event-listener -- the setter is one of the ways to listen
import { getEventListeners, getMaxListeners } from 'node:events'
import { inspect } from 'node:util'
import { createAbortController, createChildAbortController } from '@x/abort'
import { describe, expect, test, vi } from 'vitest'

const nothing = (): void => {}

function thrownBy(run: () => void): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe('a controller', () => {
  test('is a real AbortController with a real AbortSignal', () => {
    const parent = createAbortController()
    const child = createChildAbortController(parent)
    for (const controller of [parent, child]) {
      expect(controller).toBeInstanceOf(AbortController)
      expect(controller.signal).toBeInstanceOf(AbortSignal)
      expect(controller.signal).toBe(controller.signal)
      expect(controller.signal.constructor).toBe(AbortSignal)
      expect(Object.prototype.toString.call(controller.signal)).toBe('[object AbortSignal]')
      expect(inspect(controller.signal)).toBe('AbortSignal { aborted: false }')
    }
  })

  test('without a reason aborts with the AbortError of the platform', () => {
    const controller = createAbortController()
    controller.abort()
    expect(controller.signal.reason).toBeInstanceOf(DOMException)
    expect(controller.signal.reason).toMatchObject({
      name: 'AbortError',
      message: 'This operation was aborted',
    })
  })

  test('keeps its first reason, also a falsy one', () => {
    const controller = createAbortController()
    controller.abort(null)
    controller.abort('later')
    expect(controller.signal.aborted).toBe(true)
    expect(controller.signal.reason).toBe(null)
    expect(thrownBy(() => controller.signal.throwIfAborted())).toBe(null)
  })

  test('has no reason before it is aborted', () => {
    const { signal } = createChildAbortController(createAbortController())
    expect([signal.aborted, signal.reason]).toEqual([false, undefined])
    expect(() => signal.throwIfAborted()).not.toThrow()
  })

  test('aborted before its signal is asked for has an aborted signal', () => {
    const controller = createAbortController()
    controller.abort('early')
    expect([controller.signal.aborted, controller.signal.reason]).toEqual([true, 'early'])
    expect(AbortSignal.any([controller.signal]).reason).toBe('early')
  })
})

describe.each([
  ['a controller made here', () => createAbortController()],
  ['a foreign controller', () => new AbortController()],
])('below %s', (_name, createParent) => {
  test.each(['controller', 'signal'])('a child given its %s is aborted with the same reason', (given) => {
    const parent = createParent()
    const child = createChildAbortController(given === 'signal' ? parent.signal : parent)
    const listened = createChildAbortController(parent)
    const heard = vi.fn()
    listened.signal.addEventListener('abort', () => heard(listened.signal.reason))
    const reason = { why: 'object identity' }

    parent.abort(reason)

    expect(child.signal.aborted).toBe(true)
    expect(child.signal.reason).toBe(reason)
    expect(thrownBy(() => child.signal.throwIfAborted())).toBe(reason)
    expect(heard.mock.calls).toEqual([[reason]])
  })

  test('a child never aborts its parent or its siblings', () => {
    const parent = createParent()
    const [first, second] = [createChildAbortController(parent), createChildAbortController(parent)]
    first.signal.addEventListener('abort', nothing)
    second.signal.addEventListener('abort', nothing)
    first.abort('mine')
    expect(parent.signal.aborted).toBe(false)
    expect(second.signal.aborted).toBe(false)
    parent.abort('all')
    expect(first.signal.reason).toBe('mine')
    expect(second.signal.reason).toBe('all')
  })

  test('an aborted parent gives an aborted child and registers nothing', () => {
    const parent = createParent()
    parent.abort('before')
    const child = createChildAbortController(parent)
    const heard = vi.fn()
    child.signal.addEventListener('abort', heard)
    expect([child.signal.aborted, child.signal.reason]).toEqual([true, 'before'])
    expect(heard).not.toHaveBeenCalled()
    expect(getEventListeners(parent.signal, 'abort')).toEqual([])
  })

  test('a listener added to a child after the abort is not called', () => {
    const parent = createParent()
    const child = createChildAbortController(parent)
    const heard = vi.fn()
    child.signal.onabort = nothing
    child.signal.onabort = null
    parent.abort()
    child.signal.addEventListener('abort', heard)
    child.signal.onabort = heard
    expect(heard).not.toHaveBeenCalled()
  })

  test('a child aborted by hand after its parent keeps the reason of the parent', () => {
    const parent = createParent()
    const child = createChildAbortController(createChildAbortController(parent))
    parent.abort('first')
    child.abort('second')
    expect(child.signal.reason).toBe('first')
  })

  test('dispose cuts off without aborting, and twice is harmless', () => {
    const parent = createParent()
    const heard = vi.fn()
    const child = createChildAbortController(parent)
    child.signal.addEventListener('abort', heard)
    child[Symbol.dispose]()
    child[Symbol.dispose]()
    expect(getEventListeners(parent.signal, 'abort')).toEqual([])
    parent.abort('not for the child')
    expect(child.signal.aborted).toBe(false)
    child.abort('own')
    expect(heard).toHaveBeenCalledOnce()
    expect(child.signal.reason).toBe('own')
  })

  test('dispose after the abort of the parent leaves the child aborted', () => {
    const parent = createParent()
    const child = createChildAbortController(parent)
    parent.abort('before')
    child[Symbol.dispose]()
    expect(child.signal.reason).toBe('before')
  })

  test('dispose keeps the children of the disposed', () => {
    const parent = createParent()
    const middle = createChildAbortController(parent)
    const leaf = createChildAbortController(middle)
    const heard = vi.fn()
    leaf.signal.addEventListener('abort', heard)
    middle[Symbol.dispose]()
    parent.abort('far')
    expect(leaf.signal.aborted).toBe(false)
    middle.abort('near')
    expect(leaf.signal.reason).toBe('near')
    expect(heard).toHaveBeenCalledOnce()
  })

  test('using disposes', () => {
    const parent = createParent()
    let escaped: AbortSignal
    {
      using child = createChildAbortController(parent)
      child.signal.addEventListener('abort', nothing)
      escaped = child.signal
    }
    parent.abort()
    expect(escaped.aborted).toBe(false)
  })

  test('a chain of ten thousand hears, listened to or polled', () => {
    const parent = createParent()
    const chain: AbortController[] = [parent]
    for (let depth = 0; depth < 10_000; depth += 1) {
      chain.push(createChildAbortController(chain.at(-1) ?? parent))
    }
    const leaf = chain.at(-1)
    const polled = createChildAbortController(chain.at(-1) ?? parent)
    const heard = vi.fn()
    leaf?.signal.addEventListener('abort', heard)
    parent.abort('deep')
    expect(heard).toHaveBeenCalledOnce()
    expect(polled.signal.reason).toBe('deep')
  })
})

describe('the order of an abort', () => {
  test('is parents before children, children as they were first listened to', () => {
    const order: string[] = []
    const root = createAbortController()
    const listen = (name: string, controller: AbortController): AbortController => {
      controller.signal.addEventListener('abort', () => order.push(name))
      return controller
    }
    const a = createChildAbortController(root)
    const b = listen('b', createChildAbortController(root))
    listen('a1', createChildAbortController(a))
    listen('a', a)
    listen('b1', createChildAbortController(b))
    listen('root', root)
    root.abort()
    expect(order).toEqual(['root', 'b', 'a', 'b1', 'a1'])
  })

  test('shows every member aborted before the first listener runs', () => {
    const root = createAbortController()
    const child = createChildAbortController(root)
    const grandchild = createChildAbortController(child)
    const seen: unknown[] = []
    root.signal.addEventListener('abort', () => seen.push(child.signal.aborted, grandchild.signal.reason))
    grandchild.signal.addEventListener('abort', nothing)
    root.abort('why')
    expect(seen).toEqual([true, 'why'])
  })

  test('shows a child of a foreign signal aborted to listeners that run before ours', () => {
    const parent = new AbortController()
    const seen: unknown[] = []
    parent.signal.addEventListener('abort', () => {
      // Asking runs no listener; aborting by hand does.
      seen.push(child.signal.aborted, child.signal.reason, heard.mock.calls.length)
      child.abort('too late')
      seen.push(child.signal.reason, heard.mock.calls.length)
    })
    const child = createChildAbortController(parent)
    const heard = vi.fn()
    child.signal.addEventListener('abort', heard)
    parent.abort('why')
    expect(seen).toEqual([true, 'why', 0, 'why', 1])
    expect(heard).toHaveBeenCalledOnce()
  })
})

describe('inside a dispatch', () => {
  test('an exception in a listener does not stop the others', async () => {
    const root = createAbortController()
    const [first, second] = [createChildAbortController(root), createChildAbortController(root)]
    const heard = vi.fn()
    const uncaught: unknown[] = []
    const vitestListeners = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', (error) => uncaught.push(error.message))
    first.signal.addEventListener('abort', () => {
      throw new Error('from a listener')
    })
    first.signal.addEventListener('abort', heard)
    second.signal.addEventListener('abort', heard)

    root.abort()
    await new Promise<void>((resolve) => setImmediate(resolve))
    process.removeAllListeners('uncaughtException')
    for (const listener of vitestListeners) process.on('uncaughtException', listener)

    expect(heard).toHaveBeenCalledTimes(2)
    expect(uncaught).toEqual(['from a listener'])
  })

  test('a child made, listened to and polled is aborted and silent', () => {
    const root = createAbortController()
    const heard = vi.fn()
    root.signal.addEventListener('abort', () => {
      const late = createChildAbortController(root)
      late.signal.addEventListener('abort', heard)
      expect(late.signal.reason).toBe('why')
    })
    root.abort('why')
    expect(heard).not.toHaveBeenCalled()
  })

  test('a listener that is removed before its turn is not called', () => {
    const root = createAbortController()
    const child = createChildAbortController(root)
    const heard = vi.fn()
    root.signal.addEventListener('abort', () => child.signal.removeEventListener('abort', heard))
    child.signal.addEventListener('abort', heard)
    root.abort()
    expect(heard).not.toHaveBeenCalled()
  })

  test('aborting and disposing others does no harm', () => {
    const root = createAbortController()
    const children = Array.from({ length: 3 }, () => createChildAbortController(root))
    const heard = vi.fn()
    for (const child of children) {
      child.signal.addEventListener('abort', () => {
        heard(child.signal.reason)
        root.abort('again')
        for (const other of children) {
          other.abort('other')
          other[Symbol.dispose]()
        }
      })
    }
    root.abort('once')
    expect(heard.mock.calls).toEqual([['once'], ['once'], ['once']])
  })
})

describe('maxListeners', () => {
  test('is off by default: hundreds of children and listeners warn nobody', async () => {
    const warned = vi.fn()
    process.on('warning', warned)
    const root = createAbortController()
    for (let count = 0; count < 500; count += 1) {
      createChildAbortController(root).signal.addEventListener('abort', nothing)
      root.signal.addEventListener('abort', () => {})
    }
    await new Promise<void>((resolve) => setImmediate(resolve))
    process.off('warning', warned)
    expect(warned).not.toHaveBeenCalled()
    expect(getMaxListeners(root.signal)).toBe(0)
  })

  test('warns once when there are more', async () => {
    const warned = vi.fn()
    process.on('warning', warned)
    const { signal } = createChildAbortController(createAbortController(), { maxListeners: 2 })
    for (let count = 0; count < 4; count += 1) signal.addEventListener('abort', () => {})
    await new Promise<void>((resolve) => setImmediate(resolve))
    process.off('warning', warned)
    expect(getMaxListeners(signal)).toBe(2)
    expect(warned).toHaveBeenCalledOnce()
    expect(warned.mock.calls[0]?.[0]).toMatchObject({ name: 'MaxListenersExceededWarning', count: 3 })
  })

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('of %d is refused', (maxListeners) => {
    expect(() => createAbortController({ maxListeners })).toThrow(RangeError)
    expect(() => createChildAbortController(createAbortController(), { maxListeners })).toThrow(
      /maxListeners/,
    )
  })
})

test.each([undefined, null, 7, {}, { signal: {} }])('%o is refused as a parent', (parent) => {
  const create: (parent: never) => unknown = createChildAbortController
  expect(() => Reflect.apply(create, undefined, [parent])).toThrow(TypeError)
})
