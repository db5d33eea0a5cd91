import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import {
  cleanUp,
  exportSession,
  forkSession,
  removeSession,
  renameSession,
  rewindSession,
} from './change-session.ts'
import type { SessionListing, SessionPlace } from './find-sessions.ts'
import {
  listProjects,
  listSessions,
  notFound,
  onlyOne,
  placeOf,
  projectsOf,
  search,
} from './find-sessions.ts'
import { checkSessionId, toProjectName } from './names.ts'
import { type Prompt, readPrompts } from './prompts.ts'

/** Where the sessions are. */
export interface SessionStoreOptions {
  /** The folder of the program's own state, `~/.x` usually. */
  readonly stateFolder: string
  /** The time in milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** Which sessions are listed. */
export interface ListSessionsOptions {
  /** Those of this folder; a list of folders where a project has several (worktrees). */
  readonly cwd?: string | readonly string[]
  /** The sessions of all projects. @default true without `cwd` */
  readonly allProjects?: boolean
}

/** How a session is copied. */
export interface ForkSessionOptions {
  /** `uuid` of the last record that is copied. @default the last one */
  readonly upTo?: string
  /** The id of the copy. @default a new one */
  readonly sessionId?: string
}

/** The sessions below a state folder. All ids that come from outside are checked before they become part of a path. */
export interface SessionStore {
  /** Name of the folder that holds the sessions of a working folder. */
  project(cwd: string): Promise<string>
  /**
   * Where a session of a working folder is, or will be.
   *
   * @throws TranscriptError `invalid-id` if the id is no UUID.
   */
  place(cwd: string, id: string): Promise<SessionPlace>
  /** Lists sessions, the latest first. What is no session, or cannot be read, is left out. */
  list(options?: ListSessionsOptions): Promise<readonly SessionListing[]>
  /**
   * Finds a session by its id or the name a person gave it: in the given folder (or folders), then in all projects if exactly one holds it.
   *
   * @throws TranscriptError `not-found` or `ambiguous`.
   */
  find(idOrName: string, cwd: string | readonly string[]): Promise<SessionPlace>
  /** The session of this folder that was written last; nothing if there is none. */
  latest(cwd: string | readonly string[]): Promise<SessionListing | undefined>
  /**
   * Removes a session and what belongs to it.
   *
   * @throws TranscriptError `invalid-id`, `not-found`, `ambiguous` or `in-use`.
   */
  remove(id: string): Promise<void>
  /**
   * Copies a session; the original is untouched, and may be in use. The copy has an id of its own and its title ends in ` (fork)`.
   *
   * @throws TranscriptError `invalid-id`, `not-found` or `ambiguous`.
   */
  fork(id: string, options?: ForkSessionOptions): Promise<SessionPlace>
  /**
   * Gives a session a name. One that is open is named by its writer (`appendMetadata`).
   *
   * @throws TranscriptError `invalid-id`, `not-found`, `ambiguous` or `in-use`.
   */
  rename(id: string, name: string): Promise<void>
  /**
   * Takes a conversation back to before a prompt (its `uuid`); what came later stays in the file.
   *
   * @throws TranscriptError `invalid-id`, `not-found`, `ambiguous` or `in-use`.
   */
  rewind(id: string, promptUuid: string): Promise<void>
  /**
   * What people said in a session, in order.
   *
   * @throws TranscriptError `invalid-id`, `not-found` or `ambiguous`.
   */
  prompts(id: string): Promise<readonly Prompt[]>
  /**
   * Writes a conversation out: `markdown` for people, `json` for programs (`{ id, title, messages }`).
   *
   * @throws TranscriptError `invalid-id`, `not-found` or `ambiguous`.
   */
  export(id: string, format: 'markdown' | 'json'): Promise<string>
  /**
   * Removes the sessions that were not written for so many days, but for those in use; gives their ids.
   *
   * @throws RangeError if `days` is less than 1.
   */
  cleanUp(days: number): Promise<readonly string[]>
}

/** Makes the store of the sessions below a state folder. Nothing is read or made before it is asked for. */
export function createSessionStore(options: SessionStoreOptions): SessionStore {
  const { stateFolder, now = Date.now } = options
  const root = join(stateFolder, 'projects')

  async function find(idOrName: string, cwd: string | readonly string[]): Promise<SessionPlace> {
    const own = await projectsOf(cwd)
    const here = await search(root, own, idOrName)
    if (here.length > 0) return onlyOne(here, idOrName)
    const [place, ...others] = await search(root, await listProjects(root), idOrName)
    return place === undefined || others.length > 0 ? notFound(idOrName) : place
  }

  async function findById(id: string): Promise<SessionPlace> {
    return onlyOne(await search(root, await listProjects(root), checkSessionId(id)), id)
  }

  async function list({ cwd, allProjects }: ListSessionsOptions = {}): Promise<readonly SessionListing[]> {
    const isAll = allProjects ?? cwd === undefined
    return listSessions(root, isAll ? await listProjects(root) : await projectsOf(cwd ?? []))
  }

  return {
    project: toProjectName,
    place: async (cwd, id) => placeOf(root, await toProjectName(cwd), checkSessionId(id)),
    list,
    find,
    latest: async (cwd) => (await list({ cwd }))[0],
    remove: async (id) => removeSession(await findById(id)),
    fork: async (id, { upTo, sessionId = randomUUID() } = {}) =>
      forkSession(await findById(id), { upTo, sessionId: checkSessionId(sessionId), now }),
    rename: async (id, name) => renameSession(await findById(id), name),
    rewind: async (id, promptUuid) => rewindSession(await findById(id), promptUuid),
    prompts: async (id) => readPrompts((await findById(id)).path),
    export: async (id, format) => exportSession(await findById(id), format),
    cleanUp: async (days) => cleanUp(root, { days, nowMs: now() }),
  }
}
