import { raceAbort } from '@x/abort'
import type { UserMessage } from '@x/contract'
import { describeMemory } from './agents/agent-memory.ts'
import { preloadSkills } from './agents/preload-skills.ts'
import { runStartHooks } from './hooks/run-start-hooks.ts'
import { nameSession } from './log/name-session.ts'
import { toReminder } from './reminder.ts'
import type { Session } from './session.ts'

/**
 * Runs the hooks at the start; gives what the model is to know before the first prompt. An interrupt ends them: the turn that is open then
 * is aborted. MCP servers are waited for as long, and connect beside the session then.
 */
export async function beginSession(session: Session): Promise<readonly UserMessage[]> {
  const { setup, controller, model } = session
  const { hooks, environmentFile, options, places, input } = setup
  if (controller.signal.aborted) return []
  const { signal } = session.openTurn()
  const { initialPrompt } = setup.mainAgent ?? {}
  if (initialPrompt !== undefined && options.resume === undefined)
    input.putFirst({ type: 'user', message: { role: 'user', content: initialPrompt } })
  // An abort ends the session, which tells of it by itself.
  const connected = raceAbort(setup.mcp.connect(controller.signal), signal).catch(() => undefined)
  const started = await runStartHooks(hooks, environmentFile, {
    ...describeStart(session),
    model,
    setup: options.setup,
    signal,
  })
  await Promise.all([connected, places.begin(started.watchPaths)])
  await nameSession(session.log, started.sessionTitle)
  // A message of a hook is the first turn; the prompt that was given follows it.
  if (started.initialUserMessage !== undefined && !signal.aborted)
    input.putFirst({ type: 'user', message: { role: 'user', content: started.initialUserMessage } })
  return [...whereabouts(session), ...started.context]
}

function describeStart({ setup: { options }, answeredAt, contextTokens }: Session) {
  if (options.resume === undefined) return { source: 'startup' as const }
  const source = options.forkSession === true ? ('fork' as const) : ('resume' as const)
  if (answeredAt === undefined) return { source }
  const seconds = Math.max(0, Math.round((Date.now() - answeredAt) / 1_000))
  return { source, past: { seconds, contextTokens } }
}

/** The conversation speaks of a folder that is gone: the model must know. */
function whereabouts({ worktreeStart: start, setup: { cwd } }: Session): readonly UserMessage[] {
  return start.type === 'lost'
    ? [toReminder(`The worktree ${start.path} is gone. The session goes on in ${cwd}.`)]
    : []
}

/** The memory and skills of the agent that the session is; one that goes on has read them already. */
export async function ownContext({
  setup,
  controller: { signal },
}: Session): Promise<readonly UserMessage[]> {
  const { mainAgent, options } = setup
  if (mainAgent === undefined || options.resume !== undefined || signal.aborted) return []
  // An abort ends the session, which tells of it by itself.
  const texts = await Promise.all([
    describeMemory({ ...setup, projectDir: setup.cwd }, mainAgent, signal),
    preloadSkills(setup, mainAgent, signal),
  ]).catch(() => [])
  return texts.flat().map(toReminder)
}
