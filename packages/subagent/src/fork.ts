import {
  type EffortLevel,
  type FileReadCache,
  type Message,
  reminderText,
  repairHistory,
  type TextBlock,
  type ToolUseContext,
} from '@x/contract'
import type { Environment } from './choices.ts'
import type { AgentDefinition } from './definition.ts'
import { AgentError } from './errors.ts'
import type { Host } from './host.ts'
import { callerOf } from './roster.ts'
import { interruptedCallText } from './texts.ts'

/** The conversation that a fork goes on with, as its parent's last request had it: the same bytes, so the same prompt cache. */
export interface ForkedConversation {
  readonly system: readonly TextBlock[]
  readonly messages: readonly Message[]
  /** The parent's own; part of what the cache goes by. @default as the main session */
  readonly effort?: EffortLevel
}

/** The agent that is no stranger: it has its parent's conversation, system prompt, tools and model. */
export const forkAgent: AgentDefinition = {
  name: 'fork',
  description:
    'You yourself, a second time: it knows this conversation up to your last message, has your tools and works beside you in the background. Used where subagent_type is left out. Give it one piece of the work and say what its report has to contain; nothing needs to be explained again.',
  source: 'built-in',
  prompt: '',
  isFork: true,
  // The conversation it goes on with has them.
  skipsProjectContext: true,
}

/** Whether calls that name no type fork, and agents run in the background: `CLAUDE_CODE_FORK_SUBAGENT`. */
export function isForkMode(env: Environment): boolean {
  return env['CLAUDE_CODE_FORK_SUBAGENT'] === '1'
}

/** The agents there are: the host's, and the fork where there is one. A definition of that name stands in its place. */
export function definitionsOf({ options, env }: Pick<Host, 'options' | 'env'>): readonly AgentDefinition[] {
  const own = options.definitions()
  const hasFork = options.mainSystem !== undefined && isForkMode(env)
  return hasFork && !own.some(({ name }) => name === forkAgent.name) ? [...own, forkAgent] : own
}

/**
 * What a fork goes on with.
 *
 * @throws AgentError if whoever calls is a fork itself.
 */
export function takeFork(
  host: Host,
  definition: AgentDefinition,
  context: ToolUseContext,
): ForkedConversation | undefined {
  if (definition.isFork !== true) return undefined
  const parent = callerOf(host.roster, context)
  if (parent?.isFork === true) {
    const message = 'A fork does not fork. Name another agent type, or do this work yourself.'
    throw new AgentError('fork-limit', message)
  }
  const system = parent === undefined ? host.options.mainSystem?.() : parent.system
  const { messages } = repairHistory(context.messages, { missingResultText: interruptedCallText })
  const effort = parent?.effort
  return { system: system ?? [], messages, ...(effort !== undefined && { effort }) }
}

/** What its parent has read it has read too; from now on each keeps its own account. */
export function copyFiles(parent: FileReadCache, own: FileReadCache): void {
  for (const [path, state] of parent.entries?.() ?? []) own.set(path, state)
}

/** Tells a fork that it is one, and where it works. */
export function forkNote(cwd: string, isIsolated: boolean): string {
  const place = isIsolated
    ? `You work in a git worktree of its own: ${cwd}. Paths in the conversation above belong to another checkout; use the same paths below your own folder, and read a file again before you change it.`
    : `You work in ${cwd}, the same folder as the conversation you come from.`
  return reminderText(
    `You are a fork: you have the conversation above, and from here on you work apart from it, on the one task below and nothing else. ${place} ` +
      'Do not start what the conversation planned besides. Nobody can answer you while you work. Your last message is all that the conversation gets: ' +
      'what you found, what you changed and how you checked it.',
  )
}
