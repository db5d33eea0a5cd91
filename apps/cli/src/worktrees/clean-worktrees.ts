import { readdir } from 'node:fs/promises'
import process from 'node:process'
import { parseArgs } from 'node:util'
import {
  type Inspection,
  inspectWorktree,
  type ListedWorktree,
  type Sweep,
  sweepWorktrees,
} from '@x/worktree'
import { toLine } from '../live/paint.ts'
import { whyKept } from '../place/why-kept.ts'
import { ownWorktrees } from './own-worktrees.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Removes what is provably empty and long unused, or says what would be; then what stays, and why. */
export async function cleanWorktrees(argv: readonly string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args: [...argv],
    options: { 'older-than': { type: 'string', default: '0' }, 'dry-run': { type: 'boolean' } },
  })
  const days = readDays(values['older-than'])
  const lines = await (values['dry-run'] === true ? foresee(days, signal) : clean(days, signal))
  const told = lines.map((line) => toLine(line, Infinity))
  process.stdout.write(`${told.length === 0 ? 'There is nothing to clean.' : told.join('\n')}\n`)
}

function readDays(text: string): number {
  const days = Number(text)
  if (text.trim() !== '' && Number.isFinite(days) && days >= 0) return days
  throw new TypeError(`--older-than must be a number of days, not "${text}"`)
}

async function clean(days: number, signal: AbortSignal): Promise<readonly string[]> {
  // Outside of a repository it says so.
  await ownWorktrees(signal)
  const swept = await sweepWorktrees({ cwd: process.cwd(), maxAgeDays: days, signal })
  const left = await ownWorktrees(signal)
  const removed = new Set(swept.removed.map(({ path }) => path))
  const kept: string[] = []
  for (const listed of left) {
    kept.push(`Kept ${listed.worktree.name}: ${await whyLeft(listed, { swept, days, signal })}`)
  }
  return [
    ...swept.removed.map(({ name, path }) => `Removed ${name} (${path})`),
    ...swept.released
      .filter(({ path }) => !removed.has(path))
      .map(({ name }) => `Released ${name}: the program that held it is gone`),
    ...kept,
  ]
}

interface Cleaning {
  readonly swept: Sweep
  readonly days: number
  readonly signal: AbortSignal
}

async function whyLeft(listed: ListedWorktree, { swept, days, signal }: Cleaning): Promise<string> {
  if (listed.state === 'unregistered') return notOurs
  const kept = swept.kept.find(({ worktree }) => worktree.path === listed.worktree.path)
  if (kept !== undefined) {
    const { path, reasons, why } = kept
    return whyKept(why === undefined ? { type: 'kept', reasons, path } : { type: 'unknown', why, path })
  }
  return (await whyUntouched(listed, days, signal)) ?? 'it was used just now'
}

const notOurs = 'git does not know this folder; remove it yourself if you do not need it'

/** Why a sweep does not even look into a worktree; undefined where it does. */
async function whyUntouched(
  { state, detail, isSweepable, usedAtMs, worktree }: ListedWorktree,
  days: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (state === 'in-use') return detail
  if (state === 'half-made' || state === 'half-removed') return undefined
  if (!isSweepable) return `it was made with --worktree, or under a name; ${await whatThen(worktree, signal)}`
  const ageDays = (Date.now() - usedAtMs) / dayMs
  if (ageDays >= days) return undefined
  return `it was used ${describeAge(ageDays)}, and only what was not used for ${days} days goes`
}

/** Git itself deletes ignored files with a worktree: how that is done is said only where nothing is in it. */
async function whatThen(worktree: ListedWorktree['worktree'], signal: AbortSignal): Promise<string> {
  const { path, branch } = worktree
  const inside = await inspectWorktree(worktree, { signal })
  if (inside.type === 'unknown') return whyKept({ ...inside, path })
  if (inside.type === 'changed') return whyKept({ type: 'kept', reasons: inside.reasons, path })
  const quoted = `'${path.replaceAll("'", String.raw`'\''`)}'`
  return `git worktree remove ${quoted}${branch === undefined ? '' : ` && git branch -d ${branch}`} removes it`
}

function describeAge(days: number): string {
  if (days < 1) return 'within the last day'
  return days < 2 ? 'a day ago' : `${Math.floor(days)} days ago`
}

async function foresee(days: number, signal: AbortSignal): Promise<readonly string[]> {
  const lines: string[] = []
  for (const listed of await ownWorktrees(signal)) {
    const { name, path } = listed.worktree
    if (listed.state === 'abandoned') lines.push(`Would release ${name}: the program that held it is gone`)
    const untouched = await whyUntouched(listed, days, signal)
    if (isUnfinished(listed) && untouched === undefined) {
      lines.push(`Would go on with ${name}: ${listed.detail} It goes if nothing is in it.`)
      continue
    }
    const why = untouched ?? (await whyStays(listed, signal))
    lines.push(why === undefined ? `Would remove ${name} (${path})` : `Would keep ${name}: ${why}`)
  }
  return lines
}

/** What is half done or without its folder is judged by what git still has of it, when it is done. */
function isUnfinished({ state }: ListedWorktree): boolean {
  return state === 'half-made' || state === 'half-removed' || state === 'missing'
}

/** Why a worktree that is looked into would stay; undefined where it would go. */
async function whyStays(
  { worktree, state }: ListedWorktree,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (state === 'unregistered') return (await readdir(worktree.path)).length === 0 ? undefined : notOurs
  const inside: Inspection = await inspectWorktree(worktree, { signal })
  if (inside.type === 'empty') return undefined
  if (inside.type === 'unknown') return whyKept({ ...inside, path: worktree.path })
  // Commits that a remote has are not lost: their branch stays.
  if (inside.reasons.every(({ code }) => code === 'commits')) return undefined
  return whyKept({ type: 'kept', reasons: inside.reasons, path: worktree.path })
}
