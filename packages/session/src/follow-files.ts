import { followAgents } from './agents/follow-agents.ts'
import { notice } from './notice.ts'
import type { SessionSetup } from './session-setup.ts'

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
        news.push(notice(content, 'notice'))
      }
    },
    async onConfigChange({ source, file }) {
      const result = await hooks.run('ConfigChange', { source, file_path: file }, signal)
      return result?.outcome === 'block' ? 'keep' : 'apply'
    },
  })
}
