import type { HookAnswer } from './hook-answer.ts'

/** How the work of a handler ended, before anybody judges what it said. */
export type RawRun =
  | {
      readonly kind: 'ended'
      readonly exitCode: number
      readonly stdout: string
      readonly stderr: string
      readonly isCut?: boolean
    }
  | { readonly kind: 'answered'; readonly answer: HookAnswer; readonly stdout: string }
  | { readonly kind: 'failed'; readonly message: string; readonly stdout?: string; readonly stderr?: string }
  | { readonly kind: 'timed-out'; readonly timeoutMs: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'background' }

/** Says what an error says. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
