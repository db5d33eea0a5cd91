import { type CallView, defineTool, type HookVerdict, type JsonObject, type Tool } from '@x/contract'
import { z } from 'zod'

/** A tool of the given name that takes anything. */
export function toolNamed(name: string, more: Partial<Tool> = {}): Tool {
  return {
    ...defineTool({
      name,
      description: name,
      inputSchema: z.looseObject({}),
      call: async () => ({ data: '' }),
      mapResult: (output, id) => ({ type: 'tool_result', tool_use_id: id, content: output }),
    }),
    ...more,
  }
}

/** One call as the executor shows it. */
export function viewOf(
  tool: string | Tool,
  input: JsonObject,
  more: { hook?: HookVerdict; agent?: string; isMandatory?: boolean } = {},
): CallView & { hook?: HookVerdict } {
  const { hook, agent, isMandatory = false } = more
  const call = typeof tool === 'string' ? toolNamed(tool) : tool
  const context: CallView['context'] = {
    cwd: '/repo',
    toolUseId: 'toolu_1',
    messages: [],
    options: { tools: [call], model: 'm', isNonInteractive: false, projectDir: '/repo' },
    abortController: new AbortController(),
    chain: { id: 'c', depth: 0 },
    files: { get: () => undefined, set: () => {}, delete: () => {} },
    getState: (key) => key.initial(),
    setState: () => {},
    flags: { isPermissionCheckMandatory: isMandatory },
    ...(agent === undefined ? {} : { agent: { id: agent, type: 'Explore' } }),
  }
  return {
    tool: call,
    toolUseId: 'toolu_1',
    input,
    context,
    signal: context.abortController.signal,
    ...(hook === undefined ? {} : { hook }),
  }
}
