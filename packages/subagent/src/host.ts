import { createAbortController, createChildAbortController, type DisposableAbortController } from '@x/abort'
import { type AgentLimits, readAgentLimits } from './agent-limits.ts'
import type { AgentsOptions } from './agents-options.ts'
import { type Budget, createBudget } from './budget.ts'
import type { Environment } from './choices.ts'
import { createFileMemory } from './file-memory.ts'
import { createNoticeBox, type NoticeBox } from './notice-box.ts'
import { describePlace } from './place.ts'
import { createReportFiles } from './report-file.ts'
import type { ReportLimits } from './report-text.ts'
import { createRoster, type Roster } from './roster.ts'
import { createMemorySidechains, type Sidechains } from './sidechains.ts'
import { createTurns, type InTurn } from './turns.ts'

/** The options with every default in place, and what all agents of a session share. */
export interface Host {
  readonly options: AgentsOptions & Required<Pick<AgentsOptions, 'createFiles' | 'describePlace'>>
  readonly env: Environment
  readonly limits: AgentLimits
  readonly reports: ReportLimits
  readonly budget: Budget
  readonly sidechains: Sidechains
  readonly notices: NoticeBox
  readonly roster: Roster
  /** Ends every agent when it aborts. */
  readonly controller: DisposableAbortController
  readonly abortGraceMs: number
  readonly reportMs: number
  /** Does what concerns one agent in the order it was asked for. */
  readonly inTurn: InTurn
}

/** Puts the defaults in place. */
export function createHost(options: AgentsOptions): Host {
  const {
    env = process.env,
    signal,
    budget = createBudget(),
    abortGraceMs = 2_000,
    reportMs = 60_000,
  } = options
  const limits = { ...readAgentLimits(env), ...options.limits }
  return {
    options: withDefaults(options),
    env,
    limits,
    reports: { maxChars: limits.maxReportChars, store: options.storeReport ?? createReportFiles() },
    budget,
    sidechains: options.sidechains ?? createMemorySidechains(),
    notices: options.notices ?? createNoticeBox(),
    roster: createRoster(),
    controller: signal === undefined ? createAbortController() : createChildAbortController(signal),
    abortGraceMs,
    reportMs,
    inTurn: createTurns(),
  }
}

function withDefaults(options: AgentsOptions): Host['options'] {
  return {
    ...options,
    createFiles: options.createFiles ?? createFileMemory,
    describePlace: options.describePlace ?? describePlace,
  }
}

/** Calls what the host brought; its fault is its own. */
export function tell(callback: () => unknown): void {
  try {
    callback()
  } catch {
    // A callback that throws must not end an agent.
  }
}

/** Asks a callback that may wait; its fault counts as no answer. */
export async function ask<Answer>(
  callback: () => Answer | undefined | Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  try {
    return await callback()
  } catch {
    return undefined
  }
}
