import { type HookOutcome, reminderText, type UserMessage } from '@x/contract'
import type { Run } from '../run.ts'
import { describeError } from '../text.ts'

/** The events that hooks of a call hear. */
export type ToolHookEvent = 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure'

/**
 * Asks the hooks of one event and keeps what they say for the model and the user.
 *
 * Hooks that throw, reject or answer with something else have no opinion; the user is told. So have those that answer too late.
 */
export async function askHooks<Outcome extends HookOutcome>(
  run: Run,
  event: ToolHookEvent,
  ask: () => Promise<Outcome>,
): Promise<Outcome | undefined> {
  try {
    const outcome = await ask()
    if (run.kit.rules.mustStop(run.call)) return undefined
    keep(run, event, outcome)
    return outcome
  } catch (error) {
    if (!run.kit.rules.mustStop(run.call)) run.notices.push(`${event} hooks failed: ${describeError(error)}`)
    return undefined
  }
}

/** A message for the model from the side of a call. */
export function toReminder(text: string): UserMessage {
  return { role: 'user', content: [{ type: 'text', text: reminderText(text) }] }
}

function keep(run: Run, event: ToolHookEvent, { context, notices, stop }: HookOutcome): void {
  run.attached.push(...context.map((text) => toReminder(`${event} hook of ${run.tool.name}: ${text}`)))
  run.notices.push(...notices)
  run.stop ??= stop
}
