import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Model, SessionRecord } from '@x/contract'
import type { HookSource, HooksOptions } from '@x/hooks'
import { createMatchRule } from '@x/permissions'
import type { AgentDefinition } from '@x/subagent'
import type { QueryOptions } from '../session-options.ts'
import { createAskAgent, type HookAgentParts } from './ask-agent.ts'
import { createAskModel, smallModelName } from './ask-model.ts'
import { createSessionHooks, type SessionHooks } from './session-hooks.ts'

/** What the hooks of a session need of it. */
export interface OpenHooksFacts {
  readonly options: QueryOptions
  readonly sessionId: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly endpoint: Model
  /** The agent that the session itself is. */
  readonly mainAgent: AgentDefinition | undefined
  /** Where the session is kept; settled when its log is open. */
  readonly home: { readonly folder: string; readonly transcriptPath: string }
  /** What changes while the session lasts. */
  readonly now: () => { readonly cwd: string; readonly promptId: string | undefined; readonly mode: string }
  readonly agentParts: () => Omit<HookAgentParts, 'model' | 'resolveName'>
  readonly tell: (record: SessionRecord) => void
  readonly wake: (text: string) => void
  readonly callMcpTool: NonNullable<HooksOptions['callMcpTool']>
}

/** Opens the hooks of a session: those of the settings and those in code. */
export function openHooks(facts: OpenHooksFacts): SessionHooks {
  const { options, sessionId, cwd, env, endpoint, home, now, tell, wake, callMcpTool, mainAgent } = facts
  const resolveName = (name: string | undefined): string => smallModelName(env, name)
  return createSessionHooks({
    settings: options.settings?.hooks,
    beside: besideSettings(options.plugins, mainAgent),
    callbacks: options.hooks,
    projectDir: cwd,
    env,
    overflowFolder: join(home.folder, 'hook-output'),
    tellsAll: options.includeHookEvents === true,
    matchRule: createMatchRule({ projectDir: cwd, home: homedir() }),
    common() {
      const { cwd, promptId, mode } = now()
      return {
        session_id: sessionId,
        transcript_path: home.transcriptPath,
        cwd,
        permission_mode: mode,
        ...(promptId === undefined ? {} : { prompt_id: promptId }),
        ...(mainAgent && { agent_type: mainAgent.name }),
      }
    },
    tell,
    terminal: options.terminal,
    wake,
    doors: {
      callMcpTool,
      askModel: createAskModel(endpoint, resolveName),
      askAgent: createAskAgent(() => ({ ...facts.agentParts(), model: endpoint, resolveName })),
    },
  })
}

function besideSettings(
  plugins: QueryOptions['plugins'],
  { hooks }: Pick<AgentDefinition, 'hooks'> = {},
): readonly HookSource[] {
  const own = hooks === undefined ? [] : [{ hooks, origin: 'agent' } as const]
  return [...(plugins?.plugins ?? []).flatMap(({ hooks }) => hooks), ...own]
}
