import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { type ProcessExit, type ProcessHandle, startProcess } from '@x/process'
import { messageOf } from './errors.ts'
import type { Environment } from './expand-variables.ts'
import { readMessage } from './incoming-message.ts'
import type { Link, Log } from './link.ts'
import type { McpStdioConfig } from './server-config.ts'

/** What a program is started with. */
export interface StdioLinkOptions {
  /** Its working folder. */
  readonly cwd: string
  /** Its environment, without what the configuration adds. */
  readonly env: Environment
  /** A longer line ends the connection. In UTF-16 units. */
  readonly maxMessageChars: number
  /** Hears of lines that are no messages, once. */
  readonly log: Log
}

/** Starts the program at once, so that it gets ready while the SDK is loaded; closing the transport ends it. */
export function createStdioLink(config: McpStdioConfig, options: StdioLinkOptions): Link {
  const transport = new StdioTransport(config, options)
  return {
    transport,
    describe: () => transport.describe(),
    wantsLogin: () => false,
    leave: async () => {},
  }
}

const STDERR_BYTES = 65_536
/** A program that ends when its input does is not forced. */
const GOODBYE_MS = 400
/** How much later than the end of its output an exit may be told. */
const EXIT_MS = 500
const KILL_GRACE_MS = 1000

/** Talks to a program by lines; ends it with all that it started. */
class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #options: StdioLinkOptions
  readonly #child: ProcessHandle
  readonly #ended: Promise<void>
  #exit: ProcessExit | undefined
  #fault: string | undefined
  #sawNoise = false

  constructor({ command, args, env }: McpStdioConfig, options: StdioLinkOptions) {
    this.#options = options
    this.#child = startProcess(command, args, {
      cwd: options.cwd,
      env: { ...options.env, ...env },
      keepInputOpen: true,
      killGraceMs: KILL_GRACE_MS,
      output: {
        to: 'lines',
        onLine: (line) => this.#take(line),
        onEnd: () => this.#outputClosed(),
        maxBytes: STDERR_BYTES,
        maxLineLength: options.maxMessageChars,
      },
    })
    this.#ended = this.#watch()
  }

  async start(): Promise<void> {
    if (this.#child.pid === undefined) await this.#ended
    if (this.#exit !== undefined) throw new Error(this.describe())
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (await this.#child.write(`${JSON.stringify(message)}\n`)) return
    // It reads no more: whoever waits for its answers would wait in vain.
    this.#stop('it closed its input')
    await this.#ended
    throw new Error(this.describe())
  }

  async close(): Promise<void> {
    this.#child.endInput()
    const { promise: enough, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, GOODBYE_MS)
    await Promise.race([this.#ended, enough])
    clearTimeout(timer)
    await this.#child.kill()
    await this.#ended
  }

  describe(): string {
    const cause = describeExit(this.#exit) ?? this.#fault
    const said = lastLines(this.#child.captured().stderr.text)
    return [
      ...(cause === undefined ? [] : [cause]),
      ...(said === '' ? [] : [`its last words:\n${said}`]),
    ].join('; ')
  }

  async #watch(): Promise<void> {
    this.#exit = await this.#child.exited
    this.onclose?.()
  }

  #outputClosed(): void {
    // A program that exits closes its output, too; that is told by its exit, a moment later.
    const timer = setTimeout(() => this.#stop('it closed its output'), EXIT_MS)
    void this.#ended.then(() => clearTimeout(timer))
  }

  #stop(fault: string): void {
    this.#fault ??= fault
    void this.#child.kill()
  }

  #take(line: string): boolean {
    if (line.length >= this.#options.maxMessageChars) {
      this.#fault = `it sent a line longer than ${this.#options.maxMessageChars} characters`
      return false
    }
    const text = line.trim()
    if (text === '') return true
    const value = parse(text)
    // The older protocol allows several messages in a list.
    const messages = (Array.isArray(value) ? value : [value]).map(readMessage)
    if (messages.length === 0 || messages.includes(undefined)) this.#noise(text)
    for (const message of messages) if (message !== undefined) this.#hand(message)
    return true
  }

  /** What the client cannot take must not end the reading of lines. */
  #hand(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message)
    } catch (error) {
      this.#options.log('debug', `sent a message that cannot be taken: ${messageOf(error).slice(0, 200)}`)
    }
  }

  #noise(text: string): void {
    if (this.#sawNoise) return
    this.#sawNoise = true
    this.#options.log('debug', `wrote what is no message to its output: ${text.slice(0, 200)}`)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describeExit(exit: ProcessExit | undefined): string | undefined {
  switch (exit?.kind) {
    case 'exited':
      return `it ended with exit code ${exit.code}`
    case 'signalled':
      return `it was ended by ${exit.signal}`
    case 'failed-to-start':
      return exit.message
    default:
      return undefined
  }
}

const LAST_LINES = 10
const LAST_CHARS = 2000

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-LAST_LINES).join('\n').slice(-LAST_CHARS).toWellFormed()
}
