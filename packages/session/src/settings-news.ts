import type { SessionRecord } from '@x/contract'
import { followAgents } from './agents/follow-agents.ts'
import { notice } from './hooks/session-hooks.ts'
import type { Session } from './session.ts'
import type { SessionSetup } from './session-setup.ts'
import type { WorktreeStart } from './session-worktree.ts'

/** What the host, settings and others have to tell the user at the start. */
export function noticeRecords({ setup, log, worktreeStart }: Session): readonly SessionRecord[] {
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

/** Lets changed settings and agents count, and says so; gives what ends it. */
export async function followFiles(setup: SessionSetup): Promise<() => Promise<void>> {
  await using opening = new AsyncDisposableStack()
  opening.use(await followSettings(setup))
  opening.use(await followAgents(setup))
  const watches = opening.move()
  return () => watches.disposeAsync()
}

/** Lets changed settings count from the next call on, and says so. */
function followSettings({
  options,
  access,
  hooks,
  news,
  controller: { signal },
}: SessionSetup): Promise<AsyncDisposable> | undefined {
  return options.settings?.watch({
    onChange(settings) {
      access.useSettings(settings)
      hooks.useSettings(settings.hooks)
      for (const content of [
        'The settings have changed; their permission rules and hooks count from now on.',
        ...settings.notices,
        ...hooks.problems,
      ]) {
        news.push({ type: 'system', subtype: 'informational', content, level: 'notice' })
      }
    },
    async onConfigChange({ source, file }) {
      const result = await hooks.run('ConfigChange', { source, file_path: file }, signal)
      return result?.outcome === 'block' ? 'keep' : 'apply'
    },
  })
}
