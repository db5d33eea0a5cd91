import { createGit, type Git } from './git.ts'
import type { WorktreeOptions } from './types.ts'

/** How git is asked. */
export interface Asking {
  /** Runs git. */
  readonly git: Git
  /** Ends it. */
  readonly signal?: AbortSignal | undefined
}

/** How git is asked, and who hears of the steps. */
export interface Working extends Asking {
  /** Hears of each step before it is taken. */
  readonly onStep: (step: string) => void
}

/** The parts of the options that the steps need, with defaults. */
export function workingOf({ git = createGit(), signal, onStep = () => {} }: WorktreeOptions): Working {
  return { git, signal, onStep }
}
