/** How the message with a summary begins; tells it from what a person said. */
const summaryStart = '[Summary of this conversation up to here; it takes the place of the older messages]'

/** Tells whether a text stands for older messages that a compaction took away: what it tells was said or read by anybody. */
export function isSummaryText(text: string): boolean {
  return text.startsWith(summaryStart)
}

const goOn =
  '[The messages above it are gone. Go on from here with the work that is open; do not greet, and do not ask about the summary.]'

/** Makes the text that stands for the older messages. */
export function summaryText(summary: string): string {
  return `${summaryStart}\n\n${summary}\n\n${goOn}`
}

/** What stands before a history whose oldest turns had to be left out of the request for a summary. */
export const leftOutText =
  '[Some older messages are left out here, because all of them together are too long.]'

const request = `The conversation is about to be shortened: your next message will take the place of what is above, and you will see nothing else of it.
Write a summary from which the work can go on without a loss. Answer with plain text only; do not call any tool.

1. What the user asked for, in their words where these matter, with every wish, limit and correction since.
2. What was decided, and why; what was tried and did not work.
3. Files and other things that were read, made or changed: exact paths, names and the lines of code that still matter.
4. Commands and checks that were run, with their outcome; errors that are still there, word for word.
5. What is done, what is being done at this moment, what comes next.

Keep exact names, numbers, paths and identifiers. Leave out greetings, and what can be read again where it is.`

/** Asks for a summary. */
export function requestText(instructions: string | undefined): string {
  return instructions === undefined ? request : `${request}\n\nThe user asks of this summary: ${instructions}`
}

/** For the user: compaction did not work. */
export function failedText(why: string): string {
  return `The conversation could not be compacted: ${why}`
}

/** For the user: a hook does not want compaction. */
export function blockedText(why: string): string {
  return `Compaction was blocked by a hook: ${why}`
}

/** For the user: old results are gone from the context. */
export function trimmedText(tokens: number): string {
  return `Old tool results, about ${tokens} tokens, were removed from the context`
}
