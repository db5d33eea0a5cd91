import type { ChildProcess } from 'node:child_process'
import type { CapturedText } from './capture.ts'
import { createFileSink } from './file-sink.ts'
import { DEFAULT_MAX, type ProcessOutput } from './options.ts'
import { createLineSink, createMemorySink } from './pipe-sink.ts'

/** Where the output of one process goes. */
export interface OutputSink {
  /** Standard output and standard error for spawn. */
  readonly stdio: readonly ['pipe' | number, 'pipe' | number]
  /** Begins to take the output of the process. */
  attach(child: ChildProcess, end: (cause: SinkCause) => void): void
  /**
   * Takes what is there after the exit, for a limited time, and closes. Resolves with a cause that shows only now; rejects
   * with what `onLine` threw.
   */
  finish(): Promise<SinkCause | undefined>
  /** What has been kept so far. */
  captured(): CapturedOutput
}

/** Why a sink wants the process to end. */
export type SinkCause =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'output-limit'; readonly maxFileBytes: number }

/** What was kept in memory of the two streams; empty for a stream that went elsewhere. */
export interface CapturedOutput {
  /** Standard output, with `output: { to: 'memory' }`. */
  readonly stdout: CapturedText
  /** Standard error, with `memory` and `lines`. */
  readonly stderr: CapturedText
}

/** Opens the sink that the option names. Throws what the file system says. */
export function openSink(output: ProcessOutput): OutputSink {
  switch (output.to) {
    case 'file':
      return createFileSink(output)
    case 'memory':
      return createMemorySink(output.maxBytes ?? DEFAULT_MAX)
    case 'lines':
      return createLineSink(output)
  }
}
