import { realpath } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { leadsToMain } from './check-out.ts'
import { withoutNewline } from './git-output.ts'
import { isInside, linkOnTheWay, standingAt } from './paths.ts'
import type { Creation, CreationFailure, HookCreation, Worktree, WorktreeHooks } from './types.ts'
import type { Working } from './working.ts'

/** What `createByHook` needs. */
export interface HookContext {
  /** Makes the folder. */
  readonly create: NonNullable<WorktreeHooks['create']>
  /** The folder that asks. */
  readonly cwd: string
  /** The main checkout, if git knows one. */
  readonly root: string | undefined
  /** How git is asked. */
  readonly working: Working
}

/** Has a hook make the folder, and checks that it is one of its own. */
export async function createByHook(name: string, context: HookContext): Promise<Creation> {
  const { create, cwd, working } = context
  working.onStep('hook')
  let answer: HookCreation
  try {
    answer = await create(name, working.signal)
  } catch (error) {
    answer = { type: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
  working.signal?.throwIfAborted()
  if (answer.type === 'failed')
    return refuse('hook-failed', `The WorktreeCreate hook failed: ${answer.message}`)
  const root = context.root ?? (await realpath(cwd))
  const problem = await checkPath(answer.path, root)
  if (problem !== undefined) return problem
  const path = await realpath(answer.path)
  return describeFolder({ name, path, root, isHookMade: true }, working)
}

async function checkPath(path: string, root: string): Promise<CreationFailure | undefined> {
  const say = (what: string): CreationFailure =>
    refuse('unsafe-path', `The WorktreeCreate hook answered ${JSON.stringify(path)}, ${what}.`)
  if (!isAbsolute(path)) return say('which is not an absolute path')
  if (path.split(/[\\/]/).some((part) => part === '.' || part === '..'))
    return say('which has "." or ".." in it')
  if (isInside(resolve(path), root) && (await linkOnTheWay(root, resolve(path))) !== undefined) {
    return say('which goes through a symbolic link')
  }
  const standing = await standingAt(path)
  if (standing === 'nothing') return say('which does not exist')
  if (standing !== 'folder') return say('which is not a folder')
  const real = await realpath(path)
  return isInside(root, real) ? leadsToMain(path, root) : undefined
}

/** A folder that git takes for a part of the main checkout is none of its own. */
async function describeFolder(worktree: Worktree, { git, signal }: Working): Promise<Creation> {
  const call = { cwd: worktree.path, signal }
  const top = await git(['rev-parse', '--show-toplevel'], call)
  if (!top.ok) return { type: 'created', worktree, notes: [] }
  if ((await realpath(withoutNewline(top.stdout))) === worktree.root)
    return leadsToMain(worktree.path, worktree.root)
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD'], call)
  const branch = await git(['symbolic-ref', '--quiet', '--short', 'HEAD'], call)
  const known = {
    ...(head.ok ? { base: withoutNewline(head.stdout) } : {}),
    ...(branch.ok ? { branch: withoutNewline(branch.stdout) } : {}),
  }
  return { type: 'created', worktree: { ...worktree, ...known }, notes: [] }
}

function refuse(code: CreationFailure['code'], message: string): CreationFailure {
  return { type: 'failed', code, message }
}
