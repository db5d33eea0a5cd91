import type { ContentBlock, Message } from '@x/contract'
import type { CompactReason } from './port.ts'
import { recentStart } from './recent-start.ts'
import { leftOutText } from './texts.ts'
import { trimResults } from './trim-results.ts'

/** Of the first message, so much text is kept where the oldest turns are left out: it says what all is about. */
const maxFirstText = 20_000

/**
 * Gives the histories to ask for a summary of, until one is short enough: as it is, so that the service's cache of it counts; without
 * old results; without any; without the oldest third of the turns, then two thirds. One that is known to be too long is left out.
 */
export function* summaryRequests(
  messages: readonly Message[],
  options: { readonly reason: CompactReason; readonly request: string },
): Generator<readonly Message[]> {
  let last = options.reason === 'prompt-too-long' ? messages : undefined
  for (const shorter of shorterAndShorter(messages)) {
    if (last !== undefined && isSame(last, shorter)) continue
    last = shorter
    yield withRequest(shorter, options.request)
  }
}

function* shorterAndShorter(messages: readonly Message[]): Generator<readonly Message[]> {
  yield messages
  yield trimResults(messages, { keepTurns: 1, isRepeatable: () => true })
  const trimmed = trimResults(messages, { keepTurns: 0, isRepeatable: () => true })
  yield trimmed
  const turns = messages.filter(({ role }) => role === 'assistant').length
  for (const part of [2 / 3, 1 / 3]) {
    const start = recentStart(messages, Math.floor(turns * part))
    if (start > 1 && start < messages.length) yield dropOldest(trimmed, start)
  }
}

function isSame(one: readonly Message[], other: readonly Message[]): boolean {
  return one.length === other.length && one.every((message, index) => message === other[index])
}

/** What is asked joins the last message of the user, whose bytes before it stay the same. */
function withRequest(messages: readonly Message[], request: string): readonly Message[] {
  const last = messages.at(-1)
  const block: ContentBlock = { type: 'text', text: request }
  if (last?.role !== 'user') return [...messages, { role: 'user', content: [block] }]
  return [...messages.slice(0, -1), { ...last, content: [...toBlocks(last.content), block] }]
}

/** The history begins with a message of the model here, so no call loses its result. */
function dropOldest(messages: readonly Message[], start: number): readonly Message[] {
  const first = toBlocks(messages[0]?.content ?? '').flatMap((block): ContentBlock[] =>
    block.type === 'text' ? [{ type: 'text', text: block.text.slice(0, maxFirstText).toWellFormed() }] : [],
  )
  const content: ContentBlock[] = [...first, { type: 'text', text: leftOutText }]
  return [{ role: 'user', content }, ...messages.slice(start)]
}

/** Makes blocks of a message's content. */
export function toBlocks(content: string | readonly ContentBlock[]): ContentBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : [...content]
}
