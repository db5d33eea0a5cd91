import { createHash } from 'node:crypto'

const HASH_LENGTH = 8
const MAX_ALIAS_LENGTH = 128

/**
 * Gives each server the part of tool names that stands for it. It depends on nothing but the set of names, so it is the same after a
 * restart, whoever connects first. Where two would be taken for one another, the plain name is kept by the one that is spelled so.
 */
export function nameServers(servers: readonly string[]): ReadonlyMap<string, string> {
  const plain = servers.map((name) => ({ name, part: normalizeName(name) }))
  return new Map(
    plain.map(({ name, part }) => {
      const others = plain.filter((other) => other.name !== name)
      const isTaken = others.some((other) => other.part === part && name !== part)
      // `a__b` with the tool `c` would be `a` with the tool `b__c`, and `a_` with `c` would be `a` with `_c`.
      const isBelow = others.some(
        (other) => other.part.length < part.length && `${part}__`.startsWith(`${other.part}__`),
      )
      // Without a double line inside it, no tool of another server can pass for one of this one.
      return [name, isTaken || isBelow ? `${part}_${hash(name)}`.replace(/_{2,}/g, '_') : part]
    }),
  )
}

/** What a tool is called. */
export interface ToolNaming {
  /** By the model. */
  readonly name: string
  /** By rules and hooks, where the documented name is too long for the model. */
  readonly alias?: string
}

/** Names one server's tools for the model: valid, not too long, distinct, the same after a restart. */
export function nameTools(
  tools: readonly string[],
  { serverPart, maxLength }: { readonly serverPart: string; readonly maxLength: number },
): ReadonlyMap<string, ToolNaming> {
  const parts = new Map(tools.map((name) => [name, normalizeName(name)]))
  const counts = Map.groupBy(parts.values(), (part) => part)
  return new Map(
    [...parts].map(([name, part]) => {
      const isAmbiguous = (counts.get(part)?.length ?? 0) > 1
      const isTaken = isAmbiguous && name !== part
      const full = `mcp__${serverPart}__${isTaken ? `${part}_${hash(name)}` : part}`
      const short = shortenName(full, maxLength)
      const hasAlias = short !== full && !isAmbiguous && full.length <= MAX_ALIAS_LENGTH
      return [name, { name: short, ...(hasAlias && { alias: full }) }]
    }),
  )
}

/** Replaces every character that is no letter, digit, `_` or `-` with `_`. */
function normalizeName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/gu, '_')
}

function shortenName(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name
  return `${name.slice(0, maxLength - HASH_LENGTH - 1)}_${hash(name)}`
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)
}
