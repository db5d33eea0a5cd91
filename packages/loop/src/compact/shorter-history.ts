import { type ContentBlock, checkHistory, type Message, repairHistory } from '@x/contract'
import { estimateTokens } from './estimate-tokens.ts'
import { recentStart } from './recent-start.ts'
import { toBlocks } from './summary-requests.ts'
import { isSummaryText, summaryText } from './texts.ts'

/** Less than so many tokens are not worth a summary, which would hardly be shorter. */
const minGain = 500

/** What stays of the old history. */
export interface KeptPart {
  /** What the user said right before the kept turns, and is not answered by results; joins the summary. */
  readonly carried: readonly ContentBlock[]
  /** The last turns, whole; begins with a message of the model. */
  readonly recent: readonly Message[]
}

/**
 * Chooses the turns that stay as they are: as many of the last ones as fit, and fewer where else nothing would go. A turn that does
 * not fit goes into the summary as a whole; only what the user said last, and nobody answered, always stays. `undefined`: there is
 * nothing that could go.
 */
export function chooseKept(
  messages: readonly Message[],
  { keepTurns, maxTokens }: { readonly keepTurns: number; readonly maxTokens: number },
): KeptPart | undefined {
  for (let turns = keepTurns; turns >= 0; turns -= 1) {
    const start = recentStart(messages, turns)
    const recent = messages.slice(start)
    if (estimateTokens(recent) > maxTokens) continue
    const carried = chooseCarried(messages, start, maxTokens)
    const rest: Message = { role: 'user', content: [...carried] }
    if (estimateTokens(messages) - estimateTokens([rest, ...recent]) >= minGain) return { recent, carried }
  }
  return undefined
}

function chooseCarried(
  messages: readonly Message[],
  start: number,
  maxTokens: number,
): readonly ContentBlock[] {
  const before = messages[start - 1]
  if (before === undefined || before.role !== 'user') return []
  const blocks = toBlocks(before.content)
  if (blocks.some(({ type }) => type === 'tool_result')) return []
  const isLast = start === messages.length
  if (!isLast && estimateTokens(messages.slice(start - 1)) > maxTokens) return []
  if (!isSummary(blocks)) return blocks
  // What was said behind a summary, before anybody answered.
  return isLast ? blocks.slice(1) : []
}

function isSummary([first]: readonly ContentBlock[]): boolean {
  return first?.type === 'text' && isSummaryText(first.text)
}

/** Makes the shorter history; `undefined` where it would not be valid, or not shorter. */
export function makeShorter(
  old: readonly Message[],
  { carried, recent }: KeptPart,
  { summary, attachments }: { readonly summary: string; readonly attachments: readonly ContentBlock[] },
): readonly Message[] | undefined {
  const text: ContentBlock = { type: 'text', text: summaryText(summary) }
  const made: readonly Message[] = [{ role: 'user', content: [text, ...attachments, ...carried] }, ...recent]
  const { messages } = repairHistory(made)
  const isValid = checkHistory(messages).length === 0
  return isValid && estimateTokens(messages) < estimateTokens(old) ? messages : undefined
}
