/** One run of ripgrep. */
export interface RipgrepRun {
  /** Everything but the program. Text of the caller is never an option in it. */
  readonly args: readonly string[]
  /** Absolute path of the folder it runs in. */
  readonly cwd: string
  /** Its whole environment. @default the host's */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Ends it when it aborts. */
  readonly signal: AbortSignal
  /** Ends it after this many milliseconds. */
  readonly timeoutMs: number
  /** Hears each line of its standard output, without the line feed, in order; false ends the run. */
  readonly onLine: (line: string) => boolean
}

/** How a run of ripgrep ended. */
export type RipgrepEnd =
  | {
      /** It ended by itself. */
      readonly kind: 'exited'
      /** 0: something was found; 1: nothing; 2: something went wrong, perhaps beside results. */
      readonly code: number
      /** What it wrote to standard error. */
      readonly stderr: string
    }
  | {
      /** `onLine` returned false. */
      readonly kind: 'stopped'
    }
  | {
      /** Its time was up. */
      readonly kind: 'timed-out'
    }
  | {
      /** It never ran, or was ended from outside. */
      readonly kind: 'failed'
      /** For the model: what happened and what to do. */
      readonly message: string
    }

/** What can stand at a path. */
export type PathKind = 'file' | 'folder' | 'other' | 'missing'

/** All that the search tools need from the outside: the same tools search another machine through other operations. */
export interface SearchOperations {
  /** Runs ripgrep. Rejects with the signal's reason when it aborts, after ripgrep has ended. */
  ripgrep(run: RipgrepRun): Promise<RipgrepEnd>
  /** Tells what stands at an absolute path, behind symbolic links. */
  kindOf(path: string): Promise<PathKind>
  /** When each file was changed last, in milliseconds since 1970, in the order of the paths; 0 where that cannot be told. */
  modifiedTimes(paths: readonly string[], signal: AbortSignal): Promise<readonly number[]>
}
