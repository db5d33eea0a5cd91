import { createTimeoutAbortController, raceAbort, TimeoutReason } from '@x/abort'
import type { JsonObject } from '@x/contract'
import { callServerTool, type McpCallResult, type McpProgress } from './call-server-tool.ts'
import { isMcpError, McpError, messageOf } from './errors.ts'
import { isRecord } from './is-record.ts'
import { OfferList } from './offer-list.ts'
import type { Offer } from './offers.ts'
import { type McpClient, type OpenClientOptions, openClient } from './open-client.ts'
import { createRefresher, type Refresher } from './refresher.ts'
import type { SaveBlob } from './save-blob.ts'
import type { McpServer } from './server-config.ts'
import { listServerTools, type ToolListing } from './server-tool.ts'

/** How it stands with a server. */
export type McpServerState = 'pending' | 'connected' | 'failed' | 'needs-auth' | 'disabled'

/** What a connection needs from outside. */
export interface ConnectionOptions extends Omit<OpenClientOptions, 'signal' | 'onToolsChanged'> {
  /** What stands for the server in the names of its tools. */
  readonly part: string
  /** Keeps bytes. */
  readonly saveBlob: SaveBlob | undefined
  /** Hears that state or tools have changed; must not throw. */
  readonly onChange: () => void
}

/** What a call may bring. */
export interface McpCallOptions {
  /** Cancels it; the server is told. */
  readonly signal?: AbortSignal
  /** Hears how far it is. */
  readonly onProgress?: (progress: McpProgress) => void
}

/** One server: its connection from start to end, again and again. */
export class Connection {
  readonly server: McpServer
  readonly #options: ConnectionOptions
  #state: McpServerState = 'pending'
  #error: string | undefined
  #client: McpClient | undefined
  readonly #list: OfferList
  #opening: Promise<void> | undefined
  #isWanted = true
  #stop = new AbortController()
  #refresher: Refresher | undefined

