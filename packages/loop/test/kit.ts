import { EventEmitter } from 'node:events'
import {
  type Authorize,
  checkHistory,
  defineTool,
  type Message,
  type ResultRecord,
  type SessionRecord,
  type Tool,
} from '@x/contract'
import type { BaseContext } from '@x/executor'
import { z } from 'zod'
import { type Query, type QueryEnd, type QueryOptions, runQuery } from '../src/index.ts'
import type { ScriptedModel } from './scripted-model.ts'

/** What a test looks at after a query. */
export interface Played {
  readonly records: readonly SessionRecord[]
  readonly result: ResultRecord
  readonly end: QueryEnd
  readonly log: readonly Message[]
  readonly faults: readonly unknown[]
  readonly listeners: number
  /** The waits between requests, in milliseconds. */
  readonly waits: readonly number[]
}

export interface Setup {
  readonly query: Query
  readonly controller: AbortController
  readonly log: Message[]
  readonly clock: VirtualClock
}

/** Starts a query with everything a test does not care about in place. */
export function setUp(model: ScriptedModel, more: Partial<QueryOptions> = {}): Setup {
  const controller = more.controller ?? new AbortController()
  const log: Message[] = [...(more.messages ?? [])]
  const clock = virtualClock()
  const query = runQuery({
    model,
    modelName: 'main',
    prompt: [{ role: 'user', content: 'Go' }],
    context: context(),
    authorize,
    controller,
    history: {
      async append(messages) {
        log.push(...structuredClone(messages))
      },
    },
    clock,
    random: () => 0,
    ...more,
  })
  return { query, controller, log, clock }
}

/** Runs a query to its end. */
export async function play(
  model: ScriptedModel,
  more: Partial<QueryOptions> = {},
  onRecord?: (record: SessionRecord, setup: Setup) => void,
): Promise<Played> {
  const setup = setUp(model, more)
  const records: SessionRecord[] = []
  let step = await setup.query.next()
  while (step.done !== true) {
    records.push(step.value)
    onRecord?.(step.value, setup)
    step = await setup.query.next()
  }
  await step.value.settled
  const result = records.at(-1)
  if (result?.type !== 'result') throw new Error('the last record is no result')
  return {
    records,
    result,
    end: step.value,
    log: setup.log,
    waits: setup.clock.waits,
    faults: checkHistory(step.value.messages),
    listeners: EventEmitter.getEventListeners(setup.controller.signal, 'abort').length,
  }
}

const authorize: Authorize = async () => ({
  behavior: 'allow',
  reason: { type: 'mode', detail: 'test' },
})

function context(): BaseContext {
  return {
    cwd: '/project',
    messages: [],
    options: { tools: [], model: 'main', isNonInteractive: true, projectDir: '/project' },
    chain: { id: 'chain', depth: 0 },
    files: { get: () => undefined, set: () => undefined, delete: () => undefined },
    getState: (key) => key.initial(),
    setState: () => undefined,
  }
}

/** A tool that answers with its name, or does what it is given to do. */
export function tool(name: string, more: { run?: Tool['call']; isReadOnly?: boolean } = {}): Tool {
  const { run = async () => ({ data: `${name} ran` }), isReadOnly = true } = more
  return defineTool({
    name,
    description: name,
    inputSchema: z.looseObject({}),
    isConcurrencySafe: () => isReadOnly,
    isReadOnly: () => isReadOnly,
    call: run,
    mapResult: (output, id) => ({ type: 'tool_result', tool_use_id: id, content: String(output) }),
  })
}

interface VirtualClock {
  now(): number
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
  /** All waits that were asked for. */
  readonly waits: number[]
}

/** Time that jumps to each timer as soon as nothing else is to be done. */
function virtualClock(): VirtualClock {
  let now = 0
  const waits: number[] = []
  return {
    waits,
    now: () => now,
    setTimeout(callback, ms) {
      waits.push(ms)
      return setImmediate(() => {
        now += ms
        callback()
      })
    },
    clearTimeout: (timer) => clearImmediate(timer as NodeJS.Immediate),
  }
}

export function types(records: readonly SessionRecord[]): string[] {
  return records.map((record) => {
    if (record.type === 'system') return `system/${record.subtype}`
    return record.type === 'tool_progress' ? `progress/${record.phase ?? ''}` : record.type
  })
}
