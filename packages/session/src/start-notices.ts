import type { SessionRecord } from '@x/contract'
import { notice } from './notice.ts'
import type { Session } from './session.ts'
import type { WorktreeStart } from './worktrees/session-worktree.ts'

/** What the host, settings and others have to tell the user at the start. */
export function startNotices({ setup, log, worktreeStart }: Session): readonly SessionRecord[] {
  const { options, access, hooks, memory, mcp } = setup
  const mcpProblems = mcp.problems.map(({ message }) => message)
  const problems = access.permissions.problems.map(({ message }) => message)
  const pluginProblems = options.plugins?.problems ?? []
  const given = (options.notices ?? []).map(({ content, level }) => notice(content, level))
  const warnings = [
    ...(options.settings?.notices ?? []),
    ...pluginProblems.map(({ plugin, message }) => `The plugin ${plugin}: ${message}`),
    ...problems,
    ...hooks.problems,
    ...memory.problems,
    ...mcpProblems,
    ...log.notices,
  ]
  return [
    ...given,
    ...placeNotices(worktreeStart, setup.cwd),
    ...warnings.map((content) => notice(content, 'warning')),
  ]
}

/** Whoever starts a session in a new worktree tells of that. */
function placeNotices(start: WorktreeStart, cwd: string): readonly SessionRecord[] {
  if (start.type === 'back') return [notice(`Back in the worktree ${start.entered.worktree.path}.`, 'notice')]
  return start.type === 'lost'
    ? [notice(`The worktree of this session is gone; it goes on in ${cwd}.`, 'notice')]
    : []
}
