import type { ResultRecord, SessionRecord } from '@x/contract'
import { runCompaction } from '@x/loop'
import { blankResult } from '../blank-result.ts'
import type { Session } from '../session.ts'
import type { UserInput } from '../session-options.ts'

/** What the user wants of a summary, if a prompt asks for one: `/compact`, and perhaps words behind it. */
export function readCompactCommand(
  inputs: readonly UserInput[],
): { readonly instructions: string } | undefined {
  const [only, ...others] = inputs
  const content = only?.message.content
  if (others.length > 0 || typeof content !== 'string') return undefined
  const [, instructions] = /^\/compact(?:\s+([\s\S]*))?$/.exec(content.trim()) ?? []
  return /^\/compact(\s|$)/.test(content.trim()) ? { instructions: instructions?.trim() ?? '' } : undefined
}

/** Makes the conversation shorter because the user asks; the last record is the result. */
export async function* compactNow(
  session: Session,
  { instructions }: { readonly instructions: string },
): AsyncGenerator<SessionRecord, void> {
  const { signal } = session.openTurn()
  const { compact, messages, prefix } = session.compaction()
  const end = yield* runCompaction(compact, messages, {
    ...prefix,
    reason: 'manual',
    signal,
    ...(instructions === '' ? {} : { instructions }),
  })
  if (end.type === 'unchanged')
    return yield toResult(`Nothing was compacted: ${end.message}`, end.cause !== 'empty')
  session.takeOver(end.messages)
  yield* end.records
  yield toResult('The conversation was compacted.', false)
}

function toResult(result: string, isError: boolean): ResultRecord {
  return { ...blankResult, is_error: isError, result }
}
