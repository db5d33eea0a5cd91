import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from './git.ts'
import { withoutNewline } from './git-output.ts'
import type { Repository } from './repository.ts'

/** Where a worktree starts: the default branch of `origin`, or what is checked out now. */
export type BaseRef = 'fresh' | 'head'

/** The commit to start from. */
export interface Base {
  /** The commit, in full. */
  readonly commit: string
  /** What the caller should know about it. */
  readonly notes: readonly string[]
}

/** What `findBase` needs. */
export interface BaseQuestion {
  /** The folder that asks; `head` is the commit checked out there. */
  readonly cwd: string
  /** Its repository. */
  readonly repository: Repository
  /** What is wanted. */
  readonly baseRef: BaseRef
  /** Runs git. */
  readonly git: Git
  /** Ends it. */
  readonly signal?: AbortSignal | undefined
  /** The present, in milliseconds since 1970. */
  readonly now: number
}

const FETCH_MS = 5000
const FRESH_MS = 24 * 60 * 60 * 1000
/** Touched after each fetch from here: what the user fetched last stays in `FETCH_HEAD`. */
const STAMP = 'x-worktree-fetch'

/** Finds the commit to start from; undefined when the repository has none. */
export async function findBase(question: BaseQuestion): Promise<Base | undefined> {
  if (question.baseRef === 'fresh') {
    const fresh = await findFresh(question)
    if (fresh !== undefined) return fresh
  }
  const commit = await commitOf('HEAD', question)
  return commit === undefined ? undefined : { commit, notes: [] }
}

async function findFresh(question: BaseQuestion): Promise<Base | undefined> {
  const branch = await defaultBranch(question)
  if (branch === undefined) return undefined
  const problem = (await isOld(question)) ? await fetchBranch(branch, question) : undefined
  const commit = await commitOf(`refs/remotes/origin/${branch}`, question)
  if (commit === undefined) return undefined
  return { commit, notes: problem === undefined ? [] : [staleNote(branch, problem)] }
}

function staleNote(branch: string, problem: string): string {
  return `origin/${branch} could not be fetched (${problem}); the worktree starts from the last known state.`
}

/** The name behind `origin/HEAD`; where that was never set, a usual name that exists. */
async function defaultBranch({ repository, git, signal }: BaseQuestion): Promise<string | undefined> {
  const call = { cwd: repository.root, signal }
  const head = await git(['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD'], call)
  if (head.ok) return withoutNewline(head.stdout).replace('refs/remotes/origin/', '')
  const usual = ['main', 'master']
  const refs = usual.map((name) => `refs/remotes/origin/${name}`)
  const found = await git(['for-each-ref', '--format=%(refname:lstrip=3)', ...refs], call)
  const names = found.ok ? found.stdout.split('\n') : []
  return usual.find((name) => names.includes(name))
}

async function isOld({ repository: { commonDir }, now }: BaseQuestion): Promise<boolean> {
  const times = await Promise.all([join(commonDir, 'FETCH_HEAD'), join(commonDir, STAMP)].map(fetchedAt))
  return now - Math.max(...times) > FRESH_MS
}

/** A fetch that failed leaves an empty file. */
async function fetchedAt(file: string): Promise<number> {
  const facts = await stat(file).catch(() => undefined)
  return facts === undefined || facts.size === 0 ? 0 : facts.mtimeMs
}

async function fetchBranch(branch: string, question: BaseQuestion): Promise<string | undefined> {
  const { repository, git, signal, now } = question
  const args = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head']
  const refspec = `+refs/heads/${branch}:refs/remotes/origin/${branch}`
  const fetched = await git([...args, 'origin', refspec], {
    cwd: repository.root,
    signal,
    timeoutMs: FETCH_MS,
  })
  if (!fetched.ok) return fetched.message.split('\n')[0]
  await writeFile(join(repository.commonDir, STAMP), `${new Date(now).toISOString()}\n`).catch(() => {})
  return undefined
}

async function commitOf(name: string, { cwd, git, signal }: BaseQuestion): Promise<string | undefined> {
  const found = await git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd, signal })
  return found.ok ? withoutNewline(found.stdout) : undefined
}
