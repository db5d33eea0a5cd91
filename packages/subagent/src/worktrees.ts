import type { JsonObject, ToolUseContext } from '@x/contract'

/** A checkout of its own that an agent works in. Plain data: it is stored with the agent; whoever makes it may put more into it. */
export interface AgentWorktree {
  /** Absolute path of its top folder. */
  readonly path: string
  /** The branch that is checked out there; absent where a hook made the folder without git. */
  readonly branch?: string
  /** Top folder of the checkout it belongs to. */
  readonly root: string
}

/** A worktree at its agent's end. */
export interface EndedWorktree extends Pick<AgentWorktree, 'path' | 'branch'> {
  /** It holds changes, or nobody could tell: it is still there. */
  readonly kept: boolean
  /** Why it was kept, in a few words. */
  readonly why?: string
}

/** Which worktree is wanted. */
export interface WorktreeRequest<Tree extends AgentWorktree = AgentWorktree> {
  /** A name for folder and branch; unique for each agent. */
  readonly name: string
  /** The folder the call was made in. */
  readonly cwd: string
  /** The one this agent had before; used again where it still stands. */
  readonly previous?: Tree
  /** Gives up. */
  readonly signal: AbortSignal
}

/** A worktree, or why there is none. */
export type WorktreeCreation<Tree extends AgentWorktree = AgentWorktree> =
  | {
      /** Tells the answers apart. */
      readonly ok: true
      /** The new worktree, locked for its agent. */
      readonly worktree: Tree
      /** It is not the `previous` one, which is gone: the agent is told. @default it is the previous one where there was one */
      readonly isNew?: boolean
      /** The folder to begin in. @default the worktree's top folder */
      readonly cwd?: string
    }
  | {
      /** Tells the answers apart. */
      readonly ok: false
      /** For the model: what is missing and what to do. */
      readonly message: string
    }

/** One call that an isolated agent is about to make. */
export interface GuardedCall {
  /** The tool's main name. */
  readonly toolName: string
  /** Parsed input. */
  readonly input: JsonObject
  /** The agent's context. */
  readonly context: ToolUseContext
}

/** Isolation by git worktrees: the port to whoever makes them. `Tree` is what they know of one. */
export interface Worktrees<Tree extends AgentWorktree = AgentWorktree> {
  /** Makes one, or says why not; a rejection counts as a no. The agent never runs elsewhere then. */
  create(request: WorktreeRequest<Tree>): Promise<WorktreeCreation<Tree>>
  /** Removes one that holds nothing, keeps any other; a rejection counts as kept. Called once the agent has ended. */
  finish(worktree: Tree): Promise<{
    /** It is still there. */
    readonly kept: boolean
    /** Why, in a few words: what it holds. */
    readonly why?: string
  }>
  /** The environment of commands there: nothing in it leads them elsewhere. @default as it is */
  environment?(env: Readonly<Record<string, string>>): Readonly<Record<string, string>>
  /** Says why a call would leave the worktree, for the model; undefined: it would not. No rule or mode can skip it. @default no guard */
  guard?(worktree: Tree, call: GuardedCall): string | undefined | Promise<string | undefined>
}
