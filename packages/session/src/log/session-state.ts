import type { JsonObject } from '@x/contract'
import { toPermissionMode } from '@x/permissions'
import { createSessionStore, readLastRecord } from '@x/transcript'
import type { Session } from '../session.ts'
import { stateFolder } from '../state-folder.ts'
import type { SessionLog } from './session-log.ts'

/** The kind of record that the state stands in. Ours: readers of other programs pass it over. */
const type = 'x-session-state'

/** Modes that a session does not come back in: what was planned is over, and bypassing is chosen anew each time. */
const passing = new Set(['plan', 'bypassPermissions'])

/** Keeps what a session that goes on takes over: behind each answer, and what only its start knows before the first. */
export async function keepState(session: Session, log: SessionLog): Promise<void> {
  const { model, contextTokens, answeredAt, setup } = session
  await log
    .note({
      type,
      model,
      permissionMode: setup.access.permissions.mode,
      contextTokens,
      ...(answeredAt !== undefined && { answeredAt: new Date(answeredAt).toISOString() }),
      ...(setup.mainAgent && { agent: setup.mainAgent.name }),
      isInteractive:
        setup.options.isInteractive === true || log.metadata.get(type)?.['isInteractive'] === true,
    })
    // The answer is out; what cannot be written ends the next query.
    .catch(() => undefined)
}

/** Takes over the model and the mode of a session that goes on, unless this run was given others. */
export function restoreState(session: Session, log: SessionLog): void {
  const state = log.metadata.get(type)
  if (state === undefined) return
  const { setup } = session
  const { model, permissionMode } = setup.options
  const { answeredAt, contextTokens } = readNumbers(state)
  session.answeredAt = answeredAt
  session.contextTokens = contextTokens
  const isModelGiven = model !== undefined || setup.environment.model !== undefined
  if (!isModelGiven && typeof state['model'] === 'string') session.model = state['model']
  const mode = toPermissionMode(state['permissionMode'])
  if (permissionMode === undefined && mode !== undefined && !passing.has(mode))
    setup.access.permissions.setMode(mode)
}

/** Whether no person ever sat at a session, as far as its transcript tells: `false` where that is not known. */
export async function isHeadlessSession(transcript: string): Promise<boolean> {
  const state = await readLastRecord(transcript, type).catch(() => undefined)
  return state?.['isInteractive'] === false
}

/** Where a session is looked for. */
export interface ResumedAgentOptions {
  /** The id of the session, a UUID. */
  readonly resume: string
  /** Absolute path of the folder it is resumed in. */
  readonly cwd: string
  /** Where the state folder is looked up. @default the process's */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * The name of the agent that a session was itself when it last answered: whoever resumes it gives it as `agent`, or another one.
 * Undefined for a session that was none, or is not there.
 */
export async function resumedAgent({
  resume,
  cwd,
  env = process.env,
}: ResumedAgentOptions): Promise<string | undefined> {
  const store = createSessionStore({ stateFolder: stateFolder(env) })
  try {
    const { path } = await store.find(resume, cwd)
    const agent = (await readLastRecord(path, type))?.['agent']
    return typeof agent === 'string' ? agent : undefined
  } catch {
    // Whoever opens it says what is wrong with it.
    return undefined
  }
}

function readNumbers({ answeredAt, contextTokens }: JsonObject): {
  readonly answeredAt: number | undefined
  readonly contextTokens: number
} {
  const time = typeof answeredAt === 'string' ? Date.parse(answeredAt) : Number.NaN
  return {
    answeredAt: Number.isNaN(time) ? undefined : time,
    contextTokens: typeof contextTokens === 'number' ? contextTokens : 0,
  }
}
