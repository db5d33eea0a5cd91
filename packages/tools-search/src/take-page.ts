import type { PageRequest } from './grep-input.ts'

/** Takes entries one after the other until the page is full. */
export interface PageTaker {
  /** Texts on the page. */
  readonly shown: readonly string[]
  /** Takes the next entry behind the offset. Returns false, and does not take it, when the page is full. */
  offer(text: string): boolean
}

/** Starts an empty page. An entry that is longer than the page fits only if it is the first. */
export function createPageTaker({ limit, maxChars }: PageRequest): PageTaker {
  const shown: string[] = []
  let chars = 0
  return {
    shown,
    offer(text) {
      const isFull = shown.length >= limit || (shown.length > 0 && chars + text.length + 1 > maxChars)
      if (isFull) return false
      chars += text.length + 1
      shown.push(text)
      return true
    },
  }
}
