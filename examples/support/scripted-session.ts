import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type RecordedRequest,
  type Reply,
  type ScriptEntry,
  startScriptedServer,
  status,
} from '@x/model-anthropic/testing'
import { type Query, type QueryOptions, type QueryParameters, query } from '@x/session'

/** What the model says: to whoever asks next, or in each conversation that begins with a prompt that holds the name. */
export type Script = readonly ScriptEntry[] | Readonly<Record<string, readonly Reply[]>>

/** A session against a scripted model, in a temporary folder. */
export interface ScriptedSession extends AsyncDisposable {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** What the model was sent, as text. */
  requests(): readonly string[]
  ask(prompt: QueryParameters['prompt'], options?: QueryOptions): Query
}

/** Starts the model and makes the folder with these files in it. Both are gone when the session is disposed. */
export async function startScriptedSession(
  script: Script,
  files: Readonly<Record<string, string>> = {},
): Promise<ScriptedSession> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'x-example-')))
  for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content)
  const server = await startScriptedServer(isList(script) ? { script } : { respond: byConversation(script) })
  const env = {
    ...process.env,
    X_HOME: join(cwd, '.x'),
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: undefined,
  }
  return {
    cwd,
    env,
    requests: () => server.requests.map(({ body }) => JSON.stringify(body)),
    ask: (prompt, options = {}) => query({ prompt, options: { cwd, env, ...options } }),
    async [Symbol.asyncDispose]() {
      await server.close()
      await rm(cwd, { recursive: true, force: true })
    },
  }
}

function isList(script: Script): script is readonly ScriptEntry[] {
  return Array.isArray(script)
}

/** Agents side by side ask in any order: each gets the next answer of its own conversation. */
function byConversation(
  script: Readonly<Record<string, readonly Reply[]>>,
): (request: RecordedRequest) => Reply {
  const waiting = new Map(Object.entries(script).map(([name, replies]) => [name, [...replies]]))
  return ({ body }) => {
    const beginning = JSON.stringify(body.messages[0]?.content)
    const [, replies] = [...waiting].find(([name]) => beginning.includes(name)) ?? []
    return replies?.shift() ?? status(400, { message: 'the script says nothing here' })
  }
}
