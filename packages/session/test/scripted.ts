import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ResultRecord, SessionEvent, ToolResultBlock } from '@x/contract'
import { createAsyncQueue } from '@x/executor'
import {
  type RecordedRequest,
  type ScriptEntry,
  type ScriptedServer,
  startScriptedServer,
} from '@x/model-anthropic/testing'
import { type Query, type QueryOptions, type QueryParameters, query, type UserInput } from '../src/index.ts'

/** A scripted model and a folder to work in; both are gone when disposed. */
export class Scripted implements AsyncDisposable {
  readonly cwd: string
  readonly server: ScriptedServer

  static async start(
    script: readonly ScriptEntry[],
    files: Readonly<Record<string, string>> = {},
  ): Promise<Scripted> {
    const server = await startScriptedServer({ script })
    return new Scripted(server, files)
  }

  constructor(server: ScriptedServer, files: Readonly<Record<string, string>>) {
    this.server = server
    this.cwd = realpathSync(mkdtempSync(join(tmpdir(), 'x-session-')))
    for (const [name, content] of Object.entries(files)) writeFileSync(join(this.cwd, name), content)
  }

  get env(): Record<string, string | undefined> {
    return {
      ...process.env,
      X_HOME: join(this.cwd, '.x'),
      ANTHROPIC_BASE_URL: this.server.url,
      ANTHROPIC_API_KEY: 'sk-test-123',
      ANTHROPIC_AUTH_TOKEN: undefined,
    }
  }

  ask(prompt: QueryParameters['prompt'], options: QueryOptions = {}): Query {
    return query({ prompt, options: { cwd: this.cwd, env: this.env, ...options } })
  }

  path(name: string): string {
    return join(this.cwd, name)
  }

  read(name: string): string | undefined {
    return existsSync(this.path(name)) ? readFileSync(this.path(name), 'utf8') : undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close()
    rmSync(this.cwd, { recursive: true, force: true })
  }
}

/** Reads a session to its end. */
export async function collect(running: AsyncIterable<SessionEvent>): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = []
  for await (const event of running) events.push(event)
  return events
}

/** The result records, in order. */
export function resultsOf(events: readonly SessionEvent[]): readonly ResultRecord[] {
  return events.filter((event) => event.type === 'result')
}

/** The tool results that were handed out, in order. */
export function toolResultsOf(events: readonly SessionEvent[]): readonly ToolResultBlock[] {
  return events.flatMap((event) => {
    if (event.type !== 'user' || typeof event.message.content === 'string') return []
    // Results of the session's own calls hold no foreign blocks.
    return event.message.content.filter((block) => block.type === 'tool_result') as ToolResultBlock[]
  })
}

/** The text of a tool result. */
export function textOf(block: ToolResultBlock | undefined): string {
  const content = block?.content ?? ''
  return typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

type Blocks = Exclude<RecordedRequest['body']['messages'][number]['content'], string>

/** What a request holds, in the order the service caches it, without the marks where it is to cache. */
export function requestRows({ body }: RecordedRequest): readonly string[] {
  const blocks = body.messages.flatMap(({ role, content }): readonly string[] => {
    const all: Blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    return all.map((block) => JSON.stringify([role, { ...block, cache_control: undefined }]))
  })
  return [JSON.stringify(body.model), JSON.stringify(body.system), JSON.stringify(body.tools), ...blocks]
}

/** What a person says while the session runs. */
export interface Talk {
  readonly prompt: AsyncIterable<UserInput>
  say(input: UserInput | string): void
  end(): void
}

/** A prompt that is said piece by piece. */
export function createTalk(): Talk {
  const queue = createAsyncQueue<UserInput>()
  return {
    prompt: queue,
    say: (input) =>
      queue.push(
        typeof input === 'string' ? { type: 'user', message: { role: 'user', content: input } } : input,
      ),
    end: () => queue.end(),
  }
}
