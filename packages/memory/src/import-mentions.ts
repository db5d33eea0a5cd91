import { maskCode } from './code-spans.ts'
import type { ScannedLine } from './scan-blocks.ts'

/** A place in a text that imports a file, if there is one. */
export interface ImportMention {
  /** The line it stands in, from 1. */
  readonly line: number
  /** What may be meant, the first that exists counts: all of it, then without the punctuation behind it. */
  readonly candidates: readonly [string, ...string[]]
}

/** How many mentions of one file are looked at. */
export const maxMentions = 500

/** Finds `@path` outside of code and comments, at most one more than {@link maxMentions}. */
export function findMentions(text: string, lines: readonly ScannedLine[]): readonly ImportMention[] {
  if (!text.includes('@')) return []
  const masked = maskCode(text, lines)
  const mentions: ImportMention[] = []
  let line = 1
  let at = 0
  for (const { 1: token = '', index } of masked.matchAll(mentionPattern)) {
    line += countLineEnds(masked.slice(at, index))
    at = index
    mentions.push({ line, candidates: candidatesOf(token) })
    if (mentions.length > maxMentions) break
  }
  return mentions
}

/** Is it written like a file of its own, so that nobody meant a person, a decorator or a package? */
export function looksLikeFile(path: string): boolean {
  return /^(?:\.{0,2}|~)\/./.test(path) || /\.(?:md|markdown|mdc|txt)$/i.test(path)
}

/** An address has a letter before the sign. A path is at most as long as systems allow. */
const mentionPattern = /(?<![\p{L}\p{N}._%+\-/\\@`])@(?=([^\s@]\S{0,1023})(?!\S))/gu

function candidatesOf(token: string): readonly [string, ...string[]] {
  const others = new Set<string>()
  for (const start of [token, token.slice(0, lengthBefore(token))]) {
    let path = start
    for (let tries = 0; tries < maxTrims && path !== ''; tries += 1) {
      if (path !== token) others.add(path)
      if (!/[.,;:!?)\]}>"'*_~|]$/.test(path)) break
      path = path.slice(0, -1)
    }
  }
  return [token, ...others]
}

/** How much punctuation may follow a path: `**(see "@a.md")...**`. */
const maxTrims = 8

/** In `@a.md,@b.md` or `[@a.md](...)` the path ends within the word. */
function lengthBefore(token: string): number {
  const end = token.search(/[,;"'<>|)\]}*]/)
  return end > 0 ? end : token.length
}

function countLineEnds(text: string): number {
  return text.split('\n').length - 1
}
