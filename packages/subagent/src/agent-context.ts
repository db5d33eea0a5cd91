import {
  createSessionState,
  type FileReadCache,
  type FileReadState,
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

/** What is known of the last `maxFiles` files that were asked for. */
export function createFileMemory(maxFiles = 1_000): FileReadCache {
  const files = new Map<string, FileReadState>()
  return {
    get(path) {
      const state = files.get(path)
      if (state !== undefined) {
        files.delete(path)
        files.set(path, state)
      }
      return state
    },
    set(path, state) {
      files.delete(path)
      files.set(path, state)
      const [oldest] = files.keys()
      if (files.size > maxFiles && oldest !== undefined) files.delete(oldest)
    },
    delete: (path) => void files.delete(path),
    entries: () => files.entries(),
  }
}
