import type { SessionRecord } from '@x/contract'
import type { AsyncQueue } from '@x/executor'
import type { SessionSetup } from './session-setup.ts'

/** What the settings have to tell the user. */
export function noticeRecords({ options, access }: SessionSetup): readonly SessionRecord[] {
  const problems = access.permissions.problems.map(({ message }) => message)
  return [...(options.settings?.notices ?? []), ...problems].map((content) => {
    return { type: 'system', subtype: 'informational', content, level: 'warning' }
  })
}

/** Lets changed settings count from the next call on, and says so. */
export function followSettings(
  { options, access }: SessionSetup,
  news: AsyncQueue<SessionRecord>,
): Promise<AsyncDisposable> | undefined {
  return options.settings?.watch((settings) => {
    access.useSettings(settings)
    for (const content of [
      'The settings have changed; their permission rules count from the next call on.',
      ...settings.notices,
    ]) {
      news.push({ type: 'system', subtype: 'informational', content, level: 'notice' })
    }
  })
}
