import { setTimeout as sleep } from 'node:timers/promises'
import { createChildAbortController } from '@x/abort'
import type { BackgroundTurns } from './background-turns.ts'
import { longestTimerMs } from './keep-alive.ts'
import type { Session } from './session.ts'
import type { UserInput } from './session-options.ts'

/** The next messages; when no more come from the user, those of hooks that still run. */
export async function nextInputs(
  session: Session,
  turns: BackgroundTurns,
): Promise<readonly UserInput[] | undefined> {
  const inputs = await take(session)
  if (inputs !== undefined) return inputs
  await waitForBackground(session)
  turns.askForTurn()
  return session.controller.signal.aborted ? undefined : session.setup.input.take()
}

/** How long the session waits for the user before the Notification hooks hear of it. In milliseconds. */
const idleMs = 60_000

/** Waits for what the user says next. */
async function take({ setup, controller }: Session): Promise<readonly UserInput[] | undefined> {
  using waiting = createChildAbortController(controller)
  void sleep(idleMs, undefined, { signal: waiting.signal, ref: false })
    .then(() => {
      const input = { message: 'x is waiting for your input', notification_type: 'idle_prompt' }
      return setup.hooks.run('Notification', input, controller.signal)
    })
    .catch(() => undefined)
  try {
    return await setup.input.take()
  } finally {
    waiting.abort()
  }
}

/** Background work may go on for a while after the last result; agents longer than commands. */
async function waitForBackground({ setup, controller }: Session): Promise<void> {
  const { tasks, hooks, options, environment } = setup
  const running = tasks.list().filter(({ end }) => end === undefined)
  const { waking } = hooks.hooks
  if (running.length === 0 && waking === undefined) return
  using wait = createChildAbortController(controller)
  const ended = Promise.all([...running.map(({ task }) => task.ended), waking])
  const hasAgents = running.some(({ task }) => task.type === 'local_agent')
  const patienceMs = hasAgents ? environment.agentWaitMs : (options.backgroundGraceMs ?? 5_000)
  const patience = sleep(Math.min(patienceMs, longestTimerMs), undefined, { signal: wait.signal })
  await Promise.race([ended, patience.catch(() => undefined)])
  wait.abort()
}
