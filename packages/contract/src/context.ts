import type { FileHistory } from './file-history.ts'
import type { Message } from './messages.ts'
import type { Tool } from './tool.ts'

/** The only door from a tool to its session. Plain data and functions: tests and subagents bring their own. */
export interface ToolUseContext {
  /** Absolute path of the working folder. A context modifier moves it. */
  readonly cwd: string
  /** The id of the call this context was made for. */
  readonly toolUseId: string
  /** The conversation up to and without the message that holds this call. */
  readonly messages: readonly Message[]
  /** What stays the same for the whole session. */
  readonly options: SessionOptions
  /** The call's own. Whoever aborts it ends the query; a time limit uses a child of it. */
  readonly abortController: AbortController
  /** Set inside a subagent. */
  readonly agent?: AgentIdentity
  /** One id for a query and all that it starts; `depth` is 0 in the main session. */
  readonly chain: {
    /** The same in everything that one query starts. */
    readonly id: string
    /** How many agents stand above this one. */
    readonly depth: number
  }
  /** What has been read and written, for the checks before an edit. */
  readonly files: FileReadCache
  /** Told of every change of a file before it is made; absent where nothing can be rewound. */
  readonly fileHistory?: FileHistory
  /** What the user interface offers; absent without one. */
  readonly ui?: UiCallbacks
  /** Absent where nobody can answer. */
  readonly interaction?: Interaction
  /** Limits set by the host; each tool has its own defaults. */
  readonly limits?: ContextLimits
  /** Switches set by the host. */
  readonly flags?: ContextFlags
  /** Reads one value of the session's state; `key.initial()` where nothing was set. */
  getState<Value>(key: StateKey<Value>): Value
  /** Replaces one value of the session's state by a function of the old one. */
  setState<Value>(key: StateKey<Value>, update: (value: Value) => Value): void
}

/** Facts about the session that no tool changes. */
export interface SessionOptions {
  /** All tools of the session, hidden ones too. */
  readonly tools: readonly Tool[]
  /** The main model, as the service names it. */
  readonly model: string
  /** Nobody can be asked. */
  readonly isNonInteractive: boolean
  /**
   * The project folder: where the session began, or the worktree that it is in. A shell that leaves the working directories returns
   * here, and what rules forbid in the project they forbid here.
   */
  readonly projectDir: string
  /** Further working directories beside `projectDir`. Absolute paths. */
  readonly additionalDirectories?: readonly string[]
  /** What the session may cost, in US dollars. @default no limit */
  readonly maxBudgetUsd?: number
  /** Stands in place of the built-in system prompt. */
  readonly customSystemPrompt?: string
  /** Stands behind the system prompt. */
  readonly appendSystemPrompt?: string
  /** Who asks: `main`, `agent`, `compact`, ... For logs and metrics. */
  readonly querySource?: string
  /** Writes down what is needed to find a fault. @default false */
  readonly debug?: boolean
  /** Shows more of what goes on. @default false */
  readonly verbose?: boolean
  /** Environment for child processes, already without the host's secrets. @default the process's */
  readonly env?: Readonly<Record<string, string>>
  /** Computes the list of visible tools anew. */
  refreshTools?(): readonly Tool[]
}

/** How hooks, callbacks and tools tell a subagent from the main session. */
export interface AgentIdentity {
  /** Unique within the session. */
  readonly id: string
  /** The name of its definition. */
  readonly type: string
}

/** The name and first value of one piece of session state. Compared by identity, so a package owns its keys. */
export interface StateKey<Value> {
  /** For people who look at the state. */
  readonly name: string
  /** Makes the value that counts until one is set. */
  initial(): Value
}

/** What the session knows of one file. */
export interface FileReadState {
  /** Modification time when it was read or written, in milliseconds. */
  readonly mtimeMs: number
  /** Size in bytes then. */
  readonly sizeBytes: number
  /** Where the knowledge comes from; only a `read` may answer "unchanged". */
  readonly source: 'read' | 'write' | 'shell'
  /** The file was not seen whole. */
  readonly isPartialView: boolean
  /** First line and number of lines asked for; absent for the whole file. */
  readonly offset?: number
  /** Number of lines asked for; absent for all of them. */
  readonly limit?: number
  /** A digest of the bytes, where the reader made one: tells a touched file from a changed one. */
  readonly digest?: string
}

/** A bounded cache from absolute real path to what is known of the file. */
export interface FileReadCache {
  /** What is known of the file; `undefined` after it was dropped for space, too. */
  get(path: string): FileReadState | undefined
  /** Replaces what is known of the file. */
  set(path: string, state: FileReadState): void
  /** Forgets the file. */
  delete(path: string): void
  /** All that is known, the file used last at the end; whoever starts from the same knowledge copies it. @default cannot be copied */
  entries?(): Iterable<readonly [path: string, state: FileReadState]>
}

/** What a user interface may offer; every one optional. A callback that throws is ignored. */
export interface UiCallbacks {
  /** Tells the user something in one line. */
  notify?(text: string): void
  /** Ids of calls between their start and the hand-over of their result. */
  inProgress?(toolUseIds: ReadonlySet<string>): void
  /** Something runs and all of it can be interrupted. */
  interruptible?(all: boolean): void
  /** A file was changed by a tool. */
  fileChanged?(path: string): void
}

/** Asking the person at the other end. */
export interface Interaction {
  /** Resolves with the answer, or `undefined` if it was dismissed. */
  prompt(question: string, options?: { readonly signal?: AbortSignal }): Promise<string | undefined>
}

/** Limits that a host may set for tools. */
export interface ContextLimits {
  /** Largest file Read loads, in bytes. */
  readonly maxFileBytes?: number
  /** Largest answer of Read, in tokens. */
  readonly maxReadTokens?: number
  /** Most paths Glob lists. */
  readonly maxGlobResults?: number
}

/** Switches that a host may set for tools and the permission check. */
export interface ContextFlags {
  /** A hook's allow does not skip the permission check. */
  readonly isPermissionCheckMandatory?: boolean
  /** Edit, Write and NotebookEdit accept files that were not read in this conversation (newer models). @default false */
  readonly allowsUnreadEdits?: boolean
}
