import { factsOf, type KeyedEntry } from './message-facts.ts'
import type { Message } from './messages.ts'

const none: readonly KeyedEntry[] = []

/**
 * Tells whether a history has no fault at all: one pass over what is remembered of each message, nothing built but a set
 * of ids. It is the usual answer on every turn; only a history with a fault is worth the search for what and where.
 */
export function isSound(messages: readonly Message[]): boolean {
  const ids = new Set<string>()
  let calls = none
  let role = 'assistant'
  for (const message of messages) {
    const facts = factsOf(message)
    if (facts.faults.length > 0 || facts.role === undefined || facts.role === role) return false
    role = facts.role
    if (role === 'user' && !isAnswer(facts.results, calls, facts.resultsLead)) return false
    calls = facts.calls
    if (!areNew(calls, ids)) return false
  }
  return calls.length === 0
}

function isAnswer(results: readonly KeyedEntry[], calls: readonly KeyedEntry[], lead: boolean): boolean {
  if (results.length !== calls.length || !lead) return false
  for (let index = 0; index < calls.length; index += 1) {
    if (results[index]?.key !== calls[index]?.key) return false
  }
  return true
}

function areNew(calls: readonly KeyedEntry[], ids: Set<string>): boolean {
  for (const { key } of calls) {
    if (key === '') return false
    const before = ids.size
    if (ids.add(key).size === before) return false
  }
  return true
}
