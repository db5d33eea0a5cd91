import { createSessionState, type FileReadCache, type Tool, withoutUndefined } from '@x/contract'
import type { BaseContext } from '@x/executor'
import { childEnvironment } from './child-environment.ts'
import type { SessionSetup } from './session-setup.ts'

/** What a context is made of. */
export interface ContextFacts
  extends Pick<SessionSetup, 'options' | 'cwd' | 'env' | 'model' | 'tools' | 'access' | 'sessionId'> {
  /** The tools of the next turn. @default they stay the same */
  readonly refreshTools?: () => readonly Tool[]
}

/** Makes the context that the calls of a session are made from, with nothing read and no state. */
export function createContext(
  { options, cwd, env, model, tools, access, sessionId, refreshTools }: ContextFacts,
  files: FileReadCache,
): BaseContext {
  return {
    cwd,
    messages: [],
    options: withoutUndefined({
      ...factsOf(options),
      refreshTools,
      tools,
      model,
      isNonInteractive: options.canUseTool === undefined,
      projectDir: cwd,
      additionalDirectories: access.permissions.workingDirectories,
      env: childEnvironment(env),
      querySource: 'main',
    }),
    chain: { id: sessionId, depth: 0 },
    files,
    ...createSessionState(),
  }
}

/** What tools may want to know of how the session was made. */
function factsOf({ systemPrompt, appendSystemPrompt, maxBudgetUsd, debug }: ContextFacts['options']) {
  return {
    customSystemPrompt: systemPrompt,
    appendSystemPrompt,
    maxBudgetUsd,
    debug: debug === undefined ? undefined : true,
  }
}
