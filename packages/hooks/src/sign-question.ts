import type { HookAnswer } from './hook-answer.ts'
import type { ConfiguredHook } from './read-hooks.ts'

/** Puts in front of a question of a hook where that hook comes from: whoever answers should know whose question it is. */
export function signQuestion(answer: HookAnswer, hook: ConfiguredHook): HookAnswer {
  if (answer.verdict !== 'ask') return answer
  return {
    ...answer,
    reason: `[${sourceOf(hook)}] ${answer.reason ?? `A ${hook.event} hook wants to be sure.`}`,
  }
}

function sourceOf({ origin, plugin }: ConfiguredHook): string {
  if (plugin !== undefined) return `plugin:${plugin.name}`
  return origin === 'skill' ? 'skill' : 'settings'
}
