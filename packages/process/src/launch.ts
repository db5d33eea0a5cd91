import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { StartFailure } from './exit.ts'
import type { ProcessOptions } from './options.ts'
import { readProcess } from './process-table.ts'
import { mainProcesses, type ProcessTree } from './process-tree.ts'
import { type OutputSink, openSink } from './sink.ts'
import { toFileFailure, toStartFailure } from './start-failure.ts'

/** A process that runs. */
export interface Launched {
  /** Node's handle. */
  readonly child: ChildProcess
  /** What is to be ended with it. */
  readonly tree: ProcessTree
  /** Where its output goes. */
  readonly sink: OutputSink
}

/** A process that does not run. The system tells the reason at once or a moment later. */
export interface NotLaunched {
  /** The reason. */
  readonly failure: Promise<StartFailure>
}

/** The environment variable that marks all that comes from a process started here. */
const TAG_NAME = 'X_PROCESS_TAG'

/** Opens the output and spawns the process, in a session and group of its own. */
export function launch(
  command: string,
  args: readonly string[],
  options: ProcessOptions,
): Launched | NotLaunched {
  let sink: OutputSink
  try {
    sink = openSink(options.output ?? { to: 'memory' })
  } catch (error) {
    return { failure: Promise.resolve(toFileFailure(error)) }
  }
  const startedAt = performance.now()
  const tag = randomUUID()
  let child: ChildProcess
  try {
    child = spawn(command, args, {
      cwd: options.cwd,
      env: taggedEnvironment(options.env ?? process.env, tag),
      stdio: [hasInput(options) ? 'pipe' : 'ignore', ...sink.stdio],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
  } catch (error) {
    return { failure: closeFailed(sink, toStartFailure(error, { command, cwd: options.cwd })) }
  }
  const { pid } = child
  if (pid === undefined) {
    const error = new Promise((resolve) => child.once('error', resolve))
    return {
      failure: error.then((reason) =>
        closeFailed(sink, toStartFailure(reason, { command, cwd: options.cwd })),
      ),
    }
  }
  mainProcesses.add(pid)
  const startTicks = readProcess(pid)?.startTicks ?? 0
  return { child, sink, tree: { pid, startTicks, startedAt, tag, mainExited: false, seenDead: new Set() } }
}

function hasInput({ stdin, keepInputOpen }: ProcessOptions): boolean {
  return stdin !== undefined || keepInputOpen === true
}

/** A host that was itself started by such a host passes the outer tag on, so that the outer one finds all of it. */
function taggedEnvironment(env: NodeJS.ProcessEnv, tag: string): NodeJS.ProcessEnv {
  const outer = process.env[TAG_NAME]
  return { ...env, [TAG_NAME]: outer === undefined ? tag : `${outer} ${tag}` }
}

async function closeFailed(sink: OutputSink, failure: StartFailure): Promise<StartFailure> {
  await sink.finish()
  return failure
}
