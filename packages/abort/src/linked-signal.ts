import { type AbortNode, hold } from './abort-node.ts'
import { Followers } from './followers.ts'
import { findNodeSymbols } from './node-symbols.ts'

const nodeKey: unique symbol = Symbol('node')
const followersKey: unique symbol = Symbol('followers')

type Listener = Parameters<AbortSignal['addEventListener']>[1]
type ListenerOptions = Parameters<AbortSignal['addEventListener']>[2]

const symbols = findNodeSymbols()
const countsListeners = symbols.newListener !== undefined && symbols.removeListener !== undefined

/**
 * The face of a native signal that belongs to a node: whether it is aborted is asked of the node, and the node learns
 * whether somebody listens. It is a prototype only; `linkSignal` puts it on a signal that Node has made.
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

  override addEventListener(type: string, listener: Listener, options?: ListenerOptions): void {
    prepare(this)
    super.addEventListener(type, listener, options)
    // Without Node's hooks nobody tells when the last listener goes: the node then stays known to its parents until
    // it is aborted or disposed. It is kept longer than needed, but it hears.
    if (!countsListeners && type === 'abort') this[nodeKey].hold(hold.listener)
  }

  override get onabort(): AbortSignal['onabort'] {
    return super.onabort
  }

  override set onabort(handler: AbortSignal['onabort']) {
    prepare(this)
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- this is the setter itself
    super.onabort = handler
    if (!countsListeners) this[nodeKey].hold(hold.listener)
  }
}

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

/** Takes an abort from above over before a listener is added, which is then not called, as on any aborted signal. */
function prepare(signal: LinkedSignal): void {
  void signal.aborted
}

function define(key: PropertyKey, descriptor: PropertyDescriptor): void {
  Object.defineProperty(LinkedSignal.prototype, key, { configurable: true, ...descriptor })
}

// Some libraries take a signal for one by the name of its constructor.
define('constructor', { value: AbortSignal, writable: true })

type HookArguments = readonly [size: number, type: string, ...rest: unknown[]]
type Hook = (this: LinkedSignal, ...args: HookArguments) => void

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
