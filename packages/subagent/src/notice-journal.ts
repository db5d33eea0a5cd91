import type { UserMessage } from '@x/contract'

/** One line of the journal: what is told if nothing else comes, a notice that waits, or one that the model has seen. */
export type NoticeEntry =
  | {
      /** Something runs; the message is for the case that the program ends before it does. */
      readonly kind: 'expected'
      /** Unique everywhere. */
      readonly id: string
      /** The message, with the id in it. */
      readonly message: UserMessage
    }
  | {
      /** It waits. */
      readonly kind: 'pending'
      /** Unique everywhere; that of the expected one, where there was one. */
      readonly id: string
      /** The message, with the id in it. */
      readonly message: UserMessage
    }
  | {
      /** The message is in the transcript. */
      readonly kind: 'shown'
      /** Of the notice. */
      readonly id: string
    }

/** Where notices survive a crash: an append-only list. */
export interface NoticeJournal {
  /** Resolves when the entry is safe. Entries keep the order of the calls, whether those before are safe or not. */
  append(entry: NoticeEntry): Promise<void>
  /** All entries in order; what was torn off is left out. */
  read(): Promise<readonly NoticeEntry[]>
}
