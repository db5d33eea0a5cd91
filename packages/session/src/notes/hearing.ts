import type { Message } from '@x/contract'
import type { SamplingView } from '@x/loop'
import type { HideSecrets } from './hide-secrets.ts'
import type { MessageTexts } from './message-texts.ts'

/** What was said in a conversation since somebody last made something of it. */
export interface Hearing {
  /** Listens to what is new. */
  listen(view: SamplingView): void
  /** How much was said since `rest`. In tokens, four characters each. */
  readonly tokens: number
  /** The end of what was said since `forget`, as one text; empty if that is nothing. */
  readonly text: string
  /** Counts anew. */
  rest(): void
  /** Lets go of what was said. */
  forget(): void
}

/** Longest piece, and the most of all of them, that is kept. In characters. */
const maxPieceChars = 2_000
const maxChars = 40_000
/** What is searched for secrets of a piece before it is cut: half of one would not be known any more. In characters. */
const maxSearchedChars = 20_000

/** Begins to listen. Nothing is heard twice; what a compaction puts in the place of the conversation is nothing new. */
export function createHearing(textsOf: MessageTexts, hideSecrets: HideSecrets): Hearing {
  const heard = new WeakSet<Message>()
  let pieces: string[] = []
  let kept = 0
  let grown = 0
  const keep = (piece: string): void => {
    grown += piece.length
    const text = hideSecrets(piece.slice(0, maxSearchedChars))
    pieces.push(text.length > maxPieceChars ? `${text.slice(0, maxPieceChars).toWellFormed()} [...]` : text)
    kept += pieces.at(-1)?.length ?? 0
    while (kept > maxChars) kept -= pieces.shift()?.length ?? kept
  }
  return {
    listen({ messages, message }) {
      const all = message === undefined ? messages : [...messages, message]
      const known = all.findLastIndex((one) => heard.has(one))
      for (const one of all.slice(known + 1)) {
        heard.add(one)
        for (const piece of textsOf(one)) keep(piece)
      }
    },
    get tokens() {
      return Math.ceil(grown / 4)
    },
    get text() {
      return pieces.join('\n')
    },
    rest() {
      grown = 0
    },
    forget() {
      pieces = []
      kept = 0
    },
  }
}
