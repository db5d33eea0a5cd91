import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ScriptEntry, startScriptedServer } from '@x/model-anthropic/testing'
import { type Query, type QueryOptions, type QueryParameters, query } from '@x/session'

/** A session against a scripted model, in a temporary folder. */
export interface ScriptedSession extends AsyncDisposable {
  readonly cwd: string
  /** What the model was sent, as text. */
  requests(): readonly string[]
  ask(prompt: QueryParameters['prompt'], options?: QueryOptions): Query
}

/** Starts the model and makes the folder with these files in it. Both are gone when the session is disposed. */
export async function startScriptedSession(
  script: readonly ScriptEntry[],
  files: Readonly<Record<string, string>> = {},
): Promise<ScriptedSession> {
  const cwd = await mkdtemp(join(tmpdir(), 'x-example-'))
  for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content)
  const server = await startScriptedServer({ script })
  return {
    cwd,
    requests: () => server.requests.map(({ body }) => JSON.stringify(body)),
    ask: (prompt, options = {}) =>
      query({
        prompt,
        options: {
          cwd,
          env: {
            ...process.env,
            X_HOME: join(cwd, '.x'),
            ANTHROPIC_BASE_URL: server.url,
            ANTHROPIC_API_KEY: undefined,
          },
          ...options,
        },
      }),
    async [Symbol.asyncDispose]() {
      await server.close()
      await rm(cwd, { recursive: true, force: true })
    },
  }
}
