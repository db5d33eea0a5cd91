import { mkdirSync, writeFileSync } from 'node:fs'
import { loadSessionSettings, type SessionSettings } from '../src/index.ts'
import type { Scripted } from './scripted.ts'

interface Handler {
  readonly type?: string
  readonly command?: string
  readonly [key: string]: unknown
}

/** Writes hooks into the project's settings; each entry is a handler, or a matcher and a handler. */
export function configure(
  scripted: Scripted,
  hooks: Readonly<Record<string, readonly (Handler | readonly [string, Handler])[]>>,
): void {
  const groups = Object.entries(hooks).map(([event, entries]) => [
    event,
    entries.map((entry) => {
      const [matcher, handler] = isPair(entry) ? entry : [undefined, entry]
      return { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', ...handler }] }
    }),
  ])
  mkdirSync(scripted.path('.claude'), { recursive: true })
  writeFileSync(scripted.path('.claude/settings.json'), JSON.stringify({ hooks: Object.fromEntries(groups) }))
}

function isPair(entry: Handler | readonly [string, Handler]): entry is readonly [string, Handler] {
  return Array.isArray(entry)
}

/** The settings of the project, its own home beside it. */
export function load(scripted: Scripted): Promise<SessionSettings> {
  const home = scripted.path('home')
  return loadSessionSettings({ cwd: scripted.cwd, home, env: scripted.env, managedFolder: false })
}

/** Everything that the model was told in one request, as one text. */
export function told({ server }: Scripted, index: number): string {
  return JSON.stringify(server.requests[index]?.body.messages ?? '')
}

/** A command that prints an answer of a hook. */
export function answer(fields: Readonly<Record<string, unknown>>): string {
  return `echo '${JSON.stringify(fields)}'`
}
