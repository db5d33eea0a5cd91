import type { ModelRequest } from '@x/contract'
import { cacheMarker, placeMarkers } from './cache-markers.ts'
import { ByteCache } from './json-bytes.ts'
import { modelLimits, supportedEffort, wireName } from './model-limits.ts'
import type { AnthropicModelOptions, ThinkingOption } from './options.ts'

/** Writes the bodies of requests. Every message, tool and system block becomes bytes once, however many turns send it. */
export class RequestEncoder {
  readonly #options: AnthropicModelOptions
  readonly #cache = new ByteCache()

  constructor(options: AnthropicModelOptions) {
    this.#options = options
  }

  /**
   * Gives the body of a request as UTF-8 JSON, in pieces: joined, a late turn would copy the whole history.
   *
   * The order is settings, tools, system, messages, so that two turns of one conversation begin with the same bytes.
   */
  encode(request: ModelRequest): readonly Uint8Array[] {
    const marker = cacheMarker(request.model, this.#options)
    const marked = placeMarkers(request, marker)
    const parts: Uint8Array[] = [Buffer.from(`{${this.#settings(request)}`)]
    const list = (name: string, items: readonly Uint8Array[]): void => {
      parts.push(Buffer.from(`,"${name}":[`))
      for (const [index, item] of items.entries()) parts.push(index === 0 ? item.subarray(1) : item)
      parts.push(Buffer.from(']'))
    }
    if (request.tools.length > 0) {
      list(
        'tools',
        request.tools.map((tool) => this.#cache.tool(tool, tool === marked.tool ? marker : null)),
      )
    }
    if (request.system.length > 0) {
      list(
        'system',
        request.system.map((block) => this.#cache.system(block, block === marked.system ? marker : null)),
      )
    }
    list(
      'messages',
      request.messages.map((message) =>
        this.#cache.message(message, marked.messages.has(message) ? marker : null),
      ),
    )
    parts.push(Buffer.from('}'))
    return parts
  }

  #settings(request: ModelRequest): string {
    const { extraBody } = this.#options
    const maxTokens =
      request.maxOutputTokens ?? this.#options.maxOutputTokens ?? modelLimits(request.model).maxOutputTokens
    const thinking = toWireThinking(request.model, this.#options.thinking, maxTokens)
    const effort = supportedEffort(request.model, request.effort ?? this.#options.effort)
    const settings = {
      model: wireName(request.model),
      max_tokens: maxTokens,
      ...(thinking === undefined ? {} : { thinking }),
      ...(effort === undefined ? {} : { output_config: { effort } }),
      ...extraBody,
      stream: true,
    }
    const kept = Object.entries(settings).filter(([name]) => !ownFields.has(name))
    return JSON.stringify(Object.fromEntries(kept)).slice(1, -1)
  }
}

const ownFields: ReadonlySet<string> = new Set(['tools', 'system', 'messages'])
const LEAST_BUDGET = 1024

function toWireThinking(
  model: string,
  option: ThinkingOption | undefined,
  maxTokens: number,
): object | undefined {
  const { thinking } = modelLimits(model)
  switch (option?.type) {
    case undefined:
      return undefined
    case 'disabled':
      return thinking === 'always' ? undefined : { type: 'disabled' }
    case 'adaptive':
      return thinking === 'budget' ? undefined : { type: 'adaptive' }
    case 'enabled':
      return thinking === 'adaptive' || thinking === 'always'
        ? { type: 'adaptive' }
        : toBudget(option.budgetTokens, maxTokens)
  }
}

// The budget is a part of the output limit, and the service refuses one that does not fit.
function toBudget(budgetTokens: number, maxTokens: number): object | undefined {
  const budget = Math.min(budgetTokens, maxTokens - 1)
  return budget < LEAST_BUDGET ? undefined : { type: 'enabled', budget_tokens: budget }
}
