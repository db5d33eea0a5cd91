import { createHash } from 'node:crypto'

const HASH_LENGTH = 8

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
      // `a__b` with the tool `c` would be `a` with the tool `b__c`.
      const isBelow = others.some((other) => part.startsWith(`${other.part}__`))
      return [name, isTaken || isBelow ? `${part}_${hash(name)}` : part]
    }),
  )
}

/** Names one server's tools for the model: valid, not too long, distinct, the same after a restart. */
export function nameTools(
  tools: readonly string[],
  { serverPart, maxLength }: { readonly serverPart: string; readonly maxLength: number },
): ReadonlyMap<string, string> {
  const parts = new Map(tools.map((name) => [name, normalizeName(name)]))
  const counts = Map.groupBy(parts.values(), (part) => part)
  return new Map(
    [...parts].map(([name, part]) => {
      const isTaken = name !== part && (counts.get(part)?.length ?? 0) > 1
      return [name, shortenName(fullName(serverPart, isTaken ? `${part}_${hash(name)}` : part), maxLength)]
    }),
  )
}

/** The name by the documented rule, however long: what permission rules and hooks are written with. */
export function fullName(serverPart: string, tool: string): string {
  return `mcp__${serverPart}__${normalizeName(tool)}`
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
