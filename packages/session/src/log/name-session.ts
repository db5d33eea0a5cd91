import type { SessionLog } from './session-log.ts'

/** Gives the session the name that people find it by, if there is one. */
export async function nameSession(log: SessionLog, customTitle: string | undefined): Promise<void> {
  if (customTitle !== undefined) await log.note({ type: 'custom-title', customTitle })
}
