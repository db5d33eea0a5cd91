import { statSync } from 'node:fs'
import type { StartFailure, StartProblem } from './exit.ts'

/** What was to be started. */
export interface StartRequest {
  /** The program. */
  readonly command: string
  /** The folder to start it in. */
  readonly cwd: string | undefined
}

const PROBLEMS: Readonly<Record<string, StartProblem>> = {
  ENOENT: 'command-missing',
  ENOTDIR: 'command-missing',
  EACCES: 'permission-denied',
  EPERM: 'permission-denied',
  E2BIG: 'arguments-too-long',
  EMFILE: 'out-of-resources',
  ENFILE: 'out-of-resources',
  EAGAIN: 'out-of-resources',
  ENOMEM: 'out-of-resources',
}

/** Turns the error of a failed spawn into a value. Tells a missing folder from a missing program, as the system does not. */
export function toStartFailure(error: unknown, { command, cwd }: StartRequest): StartFailure {
  const code = codeOf(error)
  const problem = PROBLEMS[code] ?? 'invalid'
  const name = command.length > 200 ? `${command.slice(0, 200)}...` : command
  if (problem === 'command-missing' && cwd !== undefined && !isFolder(cwd)) {
    return failure('cwd-missing', code, `cannot start ${name}: the working folder ${cwd} does not exist`)
  }
  return failure(problem, code, `cannot start ${name}: ${TEXTS[problem] ?? messageOf(error)}`)
}

/** Turns the error of opening the output file into a value. */
export function toFileFailure(error: unknown): StartFailure {
  const code = codeOf(error)
  const problem = PROBLEMS[code] === 'out-of-resources' ? 'out-of-resources' : 'output-file'
  return failure(problem, code, `cannot open the output file: ${messageOf(error)}`)
}

const TEXTS: Partial<Record<StartProblem, string>> = {
  'command-missing': 'no such program',
  'permission-denied': 'permission denied (is the file executable, the folder accessible?)',
  'arguments-too-long': 'the arguments and the environment are too long together',
  'out-of-resources': 'the system has no files, processes or memory left for it',
}

function failure(problem: StartProblem, code: string, message: string): StartFailure {
  return { kind: 'failed-to-start', problem, code, message }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return 'UNKNOWN'
  return String(error.code)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
