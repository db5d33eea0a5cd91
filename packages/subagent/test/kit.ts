import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type AgentRequest,
  type AssistantMessage,
  type ContentBlock,
  callTool,
  createToolUseContext,
  defineTool,
  type Message,
  type RunAgent,
  type TerminalReason,
  type Tool,
  type ToolResultBlock,
  type ToolResultPart,
  type ToolUseContext,
} from '@x/contract'
import { z } from 'zod'
import {
  type AgentDefinition,
  type AgentEnded,
  type AgentOutput,
  type AgentsOptions,
  createAgents,
  createAgentTool,
  createSendMessageTool,
} from '../src/index.ts'

/** One answer of the scripted model. */
type Answer = string | readonly ContentBlock[] | Error

/** What a scripted model says, by what it was asked. */
export type Script = (request: AgentRequest, messages: readonly Message[]) => Answer | Promise<Answer>

const usage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

let callCount = 0

/** A call of a tool. */
export function call(name: string, input: unknown = {}): ContentBlock {
  callCount += 1
  return { type: 'tool_use', id: `toolu_${callCount}`, name, input }
}

export function say(text: string): ContentBlock {
  return { type: 'text', text }
}

/** A user message that is a text, or the results of calls. */
export function textsOf(messages: readonly Message[]): string {
  return messages
    .map(({ content }) => (typeof content === 'string' ? content : content.map(textOfBlock).join('\n')))
    .join('\n')
}

