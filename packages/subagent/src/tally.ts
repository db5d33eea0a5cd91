import type { AgentOutcome, AssistantRecord, Message, SessionRecord, Usage } from '@x/contract'
import { countTokens } from './agent-report.ts'
import type { Budget } from './budget.ts'
import { findLastText, textOf } from './last-text.ts'

/** What an agent has said, done and used so far. */
export interface Tally {
  /** The last text it wrote. */
  readonly lastText: string
  /** Calls by tool. */
  readonly toolStats: Readonly<Record<string, number>>
  /** Messages that held calls. */
  readonly toolTurns: number
  /** Token counts of the last request. */
  readonly usage: Usage
  /** Takes a record as it happens. */
  see(record: SessionRecord): void
  /** Takes what a run came to; what its records did not tell is taken from there. */
  settle(outcome: Pick<AgentOutcome, 'usage' | 'costUsd'>, added: readonly Message[]): void
}

/** What the records of one run told. */
interface RunCount {
  tokens: number
  calls: number
  messageId: string | undefined
  messageTokens: number
  /** The message held a call already. */
  hadCalls: boolean
}

/** Makes an empty tally. What is used is taken out of the budget at once. */
export function createTally(budget: Budget): Tally {
  const toolStats = new Map<string, number>()
  let lastText = ''
  let toolTurns = 0
  let usage = noUsage
  let run = newRun()

  function countCalls(names: readonly string[], isNewMessage: boolean): void {
    if (names.length === 0) return
    for (const name of names) toolStats.set(name, (toolStats.get(name) ?? 0) + 1)
    if (isNewMessage) toolTurns += 1
    run.calls += names.length
    budget.spend({ calls: names.length })
  }

  function countUsage(now: Usage | undefined): void {
    if (now === undefined) return
    usage = now
    const more = Math.max(0, countTokens(now) - run.messageTokens)
    run.messageTokens += more
    run.tokens += more
    budget.spend({ tokens: more })
  }

  function seeMessage({ message, error }: AssistantRecord): void {
    // The loop shows a failure of the service as if the model said it; the model did not.
    if (error !== undefined || message.model === '<synthetic>') return
    const isOther = message.id === undefined || message.id !== run.messageId
    if (isOther) run = { ...run, messageId: message.id, messageTokens: 0, hadCalls: false }
    const names = callNames(message)
    countCalls(names, names.length > 0 && !run.hadCalls)
    run.hadCalls ||= names.length > 0
    countUsage(message.usage)
    lastText = textOf(message) || lastText
  }

  return {
    get lastText() {
      return lastText
    },
    get toolStats() {
      return Object.fromEntries(toolStats)
    },
    get toolTurns() {
      return toolTurns
    },
    get usage() {
      return usage
    },
    see(record) {
      if (record.type === 'assistant') seeMessage(record)
    },
    settle({ usage: total, costUsd = 0 }, added) {
      if (run.calls === 0) for (const message of added) countCalls(callNames(message), true)
      if (total !== undefined) {
        if (run.tokens === 0) usage = total
        budget.spend({ tokens: Math.max(0, countTokens(total) - run.tokens) })
      }
      budget.spend({ costUsd })
      lastText = findLastText(added) || lastText
      run = newRun()
    },
  }
}

function newRun(): RunCount {
  return { tokens: 0, calls: 0, messageId: undefined, messageTokens: 0, hadCalls: false }
}

const noUsage: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

function callNames({ role, content }: Message): readonly string[] {
  if (role !== 'assistant' || typeof content === 'string') return []
  return content.flatMap((block) => (block.type === 'tool_use' ? [block.name] : []))
}
