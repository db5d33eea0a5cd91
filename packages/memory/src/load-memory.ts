import { loadForFile } from './load-for-file.ts'
import { type LoadStep, loadStart } from './load-start.ts'
import type { LoadedMemory, WaitingRule } from './memory-file.ts'
import type { MemoryOptions } from './memory-options.ts'
import { type MemoryPlan, makePlan } from './memory-plan.ts'
import { waitFor } from './wait-for.ts'

/** How to wait for a step of loading. */
export interface LoadOptions {
  /** Ends the waiting: the call rejects with its reason, and what it would have loaded can still be loaded. */
  readonly signal?: AbortSignal
}

/** The instructions of a session. Knows what it has loaded, so that no file is loaded twice. */
export interface Memory extends LoadedMemory {
  /** Rules that wait for a file they are for. */
  readonly rules: readonly WaitingRule[]
  /**
   * Loads what becomes relevant because a file is read: the instructions of folders below the start folder down to the file, and rules
   * whose patterns match it. Each file once, whoever asks first; calls are answered one after the other.
   *
   * Gives nothing for a file outside of the start folder, but rules with absolute patterns. The file need not exist.
   */
  forFile(path: string, options?: LoadOptions): Promise<LoadedMemory>
  /**
   * Reads the files of the start again, as they are now, and forgets what was loaded on demand, so that it loads when it is needed
   * again. `files`, `problems` and `rules` are the new ones afterwards.
   */
  reset(reason: 'compact', options?: LoadOptions): Promise<LoadedMemory>
  /** A copy for a subagent: it knows what was loaded, and neither loads anything for the other from then on. */
  fork(): Memory
}

/**
 * Finds and reads the instruction files that count for a folder: managed ones, the user's, then those of each folder from the root of the
 * file system down to the start folder, then auto memory.
 *
 * Whatever is wrong with a file is a problem in the result and costs only that file. Rejects with the signal's reason, and with what
 * `isApproved` rejects with.
 *
 * @example
 * const memory = await loadMemory({ cwd })
 * console.log(formatMemory(memory.files))
 * const more = await memory.forFile('src/api/server.ts')
 */
export async function loadMemory(options: MemoryOptions = {}): Promise<Memory> {
  const { signal } = options
  return waitFor(async () => {
    const plan = await makePlan(options)
    return createMemory(plan, await loadStart(plan, 'session_start', signal))
  }, signal)
}

function createMemory(plan: MemoryPlan, start: LoadStep): Memory {
  let shown: LoadedMemory = { files: start.files, problems: start.problems }
  let { state } = start
  let last: Promise<unknown> = Promise.resolve()

  /** Steps wait for each other: what one has loaded, the next must know. An aborted one has loaded nothing. */
  const inTurn = (work: () => Promise<LoadStep>, signal: AbortSignal | undefined): Promise<LoadedMemory> => {
    const before = last
    const turn = (async () => {
      await waitFor(() => before, signal)
      const step = await waitFor(work, signal)
      ;({ state } = step)
      return { files: step.files, problems: step.problems }
    })()
    last = Promise.allSettled([before, turn])
    return turn
  }

  return {
    get files() {
      return shown.files
    },
    get problems() {
      return shown.problems
    },
    get rules() {
      return state.rules.map(({ instructions: { path }, globs }) => ({ path, globs }))
    },
    forFile: (path, { signal } = {}) => inTurn(() => loadForFile(plan, state, { path, signal }), signal),
    reset: async (reason, { signal } = {}) => {
      shown = await inTurn(() => loadStart(plan, reason, signal), signal)
      return shown
    },
    fork: () => createMemory(plan, { ...shown, state }),
  }
}