function textOfBlock(block: ContentBlock | ToolResultPart): string {
  if (block.type === 'text') return block.text
  if (block.type !== 'tool_result') return ''
  const { content = [] } = block
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

/** A small query loop around a scripted model: turns, calls side by side, abort, turn limit, a log before each request. */
export function scriptedLoop(script: Script): RunAgent {
  return async (request) => {
    const messages: Message[] = [...request.history, ...request.prompt]
    let logged = request.history.length
    let toolTurns = 0
    const end = async (reason: TerminalReason, error?: string) => {
      await request.log.append(messages.slice(logged))
      return { reason, messages, ...(error !== undefined && { error }) }
    }
    for (;;) {
      if (request.signal.aborted) return end('aborted_streaming')
      await request.log.append(messages.slice(logged))
      logged = messages.length
      const answer = await untilAborted(request.signal, async () => script(request, messages))
      if (answer === undefined) return end('aborted_streaming')
      if (answer instanceof Error) return end('api_error', answer.message)
      const message = tell(request, answer)
      messages.push(message)
      const asked = messages.slice(0, -1)
      const calls = callsOf(message)
      if (calls.length === 0) return end('completed')
      toolTurns += 1
      const isOver = toolTurns > (request.maxTurns ?? Infinity)
      const results = await Promise.all(
        calls.map((one) => runCall(isOver ? { ...request, tools: [] } : request, asked, one)),
      )
      messages.push({ role: 'user', content: results })
      if (isOver) return end('max_turns')
      if (request.signal.aborted) return end('aborted_tools')
      messages.push(...request.pendingMessages())
    }
  }
}

type Call = Extract<ContentBlock, { type: 'tool_use' }>

function tell(request: AgentRequest, answer: Exclude<Answer, Error>): AssistantMessage {
  callCount += 1
  const id = `msg_${callCount}`
  const content = typeof answer === 'string' ? [say(answer)] : [...answer]
  const message: AssistantMessage = { role: 'assistant', id, content }
  request.onEvent({
    type: 'assistant',
    message: { ...message, usage },
    parent_tool_use_id: request.parentToolUseId,
  })
  return message
}

function callsOf({ content }: AssistantMessage): readonly Call[] {
  return typeof content === 'string' ? [] : content.filter((block) => block.type === 'tool_use')
}

async function runCall(
  request: AgentRequest,
  messages: readonly Message[],
  { id, name, input }: Call,
): Promise<ToolResultBlock> {
  const fail = (content: string): ToolResultBlock => ({
    type: 'tool_result',
    tool_use_id: id,
    content,
    is_error: true,
  })
  const tool = request.tools.find((one) => one.name === name)
  if (tool === undefined) return fail(`No such tool: ${name}`)
  const controller = new AbortController()
  const abort = (): void => controller.abort(request.signal.reason)
  if (request.signal.aborted) abort()
  request.signal.addEventListener('abort', abort)
  const context = { ...request.context, toolUseId: id, messages, abortController: controller }
  try {
    const verdict = await tool.validateInput?.(input, context)
    if (verdict?.ok === false) return fail(verdict.message)
    const result = await tool.call(
      tool.inputSchema.parse(input),
      context,
      deny,
      { role: 'assistant', content: [] },
      () => {},
    )
    return { ...tool.mapResult(result.data, id), ...(result.isError === true && { is_error: true }) }
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  } finally {
    request.signal.removeEventListener('abort', abort)
  }
}

const deny = async () =>
  ({ behavior: 'deny', message: 'no', reason: { type: 'nobody-to-ask', detail: 'test' } }) as const

/** Undefined where the signal came first. */
async function untilAborted<Value>(
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const leave = (): void => resolve(undefined)
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave)
  try {
    return await Promise.race([work(), promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** A tool that does nothing, or what it is told to. */
export function fakeTool(
  name: string,
  work: (context: ToolUseContext, input: unknown) => unknown = () => 'done',
): Tool {
  return defineTool({
    name,
    description: name,
    inputSchema: z.looseObject({}),
    call: async (input, context) => ({ data: String(await work(context, input)) }),
    mapResult: (data, id) => ({ type: 'tool_result', tool_use_id: id, content: data }),
  })
}

export function define(name: string, more: Partial<AgentDefinition> = {}): AgentDefinition {
  return { name, description: `The ${name} agent`, prompt: `You are ${name}.`, source: 'project', ...more }
}

/** A context of the main session. */
export function mainContext(
  more: Partial<ToolUseContext> & { tools?: readonly Tool[] } = {},
): ToolUseContext {
  const { tools = [fakeTool('Read'), fakeTool('Write'), fakeTool('Edit')], options, ...rest } = more
  return createToolUseContext({
    cwd: '/project',
    toolUseId: 'toolu_main',
    options: { tools, model: 'main-model', ...options },
    chain: { id: 'chain', depth: 0 },
    ...rest,
  })
}

/** Agents with a scripted model, and their tools. */
export function setUp(script: Script, more: Partial<AgentsOptions> = {}) {
  const agents = createAgents({
    definitions: () => [define('general-purpose'), define('worker')],
    runAgent: scriptedLoop(script),
    env: {},
    describePlace: (cwd) => `Working folder: ${cwd}`,
    abortGraceMs: 200,
    ...more,
  })
  const agentTool = createAgentTool(agents)
  const sendTool = createSendMessageTool(agents)
  return { agents, agentTool, sendTool }
}

export const task = { description: 'look around', prompt: 'Find X.' }

/** Calls the Agent tool once in the main session. */
export async function runTool(
  script: Script,
  input = {},
  more: Partial<AgentsOptions> & { context?: object } = {},
) {
  const { context, ...options } = more
  const { agentTool, agents } = setUp(script, options)
  const outcome = await callTool(agentTool, { ...task, ...input }, mainContext(context))
  return { ...outcome, agents, text: textsOf([{ role: 'user', content: [outcome.result] }]) }
}

export function ended(output: AgentOutput): AgentEnded {
  if (output.status === 'async_launched') throw new Error('the agent runs in the background')
  return output
}

/** A promise that the test settles. */
export function gate<Value = void>() {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  return { promise, open: resolve, fail: reject }
}

/** Lets everything that is ready run. */
export async function settle(rounds = 20): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** A folder that is gone when the test ends. */
export class TemporaryFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'x-subagent-'))

  write(name: string, content: string): string {
    const file = join(this.path, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
