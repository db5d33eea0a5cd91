import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { AssistantMessage, CanUseTool, Tool, ToolUseContext } from '@x/contract'
import {
  createGlobTool,
  createGrepTool,
  type GlobToolOptions,
  type GlobToolResult,
  type GrepToolOptions,
  type GrepToolResult,
} from '@x/tools-search'
import type { ZodType } from 'zod'

/** The answer to one call, as the program and as the model see it. */
interface Answer<Output> {
  readonly data: Output
  readonly text: string
}

/** A temporary folder with both tools in it. */
export interface Session extends AsyncDisposable {
  readonly cwd: string
  path(name: string): string
  /** Makes a file; `age` in seconds makes it older. */
  write(name: string, content?: string | Uint8Array, age?: number): Promise<void>
  grep(input: object, context?: Partial<ToolUseContext>): Promise<Answer<GrepToolResult>>
  glob(input: object, context?: Partial<ToolUseContext>): Promise<Answer<GlobToolResult>>
}

export interface SessionSettings {
  readonly grep?: GrepToolOptions
  readonly glob?: GlobToolOptions
  /** Files by name. */
  readonly files?: Readonly<Record<string, string>>
}

export async function openSession({ grep, glob, files = {} }: SessionSettings = {}): Promise<Session> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'tools-search-')))
  const grepTool = createGrepTool(grep)
  const globTool = createGlobTool(glob)
  const session: Session = {
    cwd,
    path: (name) => join(cwd, name),
    async write(name, content = '', age = 0) {
      const path = join(cwd, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content)
      const time = Date.now() / 1000 - age
      await utimes(path, time, time)
    },
    grep: (input, context) => run(grepTool, input, makeContext(cwd, context)),
    glob: (input, context) => run(globTool, input, makeContext(cwd, context)),
    [Symbol.asyncDispose]: () => rm(cwd, { recursive: true, force: true }),
  }
  for (const [name, content] of Object.entries(files)) await session.write(name, content)
  return session
}

function makeContext(cwd: string, more: Partial<ToolUseContext> = {}): ToolUseContext {
  return {
    cwd,
    toolUseId: 'call_1',
    messages: [],
    options: { tools: [], model: 'none', isNonInteractive: true, projectDir: cwd },
    abortController: new AbortController(),
    chain: { id: 'chain', depth: 0 },
    files: { get: () => undefined, set: () => {}, delete: () => {} },
    getState: (key) => key.initial(),
    setState: () => {},
    ...more,
  }
}

const allow: CanUseTool = async () => ({ behavior: 'allow', reason: { type: 'mode', detail: 'test' } })
const message: AssistantMessage = { role: 'assistant', content: [] }

/** The steps of the executor that matter here: parse, validate, call, map. */
async function run<Output>(
  tool: Tool<ZodType, Output, never>,
  input: object,
  context: ToolUseContext,
): Promise<Answer<Output>> {
  const parsed = tool.inputSchema.parse(input)
  const verdict = await tool.validateInput?.(parsed, context)
  if (verdict?.ok === false) throw new Error(verdict.message)
  const { data } = await tool.call(parsed, context, allow, message, () => {})
  const { content } = tool.mapResult(data, context.toolUseId)
  return { data, text: typeof content === 'string' ? content : '' }
}
