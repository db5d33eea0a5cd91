import process from 'node:process'
import { parseArgs } from 'node:util'
import {
  type Inspection,
  inspectWorktree,
  type ListedWorktree,
  listWorktrees,
  type Sweep,
  sweepWorktrees,
} from '@x/worktree'
import { whyKept } from '../place/why-kept.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Removes what is provably empty and long unused, or says what would be; then what stays, and why. */
export async function cleanWorktrees(argv: readonly string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args: [...argv],
    options: { 'older-than': { type: 'string', default: '0' }, 'dry-run': { type: 'boolean' } },
  })
  const days = readDays(values['older-than'])
  const lines = await (values['dry-run'] === true ? foresee(days, signal) : clean(days, signal))
  process.stdout.write(`${lines.length === 0 ? 'There is nothing to clean.' : lines.join('\n')}\n`)
}

function readDays(text: string): number {
  const days = Number(text)
  if (text.trim() !== '' && Number.isFinite(days) && days >= 0) return days
  throw new TypeError(`--older-than must be a number of days, not "${text}"`)
}

async function clean(days: number, signal: AbortSignal): Promise<readonly string[]> {
  const cwd = process.cwd()
  const swept = await sweepWorktrees({ cwd, maxAgeDays: days, signal })
  const left = await listWorktrees({ cwd, signal })
  const removed = new Set(swept.removed.map(({ path }) => path))
  return [
    ...swept.removed.map(({ name, path }) => `Removed ${name} (${path})`),
    ...swept.released
      .filter(({ path }) => !removed.has(path))
      .map(({ name }) => `Released ${name}: the program that held it is gone`),
    ...left.map((listed) => `Kept ${listed.worktree.name}: ${whyLeft(listed, { swept, days })}`),
  ]
}

function whyLeft(
  listed: ListedWorktree,
  { swept, days }: { readonly swept: Sweep; readonly days: number },
): string {
  const kept = swept.kept.find(({ worktree }) => worktree.path === listed.worktree.path)
  if (kept !== undefined) {
    const { path, reasons, why } = kept
    return whyKept(why === undefined ? { type: 'kept', reasons, path } : { type: 'unknown', why, path })
  }
  return whyUntouched(listed, days) ?? 'it was used just now'
}

/** Why a sweep does not even look into a worktree; undefined where it does. */
function whyUntouched(
  { state, detail, isSweepable, usedAtMs, worktree }: ListedWorktree,
  days: number,
): string | undefined {
  if (state === 'in-use') return detail
  if (state === 'half-made' || state === 'half-removed') return undefined
  if (!isSweepable) return `it was made by hand or by name; git worktree remove '${worktree.path}' removes it`
  const ageDays = (Date.now() - usedAtMs) / dayMs
  return ageDays < days ? `it was used ${ageDays.toFixed(1)} days ago` : undefined
}

async function foresee(days: number, signal: AbortSignal): Promise<readonly string[]> {
  const lines: string[] = []
  for (const listed of await listWorktrees({ cwd: process.cwd(), signal })) {
    const { name, path } = listed.worktree
    if (listed.state === 'abandoned') lines.push(`Would release ${name}: the program that held it is gone`)
    const why = whyUntouched(listed, days) ?? (await whyStays(listed, signal))
    lines.push(why === undefined ? `Would remove ${name} (${path})` : `Would keep ${name}: ${why}`)
  }
  return lines
}

/** Why a worktree that is looked into would stay; undefined where it would go. */
async function whyStays(
  { state, detail, worktree }: ListedWorktree,
  signal: AbortSignal,
): Promise<string | undefined> {
  // What is half done or without its folder is judged by what git still has of it, when it is done.
  if (state === 'half-made' || state === 'half-removed' || state === 'missing')
    return `${detail} Cleaning goes on with it, and removes it if nothing is in it.`
  const inside: Inspection = await inspectWorktree(worktree, { signal })
  if (inside.type === 'empty') return undefined
  if (inside.type === 'unknown') return whyKept({ ...inside, path: worktree.path })
  // Commits that a remote has are not lost: their branch stays.
  if (inside.reasons.every(({ code }) => code === 'commits')) return undefined
  return whyKept({ type: 'kept', reasons: inside.reasons, path: worktree.path })
}