  constructor(server: McpServer, options: ConnectionOptions) {
    this.server = server
    this.#options = options
    this.#list = new OfferList({
      ...options,
      server,
      call: (tool, input, callOptions) => this.call(tool, input, callOptions),
    })
  }

  get state(): McpServerState {
    return this.#state
  }

  /** Why it is not connected. */
  get error(): string | undefined {
    return this.#error
  }

  /** Tools that were left out, and why. */
  get problems(): readonly string[] {
    return this.#list.problems
  }

  /** The client of a connected server. */
  get client(): McpClient | undefined {
    return this.#client
  }

  /** What the model can call. */
  get offers(): readonly Offer[] {
    return this.#list.offers
  }

  /** Connects a server that was not connected yet; resolves when that has succeeded or failed. Never rejects. */
  settle(): Promise<void> {
    if (this.#state !== 'pending' || !this.#isWanted) return Promise.resolve()
    return this.#opening ?? this.#begin()
  }

  /** Ends the connection, if there is one, and makes a new one. What was offered stays in sight meanwhile. */
  async reconnect(): Promise<void> {
    this.#isWanted = true
    this.#become('pending')
    await this.#begin()
    // Somebody else may have begun anew meanwhile.
    await this.settle()
  }

  /** Ends the connection and makes no new one. */
  async disable(): Promise<void> {
    this.#isWanted = false
    this.#list.clear()
    this.#become('disabled')
    await this.#leave()
  }

  /** Ends the connection; resolves when all that was started for it is gone. */
  async close(): Promise<void> {
    this.#isWanted = false
    this.#list.clear()
    await this.#leave()
  }

  /** Calls a tool by its name at the server. Rejects with an `McpError`, or with the reason of the signal. */
  async call(tool: string, input: JsonObject, options: McpCallOptions): Promise<McpCallResult> {
    const client = await this.#ready(options.signal)
    if (!this.offers.some((offer) => offer.serverTool.name === tool)) {
      throw this.#fault('unknown-tool', `offers no tool named ${tool} (any more)`)
    }
    try {
      return await this.#callWith(client, { tool, input, options })
    } catch (error) {
      if (!(await this.#isOverAnew(client, error))) throw error
      return this.#callWith(await this.#ready(options.signal), { tool, input, options })
    }
  }

  /** Asks for something else than a call. */
  async ask<Answer>(
    request: (client: McpClient) => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const client = await this.#ready(signal)
    try {
      return await request(client)
    } catch (error) {
      if (!(await this.#isOverAnew(client, error))) throw error
      return request(await this.#ready(signal))
    }
  }

  #begin(): Promise<void> {
    const left = this.#leave()
    const open = async (): Promise<void> => {
      await left
      if (this.#isWanted && this.#opening === opening) await this.#open()
      if (this.#opening === opening) this.#opening = undefined
    }
    const opening: Promise<void> = open()
    this.#opening = opening
    return opening
  }

  async #open(): Promise<void> {
    const stop = this.#stop
    const { limits } = this.#options
    using limit = createTimeoutAbortController(limits.startMs, { parent: stop })
    const { signal } = limit
    const refresher = createRefresher(() => this.#refresh())
    let client: McpClient | undefined
    try {
      client = await openClient(this.server, {
        ...this.#options,
        signal,
        onToolsChanged: () => refresher.ask(),
      })
      const listing = await listServerTools(client, { signal, timeout: limits.startMs })
      signal.throwIfAborted()
      this.#refresher = refresher
      this.#adopt(client, listing)
    } catch (error) {
      refresher.stop()
      await client?.close()
      if (!stop.signal.aborted) this.#fail(error)
    }
  }

  #adopt(client: McpClient, listing: ToolListing): void {
    this.#client = client
    this.#list.take(listing)
    void client.ended.then((reason) => {
      if (this.#client !== client) return
      this.#refresher?.stop()
      this.#client = undefined
      // The link is gone; what is left of it (a session, listeners) goes, too.
      void client.close()
      this.#fail(new Error(reason || 'the connection was closed'))
    })
    this.#become('connected')
  }

  #fail(error: unknown): void {
    const needsAuth = isMcpError(error) && error.code === 'needs-auth'
    const message = error instanceof TimeoutReason ? 'did not list its tools in time' : messageOf(error)
    this.#list.clear()
    this.#options.log('warning', message)
    this.#become(needsAuth ? 'needs-auth' : 'failed', message)
  }

  #become(state: McpServerState, error?: string): void {
    this.#state = state
    this.#error = error
    this.#options.onChange()
  }

  /** A list that cannot be had leaves the one from before. */
  async #refresh(): Promise<void> {
    const client = this.#client
    if (client === undefined) return
    try {
      const options = { signal: this.#stop.signal, timeout: this.#options.limits.startMs }
      const listing = await listServerTools(client, options)
      if (this.#client === client && this.#list.take(listing)) this.#options.onChange()
    } catch (error) {
      if (this.#client === client) this.#options.log('warning', `The new list of tools: ${messageOf(error)}`)
    }
  }

  async #ready(signal: AbortSignal | undefined): Promise<McpClient> {
    await raceAbort(this.settle(), signal)
    if (this.#client !== undefined) return this.#client
    switch (this.#state) {
      case 'needs-auth':
        throw this.#fault('needs-auth', 'requires authentication')
      case 'disabled':
        throw this.#fault('not-connected', 'is switched off')
      default:
        throw this.#fault('not-connected', `is not connected (${this.#error ?? 'it was closed'})`)
    }
  }

  #callWith(
    client: McpClient,
    {
      tool,
      input,
      options,
    }: { readonly tool: string; readonly input: JsonObject; readonly options: McpCallOptions },
  ): Promise<McpCallResult> {
    const { limits, elicit } = this.#options
    const { name, config } = this.server
    const isNetwork = config.type === 'http' || config.type === 'sse'
    return callServerTool(client, {
      server: name,
      tool,
      input,
      elicit,
      callMs: config.timeoutMs ?? limits.callMs,
      idleMs: isNetwork ? limits.networkIdleMs : limits.idleMs,
      ...options,
    })
  }

  /**
   * Draws the consequences of a failed request. Resolves with true when there is a new connection and the request can be made again: only
   * where the server said that it does not know the session, so that nothing was done.
   */
  async #isOverAnew(client: McpClient, error: unknown): Promise<boolean> {
    if (this.#client !== client || !isMcpError(error)) return false
    if (error.code === 'needs-auth') {
      this.#fail(error)
      await this.#leave()
      return false
    }
    // Any other failure on the network is that of one request: others may be on their way, and the next may succeed.
    if (statusOf(error) !== NOT_FOUND) return false
    await this.reconnect()
    return this.#client !== undefined
  }

  /** What is there now is what ends, whatever begins meanwhile. */
  async #leave(): Promise<void> {
    const client = this.#client
    const opening = this.#opening
    this.#client = undefined
    this.#refresher?.stop()
    this.#stop.abort()
    this.#stop = new AbortController()
    await opening
    await client?.close()
  }

  #fault(code: ConstructorParameters<typeof McpError>[0], what: string): McpError {
    const { name } = this.server
    return new McpError(code, `MCP server ${name} ${what}`, { server: name })
  }
}

const NOT_FOUND = 404

function statusOf({ cause }: McpError): unknown {
  const data = cause instanceof Error && 'data' in cause ? cause.data : undefined
  return isRecord(data) ? data['status'] : undefined
}
