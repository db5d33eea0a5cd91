import type { AgentDefinition, AgentProblem, LoadedAgents } from '@x/subagent'
import { notice } from '../notice.ts'
import type { SessionSetup } from '../session-setup.ts'

/** Agent files that may change while the session lasts. */
export interface AgentFilesToFollow {
  /** Absolute paths of the folders; `loadAgents` of `@x/subagent` names them. */
  readonly folders: readonly string[]
  /** Loads all agents anew. */
  readonly load: () => Promise<LoadedAgents>
}

/** How long files must be quiet before they are read, in milliseconds. */
const quietMs = 150

/** Lets changed agent files count from the next request on, and says so. Keeps no process alive. */
export async function followAgents(setup: SessionSetup): Promise<AsyncDisposable | undefined> {
  const { agentFiles } = setup.options
  if (agentFiles === undefined || agentFiles.folders.length === 0) return undefined
  const reload = createReload(setup, agentFiles.load)
  const { watch } = await import('chokidar')
  const watcher = watch([...agentFiles.folders], { ignoreInitial: true, persistent: false })
  let quiet: NodeJS.Timeout | undefined
  watcher.on('all', () => {
    clearTimeout(quiet)
    quiet = setTimeout(() => void reload(), quietMs).unref()
  })
  // A folder that cannot be watched is no reason to end the session.
  watcher.on('error', () => {})
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(quiet)
      await watcher.close()
    },
  }
}

/** One reading at a time; what was told before is not told again. */
function createReload({ roster, news, controller }: SessionSetup, load: AgentFilesToFollow['load']) {
  const told = new Set<string>()
  let last = Promise.resolve()
  async function run(): Promise<void> {
    // What stands in files is a problem in the answer; the rest is nothing that a user could mend.
    const loaded = await load().catch(() => undefined)
    if (loaded === undefined || controller.signal.aborted) return
    const changed = namesOfChanged(roster.loaded, loaded.definitions)
    if (changed.length > 0) {
      roster.reload(loaded.definitions)
      news.push(notice(`Agents have changed, from now on these count: ${changed.join(', ')}.`, 'notice'))
    }
    for (const text of loaded.problems.filter(isWarning).map(toText)) {
      if (!told.has(text)) news.push(notice(text, 'warning'))
      told.add(text)
    }
  }
  return () => {
    last = last.then(run)
    return last
  }
}

function namesOfChanged(
  before: readonly AgentDefinition[],
  now: readonly AgentDefinition[],
): readonly string[] {
  const old = new Map(before.map((one) => [one.name, JSON.stringify(one)]))
  const changed = now.filter((one) => old.get(one.name) !== JSON.stringify(one)).map(({ name }) => name)
  const names = new Set(now.map(({ name }) => name))
  const gone = before.filter(({ name }) => !names.has(name)).map(({ name }) => `${name} (gone)`)
  return [...changed, ...gone]
}

function isWarning({ level }: AgentProblem): boolean {
  return level === 'warning'
}

function toText({ path, reason }: AgentProblem): string {
  return `${path}: ${reason}`
}
