import type { ResponseHeaders } from './exchange.ts'

const LONGEST_MS = 2 ** 31 - 1

/** Reads `retry-after-ms` and `retry-after` (seconds or a date), in milliseconds from now; undefined where there is none. */
export function parseRetryAfter(headers: ResponseHeaders): number | undefined {
  return (
    parseMs(headers.get('retry-after-ms'), 1) ??
    parseMs(headers.get('retry-after'), 1000) ??
    parseDate(headers)
  )
}

function parseMs(value: string | null, unit: number): number | undefined {
  if (value === null || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined
  return Math.min(LONGEST_MS, Math.ceil(Number(value) * unit))
}

function parseDate(headers: ResponseHeaders): number | undefined {
  const at = Date.parse(headers.get('retry-after') ?? '')
  return Number.isNaN(at) ? undefined : Math.min(LONGEST_MS, Math.max(0, at - Date.now()))
}
