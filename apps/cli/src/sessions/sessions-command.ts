import { rm, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { checkpointFolder, stateFolder } from '@x/session'
import { createSessionStore, type SessionListing, type SessionStore } from '@x/transcript'
import { print } from '../print.ts'
import { runGroup } from '../run-group.ts'
import { findNamed } from './find-named.ts'
import { listPrompts, rewindSession } from './rewind-session.ts'
import { usage } from './usage.ts'

/** Shows and changes the sessions that are kept; resolves with the exit code. */
export function runSessionsCommand(argv: readonly string[]): Promise<number> {
  const store = createSessionStore({ stateFolder: stateFolder(process.env) })
  const bound = Object.entries(commands).map(
    ([name, command]) => [name, (rest: readonly string[]) => command(store, rest)] as const,
  )
  return runGroup({ name: 'sessions', usage, commands: Object.fromEntries(bound) }, argv)
}

type Command = (store: SessionStore, argv: readonly string[]) => Promise<number>

const commands: Readonly<Record<string, Command>> = {
  list,
  show,
  export: exportSession,
  rename,
  rm: remove,
  prompts: listPrompts,
  rewind: rewindSession,
}

async function list(store: SessionStore, argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: { all: { type: 'boolean' }, json: { type: 'boolean' } },
  })
  const sessions = await store.list(values.all === true ? {} : { cwd: process.cwd() })
  if (values.json === true) process.stdout.write(`${JSON.stringify(sessions, undefined, 2)}\n`)
  else if (sessions.length === 0) process.stdout.write('No sessions are kept for this folder.\n')
  else for (const session of sessions) print(toLine(session))
  return 0
}

function toLine({ id, title, modifiedAtMs, gitBranch }: SessionListing): string {
  const at = new Date(modifiedAtMs).toISOString().slice(0, 16).replace('T', ' ')
  const branch = gitBranch === undefined || gitBranch === '' ? '' : ` [${gitBranch}]`
  return `${id}  ${at}${branch}  ${title.replaceAll(/\s+/g, ' ')}`
}

async function show(store: SessionStore, argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseNamed(argv, { json: { type: 'boolean' } })
  const place = await findNamed(store, oneName(positionals), process.cwd())
  process.stdout.write(`${await store.export(place.id, values['json'] === true ? 'json' : 'markdown')}\n`)
  return 0
}

async function exportSession(store: SessionStore, argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseNamed(argv, {
    json: { type: 'boolean' },
    output: { type: 'string' },
  })
  const place = await findNamed(store, oneName(positionals), process.cwd())
  const content = await store.export(place.id, values['json'] === true ? 'json' : 'markdown')
  const file = values['output']
  if (typeof file === 'string') await writeFile(file, `${content}\n`, { flag: 'wx' })
  else process.stdout.write(`${content}\n`)
  return 0
}

async function rename(store: SessionStore, argv: readonly string[]): Promise<number> {
  const [name, title, ...others] = argv
  if (name === undefined || title === undefined || others.length > 0)
    throw new TypeError(`Name a session and what it is to be called.\n${usage}`)
  await store.rename((await findNamed(store, name, process.cwd())).id, title)
  return 0
}

async function remove(store: SessionStore, argv: readonly string[]): Promise<number> {
  if (argv.length === 0) throw new TypeError(`Name a session.\n${usage}`)
  for (const name of argv) {
    const { id } = await findNamed(store, name, process.cwd())
    await store.remove(id)
    await rm(checkpointFolder(stateFolder(process.env), id), { recursive: true, force: true })
    process.stdout.write(`Removed ${id}\n`)
  }
  return 0
}

function parseNamed(
  argv: readonly string[],
  options: Readonly<Record<string, { readonly type: 'boolean' | 'string' }>>,
) {
  return parseArgs({ args: [...argv], allowPositionals: true, options })
}

function oneName(positionals: readonly string[]): string {
  const [name, ...others] = positionals
  if (name === undefined || others.length > 0) throw new TypeError(`Name one session.\n${usage}`)
  return name
}
