import type { AgentOutcome, AssistantRecord, Message, SessionRecord, Usage } from '@x/contract'
import { countTokens } from './agent-report.ts'
import type { Budget, Spending } from './budget.ts'
import { findLastText, textOf } from './last-text.ts'

/** What an agent has said, done and used so far. */
export interface Tally {
  /** The last text it wrote. */
  readonly lastText: string
  /** Calls by tool. */
  readonly toolStats: Readonly<Record<string, number>>
  /** The tool that was called last. */
  readonly lastToolName: string | undefined
  /** The models that answered, in the order of their first answers. */
  readonly modelsUsed: readonly string[]
  /** Messages that held calls. */
  readonly toolTurns: number
  /** Token counts of the last request. */
  readonly usage: Usage
  /** Whether a record tells of an answer that none before told of. */
  isNewMessage(record: SessionRecord): boolean
  /** Takes a record as it happens; whether it told of calls. */
  see(record: SessionRecord): boolean
  /** Takes what a run came to; what its records did not tell is taken from there. */
  settle(outcome: Pick<AgentOutcome, 'usage' | 'costUsd'>, added: readonly Message[]): void
}

/** What was counted, and of it what the records of the present run told. */
interface Count {
  lastText: string
  lastToolName: string | undefined
  toolTurns: number
  usage: Usage
  readonly toolStats: Map<string, number>
  readonly models: Set<string>
  runTokens: number
  runCalls: number
  /** The message that is being told: several records may show one. */
  messageId: string | undefined
  messageTokens: number
  messageHasCalls: boolean
}

/** Makes an empty tally. What is used is taken out of the budget at once. */
export function createTally(budget: Budget): Tally {
  const count = newCount()
  return {
    get lastText() {
      return count.lastText
    },
    get toolStats() {
      return Object.fromEntries(count.toolStats)
    },
    get lastToolName() {
      return count.lastToolName
    },
    get modelsUsed() {
      return [...count.models]
    },
    get toolTurns() {
      return count.toolTurns
    },
    get usage() {
      return count.usage
    },
    isNewMessage: (record) =>
      record.type === 'assistant' && isByModel(record) && isAnother(count, record.message.id),
    see(record) {
      if (record.type !== 'assistant') return false
      const spent = countRecord(count, record)
      budget.spend(spent)
      return (spent.calls ?? 0) > 0
    },
    settle(outcome, added) {
      budget.spend(countOutcome(count, outcome, added))
      Object.assign(count, newRun)
    },
  }
}

const newRun = {
  runTokens: 0,
  runCalls: 0,
  messageId: undefined,
  messageTokens: 0,
  messageHasCalls: false,
}

function newCount(): Count {
  return {
    ...newRun,
    lastText: '',
    lastToolName: undefined,
    toolTurns: 0,
    usage: noUsage,
    toolStats: new Map(),
    models: new Set(),
  }
}

/** Counts what a record tells; gives what is new of it. */
function countRecord(count: Count, record: AssistantRecord): Partial<Spending> {
  if (!isByModel(record)) return {}
  const { message } = record
  if (message.model !== undefined) count.models.add(message.model)
  if (isAnother(count, message.id)) {
    Object.assign(count, { messageId: message.id, messageTokens: 0, messageHasCalls: false })
  }
  const names = callNames(message)
  if (names.length > 0 && !count.messageHasCalls) count.toolTurns += 1
  count.messageHasCalls ||= names.length > 0
  countCalls(count, names)
  count.lastText = textOf(message) || count.lastText
  return { calls: names.length, tokens: countUsage(count, message.usage) }
}

/** The loop shows a failure of the service as if the model said it; the model did not. */
function isByModel({ message, error }: AssistantRecord): boolean {
  return error === undefined && message.model !== '<synthetic>'
}

function isAnother({ messageId }: Count, id: string | undefined): boolean {
  return id === undefined || id !== messageId
}

/** The counts of a message grow from record to record. */
function countUsage(count: Count, usage: Usage | undefined): number {
  if (usage === undefined) return 0
  const more = Math.max(0, countTokens(usage) - count.messageTokens)
  count.usage = usage
  count.messageTokens += more
  count.runTokens += more
  return more
}

function countCalls(count: Count, names: readonly string[]): void {
  for (const name of names) count.toolStats.set(name, (count.toolStats.get(name) ?? 0) + 1)
  count.lastToolName = names.at(-1) ?? count.lastToolName
  count.runCalls += names.length
}

/** Counts what a run came to and its records did not tell; gives that. */
function countOutcome(
  count: Count,
  { usage, costUsd = 0 }: Pick<AgentOutcome, 'usage' | 'costUsd'>,
  added: readonly Message[],
): Partial<Spending> {
  const untold = count.runCalls === 0 ? added.map(callNames).filter((names) => names.length > 0) : []
  for (const names of untold) countCalls(count, names)
  count.toolTurns += untold.length
  count.lastText = findLastText(added) || count.lastText
  if (usage !== undefined && count.runTokens === 0) count.usage = usage
  const tokens = usage === undefined ? 0 : Math.max(0, countTokens(usage) - count.runTokens)
  return { tokens, calls: untold.flat().length, costUsd }
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
