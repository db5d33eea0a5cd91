/** What a process gets, where its output goes and what ends it. */
export interface ProcessOptions {
  /** Working folder of the process. @default the host's */
  readonly cwd?: string
  /** The whole environment of the process; a tag is added to it. @default the host's */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Ends the whole tree when it aborts. Nothing is started when it is aborted already. */
  readonly signal?: AbortSignal
  /** Ends the whole tree after this many milliseconds, 1 to 2,147,483,647. @default no limit */
  readonly timeoutMs?: number
  /** Written to standard input, then end of file. Without it standard input is empty; it is never inherited. */
  readonly stdin?: string | Uint8Array
  /** Standard input stays open for `write` until `endInput`, for a program that is talked to. @default false */
  readonly keepInputOpen?: boolean
  /** Where the output goes. @default { to: 'memory' } */
  readonly output?: ProcessOutput
  /** Milliseconds between asking to end (TERM) and forcing (KILL); 0 forces at once. @default 1000 */
  readonly killGraceMs?: number
  /** What happens to processes that are still there when the main one has exited by itself. @default 'kill' */
  readonly leftovers?: 'kill' | 'keep'
  /** Milliseconds that such processes get to end by themselves before that is decided. @default 200 */
  readonly settleMs?: number
}

/** Where the output of a process goes: one file, memory, or a callback line by line. */
export type ProcessOutput = FileOutput | MemoryOutput | LineOutput

/** Both streams, interleaved as written, on one descriptor of a file. Nothing passes through the host. */
export interface FileOutput {
  readonly to: 'file'
  /** Appended to; created readable by its owner only when it is missing. */
  readonly path: string
  /** The tree is killed when the file grows past this size, and the file cut there. @default no limit */
  readonly maxFileBytes?: number
}

/** The two streams apart, each bounded: beyond the limit the beginning and the end stay. */
export interface MemoryOutput {
  readonly to: 'memory'
  /** Bytes kept of each stream. @default 1,048,576 */
  readonly maxBytes?: number
}

/** Standard output as lines; standard error is kept as with `memory`. */
export interface LineOutput {
  readonly to: 'lines'
  /**
   * Called for each line, without its line feed, in order; a last line without one counts too. Returning false ends the
   * process, and no further line arrives. It is not awaited; when it throws, the process ends and `exited` rejects with that.
   */
  readonly onLine: (line: string) => boolean | void
  /** Called once when no further line can come: standard output is closed, though the process may still run. Must not throw. */
  readonly onEnd?: () => void
  /** Bytes kept of standard error. @default 1,048,576 */
  readonly maxBytes?: number
  /** Longer lines arrive cut to this many UTF-16 units. @default 1,048,576 */
  readonly maxLineLength?: number
}

/** Bytes or characters that are kept when an output names no limit. */
export const DEFAULT_MAX = 1_048_576

const MAX_TIMER_MS = 2_147_483_647

/** Refuses wrong numbers early. Texts of the caller (command, arguments, folder) are not wrong use: they fail as values. */
export function assertOptions(options: ProcessOptions): void {
  assertRange('timeoutMs', options.timeoutMs, [1, MAX_TIMER_MS])
  assertRange('killGraceMs', options.killGraceMs, [0, MAX_TIMER_MS])
  assertRange('settleMs', options.settleMs, [0, MAX_TIMER_MS])
  const output = options.output
  if (output === undefined) return
  if (output.to === 'file') {
    assertRange('output.maxFileBytes', output.maxFileBytes, [1, Number.MAX_SAFE_INTEGER])
    return
  }
  assertRange('output.maxBytes', output.maxBytes, [0, Number.MAX_SAFE_INTEGER])
  if (output.to === 'lines') assertRange('output.maxLineLength', output.maxLineLength, [1, 2 ** 28])
}

function assertRange(name: string, value: number | undefined, [low, high]: readonly [number, number]): void {
  if (value === undefined || (value >= low && value <= high)) return
  throw new RangeError(`${name} must be a number from ${low} to ${high}, got ${value}`)
}
