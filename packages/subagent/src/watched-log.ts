import type { HistoryLog, Message } from '@x/contract'
import type { Sidechain } from './sidechains.ts'

const maxRemembered = 400

/** A history log that remembers the last of what one run wrote to it. */
export function watchedLog(sidechain: Sidechain): HistoryLog & { readonly appended: readonly Message[] } {
  const appended: Message[] = []
  return {
    appended,
    async append(messages) {
      appended.push(...messages)
      // Only a loop that breaks off needs them; a long conversation is not kept twice.
      appended.splice(0, Math.max(0, appended.length - maxRemembered))
      await sidechain.append(messages)
    },
    ...(sidechain.beforeCall && {
      beforeCall: async (id, message) => sidechain.beforeCall?.(id, message),
    }),
  }
}
