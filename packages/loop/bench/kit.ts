import type { Model, Tool } from '@x/contract'
import type { QueryOptions } from '../src/index.ts'

/** The usage that a made-up model tells. */
export const usage = {
  input_tokens: 10,
  output_tokens: 10,
  cache_creation_input_tokens: null,
  cache_read_input_tokens: null,
}

/** What every measured query is made of: one tool, all allowed, nothing kept. */
export function queryOptions(model: Model, tool: Tool): Omit<QueryOptions, 'controller'> {
  return {
    model,
    modelName: 'bench',
    prompt: [{ role: 'user', content: 'Go' }],
    tools: () => [tool],
    context: {
      cwd: '/project',
      messages: [],
      options: { tools: [], model: 'bench', isNonInteractive: true, projectDir: '/project' },
      chain: { id: 'chain', depth: 0 },
      files: new Map(),
      getState: (key) => key.initial(),
      setState: () => undefined,
    },
    authorize: async () => ({ behavior: 'allow', reason: { type: 'mode', detail: 'bench' } }),
    history: { append: async () => undefined },
  }
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
