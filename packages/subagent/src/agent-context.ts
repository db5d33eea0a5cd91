import {
  createSessionState,
  type FileReadCache,
  type Tool,
  type ToolUseContext,
  withoutUndefined,
} from '@x/contract'

/** What is an agent's own in its context. */
export interface AgentContextOptions {
  readonly agentId: string
  readonly agentType: string
  readonly depth: number
  readonly cwd: string
  /** The folder that a shell returns to. */
  readonly projectDir: string
  /** The environment of its commands. */
  readonly env: ToolUseContext['options']['env']
  readonly tools: readonly Tool[]
  readonly model: string
  readonly controller: AbortController
  readonly files: FileReadCache
  readonly isBackground: boolean
  readonly onFileChanged: (path: string) => void
}

/**
 * Makes an agent's context from that of the call: its own files, state, folder and controller. Of the user interface it keeps what
 * speaks of the whole session; in the background it cannot ask.
 */
export function createAgentContext(parent: ToolUseContext, own: AgentContextOptions): ToolUseContext {
  const { agentId, agentType, depth, cwd, projectDir, tools, model, controller, files, isBackground, env } =
    own
  const { interaction, ui, ...rest } = parent
  return {
    ...rest,
    ...(interaction !== undefined && !isBackground && { interaction }),
    cwd,
    messages: [],
    options: {
      ...parent.options,
      tools,
      model,
      projectDir,
      ...(env && { env }),
      querySource: 'agent',
      refreshTools: () => tools,
    },
    abortController: controller,
    agent: { id: agentId, type: agentType },
    chain: { id: parent.chain.id, depth },
    files,
    ui: withoutUndefined({
      notify: ui?.notify && ((text: string) => ui.notify?.(text)),
      fileChanged(path: string) {
        own.onFileChanged(path)
        ui?.fileChanged?.(path)
      },
    }),
    ...createSessionState(),
  }
}
