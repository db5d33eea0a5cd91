import { join } from 'node:path'
import { createSessionStore } from '@x/transcript'

/** The folder of what is remembered, beside the sessions of a project. */
export const memoryFolderName = 'memory'

/**
 * Where sessions of a working folder keep what they remember for later ones: `<state folder>/projects/<project>/memory`. For `autoMemory` of
 * `loadMemory`; it may not be there.
 */
export async function autoMemoryFolder(stateFolder: string, cwd: string): Promise<string> {
  const project = await createSessionStore({ stateFolder }).project(cwd)
  return join(stateFolder, 'projects', project, memoryFolderName)
}
