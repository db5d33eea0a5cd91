import type { JsonObject } from '@x/contract'

/** A server asks the user something. */
export interface McpElicitation {
  /** Who asks: the server's name in the configuration. */
  readonly server: string
  /** `form`: for data. `url`: to open a page, for what must not pass through this program. */
  readonly mode: 'form' | 'url'
  /** What the user reads. */
  readonly message: string
  /** The page to open, with `url`. */
  readonly url?: string
  /** Names the question, with `url`. */
  readonly elicitationId?: string
  /** JSON schema of the answer's `content`, with `form`. */
  readonly requestedSchema?: JsonObject
}

/** The user's answer. */
export interface McpElicitationAnswer {
  /** Given, refused, or the question was put aside. */
  readonly action: 'accept' | 'decline' | 'cancel'
  /** The data, with `accept` of a `form`. */
  readonly content?: Readonly<Record<string, string | number | boolean | string[]>>
}

/** Asks the user; may take as long as the user does. When it rejects, the question counts as put aside. */
export type ElicitAnswer = (
  request: McpElicitation,
  options: { readonly signal: AbortSignal },
) => Promise<McpElicitationAnswer>

/** Nobody is there to ask. */
export const declineElicitation: ElicitAnswer = async () => ({ action: 'decline' })
