import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { TranscriptError } from './errors.ts'
import { isUuid, toProjectName } from './names.ts'
import { readSummary, type SessionSummary } from './summary.ts'

/** Where one session is. */
export interface SessionPlace {
  /** Its id, a UUID. */
  readonly id: string
  /** Its project, as the folder is called. */
  readonly project: string
  /** Its transcript. */
  readonly path: string
  /** The folder of what belongs to it: `subagents`, `tool-results`. It may not be there. */
  readonly folder: string
}

/** A session in a list. */
export interface SessionListing extends SessionPlace, SessionSummary {}

/** The projects of working folders, each once. */
export async function projectsOf(cwd: string | readonly string[]): Promise<readonly string[]> {
  const folders = typeof cwd === 'string' ? [cwd] : cwd
  return [...new Set(await Promise.all(folders.map(toProjectName)))]
}

/** Where a session of a project is. Both names are checked before. */
export function placeOf(root: string, project: string, id: string): SessionPlace {
  return { id, project, path: join(root, project, `${id}.jsonl`), folder: join(root, project, id) }
}

/** All projects of a store. */
export async function listProjects(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** The sessions of a project, whatever is in them. */
export async function placesIn(root: string, project: string): Promise<readonly SessionPlace[]> {
  const names = await readdir(join(root, project)).catch(() => [])
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => basename(name, '.jsonl'))
    .filter(isUuid)
    .map((id) => placeOf(root, project, id))
}

/** What a list shows of the sessions of projects, the latest first. */
export async function listSessions(
  root: string,
  projects: readonly string[],
): Promise<readonly SessionListing[]> {
  const listed: SessionListing[] = []
  for (const project of projects) {
    for (const place of await placesIn(root, project)) {
      const summary = await readSummary(place.path)
      if (summary !== undefined) listed.push({ ...place, ...summary })
    }
  }
  return listed.sort((one, other) => other.modifiedAtMs - one.modifiedAtMs)
}

/** The sessions of these projects that answer to an id, or to the name a person gave. */
export async function search(
  root: string,
  projects: readonly string[],
  idOrName: string,
): Promise<readonly SessionPlace[]> {
  if (isUuid(idOrName))
    return withFile(projects.map((project) => placeOf(root, project, idOrName.toLowerCase())))
  return (await listSessions(root, projects)).filter(({ customTitle }) => customTitle === idOrName)
}

/** The session that was meant, if it is clear which. */
export function onlyOne(found: readonly SessionPlace[], idOrName: string): SessionPlace {
  const [place, ...others] = found
  if (place === undefined) return notFound(idOrName)
  if (others.length === 0) return place
  const ids = found.map(({ id, project }) => `${id} (${project})`).join(', ')
  throw new TranscriptError('ambiguous', `Several conversations answer to ${idOrName}: ${ids}`)
}

async function withFile(places: readonly SessionPlace[]): Promise<readonly SessionPlace[]> {
  const found: SessionPlace[] = []
  for (const place of places)
    if ((await stat(place.path).catch(() => undefined))?.isFile() === true) found.push(place)
  return found
}

/** Says that nothing was found, in the words that scripts know. */
export function notFound(idOrName: string): never {
  throw new TranscriptError('not-found', `No conversation found with session ID: ${idOrName}`)
}
