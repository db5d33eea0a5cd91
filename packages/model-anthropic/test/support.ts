import type { Model, ModelEvent, ModelRequest } from '@x/contract'
import { type AnthropicModelOptions, createAnthropicModel } from '@x/model-anthropic'
import type { ScriptEntry, ScriptedServer, ScriptedServerOptions } from '@x/model-anthropic/testing'
import { startScriptedServer } from '@x/model-anthropic/testing'

/** A request with everything but what a test is about. */
export function ask(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'claude-sonnet-5-5',
    system: [],
    tools: [],
    messages: [{ role: 'user', content: 'hi' }],
    signal: new AbortController().signal,
    ...overrides,
  }
}

/** Everything a stream gave, and what it threw. */
export interface Outcome {
  readonly events: readonly ModelEvent[]
  readonly failure: unknown
}

/** Reads a stream to its end or its failure. `onEvent` is told the place of each event. */
export async function collect(
  stream: AsyncIterable<ModelEvent>,
  onEvent: (index: number) => unknown = () => undefined,
): Promise<Outcome> {
  const events: ModelEvent[] = []
  try {
    for await (const event of stream) onEvent(events.push(event) - 1)
    return { events, failure: undefined }
  } catch (failure) {
    return { events, failure }
  }
}

/** A server and a model that speaks to it. */
export interface Pair extends AsyncDisposable {
  readonly server: ScriptedServer
  readonly model: Model
}

/** Starts a server with a script and a model for it. */
export async function pair(
  script: readonly ScriptEntry[],
  options: AnthropicModelOptions & { readonly serverOptions?: ScriptedServerOptions } = {},
): Promise<Pair> {
  const { serverOptions, ...modelOptions } = options
  const server = await startScriptedServer({ script, ...serverOptions })
  const model = createAnthropicModel({ baseURL: server.url, ...modelOptions })
  return { server, model, [Symbol.asyncDispose]: () => server.close() }
}

/** Asks once and reads the whole answer. */
export async function once(script: ScriptEntry, options: Parameters<typeof pair>[1] = {}): Promise<Outcome> {
  await using both = await pair([script], options)
  return await collect(both.model.stream(ask()))
}

/** The finished blocks of an outcome. */
export function blocks({ events }: Outcome): readonly unknown[] {
  return events.flatMap((event) => (event.type === 'block-end' ? [event.block] : []))
}
