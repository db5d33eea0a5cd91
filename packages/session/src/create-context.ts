import { createSessionState, type FileReadCache } from '@x/contract'
import type { BaseContext } from '@x/executor'
import { childEnvironment } from './child-environment.ts'
import type { SessionSetup } from './session-setup.ts'

/** What a context is made of. */
export type ContextFacts = Pick<
  SessionSetup,
  'options' | 'cwd' | 'env' | 'model' | 'tools' | 'access' | 'sessionId'
>

/** Makes the context that the calls of a session are made from, with nothing read and no state. */
export function createContext(
  { options, cwd, env, model, tools, access, sessionId }: ContextFacts,
  files: FileReadCache,
): BaseContext {
  return {
    cwd,
    messages: [],
    options: {
      tools,
      model,
      isNonInteractive: options.canUseTool === undefined,
      projectDir: cwd,
      additionalDirectories: access.permissions.workingDirectories,
      env: childEnvironment(env),
      querySource: 'main',
    },
    chain: { id: sessionId, depth: 0 },
    files,
    ...createSessionState(),
  }
}
