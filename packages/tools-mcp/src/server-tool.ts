import type { InputJsonSchema, JsonObject } from '@x/contract'
import { toInputJsonSchema } from './input-json-schema.ts'
import { isRecord, toRecord } from './is-record.ts'
import { listPages } from './list-pages.ts'
import type { McpClient } from './open-client.ts'

/** A tool as its server describes it, checked. */
export interface ServerTool {
  /** Its name at the server. */
  readonly name: string
  /** For the model; `''` when the server says nothing. */
  readonly description: string
  /** The schema to send to the model. */
  readonly inputJsonSchema: InputJsonSchema
  /** The schema as it came, to check inputs with. */
  readonly inputSchema: JsonObject
  /** What the server says about its effects. */
  readonly annotations: JsonObject
  /** The server's further words. */
  readonly meta: JsonObject
}

/** What a server offers. */
export interface ToolListing {
  /** Tools that can be used, each name once, in the server's order. */
  readonly tools: readonly ServerTool[]
  /** What was left out, and why; one line each. */
  readonly problems: readonly string[]
}

/** No model is shown more, and every change of the list costs time for each of them. */
const MAX_TOOLS = 2000

/** Asks a server for its tools, page by page. One that cannot be used is left out and named; it hides no other. */
export async function listServerTools(
  client: McpClient,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<ToolListing> {
  if (!client.offers.tools) return { tools: [], problems: [] }
  const things = { method: 'tools/list', field: 'tools', most: MAX_TOOLS }
  const { values, isCut } = await listPages(client, things, options)
  const { tools, problems } = readTools(values)
  return {
    tools,
    problems: isCut ? [...problems, `Of its tools only the first ${MAX_TOOLS} are looked at.`] : problems,
  }
}

function readTools(values: readonly unknown[]): ToolListing {
  const tools = new Map<string, ServerTool>()
  const problems: string[] = []
  for (const value of values) {
    const read = readTool(value)
    if (typeof read === 'string') problems.push(read)
    else if (tools.has(read.name))
      problems.push(`The tool ${show(read.name)} is offered twice; the first counts.`)
    else tools.set(read.name, read)
  }
  return { tools: [...tools.values()], problems }
}

function readTool(value: unknown): ServerTool | string {
  if (!isRecord(value)) return 'A tool is left out: it is no object.'
  const { name, description, inputSchema, annotations, _meta: meta, execution } = value
  if (typeof name !== 'string' || name.trim() === '') return 'A tool is left out: it has no name.'
  if (toRecord(execution)['taskSupport'] === 'required') {
    return `The tool ${show(name)} is left out: it runs as a task only, which is not supported.`
  }
  const schema = toInputJsonSchema(inputSchema)
  if (!schema.ok) return `The tool ${show(name)} is left out: ${schema.reason}.`
  return {
    name,
    description: typeof description === 'string' ? description : '',
    inputJsonSchema: schema.schema,
    inputSchema: toRecord(inputSchema),
    annotations: toRecord(annotations),
    meta: toRecord(meta),
  }
}

function show(name: string): string {
  return JSON.stringify(name.slice(0, 100))
}
