import { type AbortNode, hold } from './abort-node.ts'
import { Followers } from './followers.ts'
import { findNodeSymbols } from './node-symbols.ts'

const nodeKey: unique symbol = Symbol('node')
const followersKey: unique symbol = Symbol('followers')

/**
 * The face of a native signal that belongs to a node: being aborted is asked of the node, and the node learns
 * whether somebody listens. A prototype only; `linkSignal` puts it on a signal that Node has made.
 */
class LinkedSignal extends AbortSignal {
  declare [nodeKey]: AbortNode
  declare [followersKey]: Followers | undefined

  override get aborted(): boolean {
    return this[nodeKey].aborted
  }

  override get reason(): unknown {
    return this[nodeKey].reason
  }

  override throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }
}

const symbols = findNodeSymbols()

/** Turns the native signal of a controller into the signal of its node. */
export function linkSignal(
  signal: AbortSignal,
  node: AbortNode,
  maxListeners: number | undefined,
): AbortSignal {
  // The one place where a signal gets its second face: the prototype is set in the same breath.
  const linked = Object.setPrototypeOf(signal, LinkedSignal.prototype) as LinkedSignal
  linked[nodeKey] = node
  if (maxListeners !== undefined && symbols.maxListeners !== undefined) {
    Reflect.set(linked, symbols.maxListeners, maxListeners)
  }
  return linked
}

/** The node of a signal, if it was made here. */
export function nodeOfSignal(signal: AbortSignal): AbortNode | undefined {
  return signal instanceof LinkedSignal ? signal[nodeKey] : undefined
}

function define(key: PropertyKey, descriptor: PropertyDescriptor): void {
  Object.defineProperty(LinkedSignal.prototype, key, { configurable: true, ...descriptor })
}

// Some libraries take a signal for one by the name of its constructor.
define('constructor', { value: AbortSignal, writable: true })

type Hook = (this: LinkedSignal, ...args: readonly [size: number, type: string, ...rest: unknown[]]) => void

function defineHook(key: symbol, own: (node: AbortNode, size: number) => void): void {
  const native: Hook = Reflect.get(AbortSignal.prototype, key)
  const value: Hook = function hook(...args) {
    native.apply(this, args)
    if (args[1] === 'abort') own(this[nodeKey], args[0])
  }
  define(key, { value, writable: true })
}

if (symbols.newListener !== undefined && symbols.removeListener !== undefined) {
  defineHook(symbols.newListener, (node, size) => {
    if (size === 1) node.hold(hold.listener)
  })
  defineHook(symbols.removeListener, (node, size) => {
    if (size === 0) node.release(hold.listener)
  })
}

if (symbols.dependants !== undefined) {
  define(symbols.dependants, {
    get(this: LinkedSignal) {
      return this[followersKey]
    },
    set(this: LinkedSignal) {
      this[followersKey] = new Followers(this[nodeKey])
    },
  })
}
