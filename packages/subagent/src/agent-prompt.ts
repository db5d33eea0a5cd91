import { escapeMarkup, reminderText, type TextBlock, type Tool, type UserMessage } from '@x/contract'
import type { AgentExtras, AgentStart } from './agents-options.ts'
import type { Place } from './choose-place.ts'
import { lostTaskText } from './collect-notices.ts'
import { forkNote } from './fork.ts'
import type { Host } from './host.ts'
import type { AgentPlan } from './plan-agent.ts'
import { oneLine } from './report-text.ts'
import { userText } from './texts.ts'

/** The system prompt: the definition's, the place, and what else the set-up and the host say. */
export function systemPrompt(
  { options }: Host,
  { definition, fork }: AgentPlan,
  { cwd, extras }: { readonly cwd: string; readonly extras: AgentExtras },
): readonly TextBlock[] {
  if (fork !== undefined) return fork.system
  const texts = [
    definition.prompt,
    options.describePlace(cwd),
    ...(extras.system ?? []),
    options.appendSystemPrompt ?? '',
  ]
  return texts
    .filter((text) => text.trim() !== '')
    .map((text) => ({ type: 'text', text: text.toWellFormed() }))
}

/** What starts an agent: context, then the task. One that goes on has read the context already. */
export function firstPrompt(
  host: Host,
  plan: AgentPlan,
  {
    extras,
    start,
    tools,
    place,
  }: {
    readonly extras: AgentExtras
    readonly start: AgentStart | undefined
    readonly tools: readonly Tool[]
    readonly place: Place
  },
): UserMessage {
  const { cwd, lost } = place
  if (plan.resumed !== undefined) {
    const { running = [] } = plan.resumed
    const tasks = running.map((task) => reminderText(escapeMarkup(lostTaskText(task))))
    return userText(...(lost === undefined ? [] : [lostNote(lost, cwd)]), ...tasks, plan.prompt)
  }
  const context = [
    ...(extras.context ?? []),
    ...(start?.context ?? []),
    ...describeNamed(host, tools, plan.agentId),
  ]
  const note = plan.fork === undefined ? [] : [forkNote(cwd, plan.isIsolated)]
  return userText(...context.filter((text) => text.trim() !== '').map(reminderText), ...note, plan.prompt)
}

/** The conversation speaks of files that are not there any more: the model must know. */
function lostNote(path: string, cwd: string): string {
  return reminderText(
    `Your worktree ${path} was removed after you ended. You work in a new one now: ${cwd}. Nothing that you changed is in it.`,
  )
}

/** Whom the agent can write to, if it can write. */
function describeNamed({ roster }: Host, tools: readonly Tool[], agentId: string): readonly string[] {
  if (!tools.some(({ name }) => name === 'SendMessage')) return []
  const named = [...roster.live.values()].filter((one) => one.name !== undefined && one.agentId !== agentId)
  if (named.length === 0) return []
  const lines = named.map(({ name = '', agentType, description }) =>
    // Other agents may have chosen these words.
    escapeMarkup(`- ${oneLine(name)} (${agentType}): ${oneLine(description)}`),
  )
  return [['Agents at work that you can write to with SendMessage:', ...lines].join('\n')]
}
