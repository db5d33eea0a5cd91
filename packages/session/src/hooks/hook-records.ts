import type { SystemRecord } from '@x/contract'
import type { HandlerOutcome, HandlerReport, HookProgress } from '@x/hooks'

/** Makes the record of the start or end of a handler. */
export function toHookRecord(progress: HookProgress): SystemRecord {
  if (progress.type === 'hook-end') return toResponse(progress.event, progress.report)
  const { id, name, event } = progress
  return { type: 'system', subtype: 'hook_started', hook_id: id, hook_name: name, hook_event: event }
}

function toResponse(
  event: string,
  { id, name, outcome, exitCode, stdout, stderr }: HandlerReport,
): SystemRecord {
  return {
    type: 'system',
    subtype: 'hook_response',
    hook_id: id,
    hook_name: name,
    hook_event: event,
    output: stdout + stderr,
    stdout,
    stderr,
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    outcome: outcomes[outcome],
  }
}

const outcomes: Readonly<Record<HandlerOutcome, 'success' | 'error' | 'cancelled'>> = {
  success: 'success',
  background: 'success',
  blocked: 'error',
  failed: 'error',
  'timed-out': 'cancelled',
  cancelled: 'cancelled',
}
