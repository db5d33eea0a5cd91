import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'

/** The folder of this program's own state: `X_HOME`, else `~/.x`. Never below `~/.claude`. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const own = env['X_HOME']
  return own === undefined || own === '' ? join(homedir() || userInfo().homedir, '.x') : own
}

/** The folder of one session of one project: `<state>/projects/<project path with dashes>/<session id>`. */
export function sessionFolder(state: string, projectDir: string, sessionId: string): string {
  return join(state, 'projects', projectDir.replaceAll(/[^A-Za-z0-9]/g, '-'), sessionId)
}
