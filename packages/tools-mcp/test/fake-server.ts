import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client'
import type { McpServer, McpServerSettings } from '@x/tools-mcp'

type Params = Record<string, unknown>

/** What a server inside of the test answers; an answer of `undefined` never comes. */
export interface FakeServer {
  readonly tools?: readonly unknown[]
  readonly capabilities?: Params
  readonly instructions?: string
  readonly settings?: McpServerSettings
  /** Answers a call; `ask` asks the client, `notify` tells it something. */
  readonly call?: (params: Params, client: FakeClient) => unknown
  /** Answers what is no call. */
  readonly other?: (method: string, params: Params) => unknown
}

/** The client, as the server sees it. */
interface FakeClient {
  ask(method: string, params?: Params): Promise<unknown>
  notify(method: string, params?: Params): void
}

/** Throw it to answer with an error of the protocol. */
export class ProtocolFault extends Error {
  readonly fault: { code: number; message: string; data?: unknown }
  constructor(fault: { code: number; message: string; data?: unknown }) {
    super(fault.message)
    this.fault = fault
  }
}

/** Makes a server that is connected in memory. */
export function fakeServer(name: string, fake: FakeServer = {}): McpServer {
  const createTransport = (): InMemoryTransport => {
    const [client, server] = InMemoryTransport.createLinkedPair()
    serve(server, fake)
    return client
  }
  return { name, config: { type: 'in-process', createTransport, ...fake.settings } }
}

function serve(transport: InMemoryTransport, fake: FakeServer): void {
  const waiting = new Map<unknown, (value: unknown) => void>()
  const send = (message: object): void => {
    void transport.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage).catch(() => {})
  }
  const client: FakeClient = {
    ask(method, params = {}) {
      const id = `ask-${waiting.size}`
      send({ id, method, params })
      return new Promise((resolve) => waiting.set(id, resolve))
    },
    notify: (method, params = {}) => send({ method, params }),
  }
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- no event target
  transport.onmessage = (message) => {
    if (!('method' in message))
      waiting.get(message.id)?.('result' in message ? message.result : message.error)
    else if ('id' in message) void answer(message.id, message.method, message.params ?? {})
  }
  const answer = async (id: unknown, method: string, params: Params): Promise<void> => {
    try {
      const result = await resultOf(method, params)
      if (result !== undefined) send({ id, result })
    } catch (error) {
      if (!(error instanceof ProtocolFault)) throw error
      send({ id, error: error.fault })
    }
  }
  const resultOf = (method: string, params: Params): unknown => {
    if (method === 'initialize') return introduce(fake, params)
    if (method === 'tools/call') return fake.call?.(params, client)
    const answered = fake.other?.(method, params)
    return answered ?? (method === 'tools/list' ? { tools: fake.tools ?? [] } : {})
  }
  void transport.start()
}

function introduce({ capabilities = { tools: {} }, instructions }: FakeServer, params: Params): Params {
  const { protocolVersion } = params
  return {
    protocolVersion,
    capabilities,
    serverInfo: { name: 'fake', version: '1' },
    ...(instructions !== undefined && { instructions }),
  }
}

/** A tool as a server lists it. */
export function listed(name: string, more: Params = {}): Params {
  return { name, description: `does ${name}`, inputSchema: { type: 'object' }, ...more }
}
