import type { Buffer } from 'node:buffer'
import { inflateSync } from 'node:zlib'
import { hasCode } from './has-code.ts'

/** Most bytes that all compressed parts of a PDF may grow to; page trees are far smaller. */
const MAX_INFLATED_BYTES = 64 * 1024 * 1024

/** Most nodes of page trees that are looked at, and most bytes of one. */
const MAX_NODES = 20_000
const MAX_NODE_BYTES = 64 * 1024

/**
 * Counts the pages of a PDF by its page tree, also where that is in compressed object streams.
 *
 * `undefined` where it cannot be told: the file is damaged, encrypted, or built to keep the reader busy.
 */
export function countPdfPages(bytes: Buffer): number | undefined {
  const text = bytes.toString('latin1')
  const isSound = text.includes('%%EOF', text.length - 2048) && !/\/Encrypt\s*(?:<<|\d)/.test(text)
  if (!isSound) return undefined
  const budget = { nodes: MAX_NODES, inflatedBytes: MAX_INFLATED_BYTES }
  let pages = countInTree(text, budget)
  for (const part of objectStreams(bytes, budget)) pages = Math.max(pages, countInTree(part, budget))
  return pages > 0 && budget.nodes > 0 && budget.inflatedBytes > 0 ? pages : undefined
}

interface Budget {
  nodes: number
  inflatedBytes: number
}

/** The root of the tree has the highest count. */
function countInTree(text: string, budget: Budget): number {
  let pages = 0
  for (const { index } of text.matchAll(/\/Type\s*\/Pages\b/g)) {
    if (--budget.nodes <= 0) break
    const node = text.slice(startOfNode(text, index), index + MAX_NODE_BYTES)
    const end = node.indexOf('endobj')
    const [, count] = /\/Count\s+(\d+)/.exec(end === -1 ? node : node.slice(0, end)) ?? []
    pages = Math.max(pages, Number(count ?? 0))
  }
  return pages
}

/** The count may stand before the type. */
function startOfNode(text: string, index: number): number {
  const from = Math.max(0, index - MAX_NODE_BYTES)
  return from + Math.max(0, text.slice(from, index).lastIndexOf('<<'))
}

function* objectStreams(bytes: Buffer, budget: Budget): Generator<string, void> {
  let at = bytes.indexOf('/ObjStm')
  for (; at !== -1 && budget.inflatedBytes > 0; at = bytes.indexOf('/ObjStm', at + 1)) {
    const start = bytes.indexOf('stream', at)
    const end = bytes.indexOf('endstream', start)
    if (start === -1 || end === -1) return
    const part = inflate(bytes.subarray(bytes.indexOf(0x0a, start) + 1, end), budget)
    budget.inflatedBytes -= Math.max(part.length, 1024)
    yield part
  }
}

/** A part that cannot be unpacked holds no tree. One that is too large uses up the budget. */
function inflate(part: Buffer, budget: Budget): string {
  try {
    return inflateSync(part, { maxOutputLength: budget.inflatedBytes }).toString('latin1')
  } catch (error) {
    if (hasCode(error, 'ERR_BUFFER_TOO_LARGE')) budget.inflatedBytes = 0
    return ''
  }
}
