import { z } from 'zod'
import type { McpClient } from './open-client.ts'

/** What is listed. */
export interface ListedThings {
  /** The method that lists it. */
  readonly method: string
  /** The field of the answer that holds it. */
  readonly field: string
  /** So many are taken; who has more is read no further. */
  readonly most: number
}

/** How the pages are asked for. */
export interface PageRequest {
  /** Milliseconds that one page may take. */
  readonly timeout: number
  /** Cancels it. */
  readonly signal?: AbortSignal
}

/** What a server has listed; nothing of it is checked. */
export interface Listing {
  /** In the server's order. */
  readonly values: readonly unknown[]
  /** There is more. */
  readonly isCut: boolean
}

/** A server whose pages lead nowhere is read no further. */
const MAX_PAGES = 64

/** Asks a server for a list, page by page. */
export async function listPages(
  client: McpClient,
  { method, field, most }: ListedThings,
  options: PageRequest,
): Promise<Listing> {
  const page = z.looseObject({ [field]: z.array(z.unknown()), nextCursor: z.unknown().optional() })
  const values: unknown[] = []
  const seen = new Set<string>()
  let params: Readonly<Record<string, unknown>> | undefined = {}
  while (params !== undefined && values.length <= most) {
    const answer: z.output<typeof page> = await client.request({ method, params }, page, options)
    const { [field]: found, nextCursor: cursor } = answer
    // One more than wanted tells that there is more.
    if (Array.isArray(found)) values.push(...found.slice(0, most + 1 - values.length))
    params = goesOn(cursor, seen) ? { cursor } : undefined
  }
  return { values: values.slice(0, most), isCut: values.length > most }
}

function goesOn(cursor: unknown, seen: Set<string>): cursor is string {
  if (typeof cursor !== 'string' || seen.has(cursor) || seen.size >= MAX_PAGES) return false
  seen.add(cursor)
  return true
}
