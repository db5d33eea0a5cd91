import { type McpConnectionsOptions, readMcpLimits } from '@x/tools-mcp'
import { resultFolder } from '../result-store.ts'

/** What connections begin with. */
export interface ConnectionFacts {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the session keeps what belongs to it. */
  readonly folder: string
}

type CommonOptions = Required<Pick<McpConnectionsOptions, 'cwd' | 'env' | 'limits' | 'blobFolder'>>

/** The names of tools may be as long as the service takes them, so that rules name them as they are. */
const maxNameLength = 128

/** What connections to MCP servers have in common, whether the session has them or one of its agents. */
export function connectionOptions({ cwd, env, folder }: ConnectionFacts): CommonOptions {
  return {
    cwd,
    env,
    limits: { ...readMcpLimits(env), maxNameLength },
    blobFolder: resultFolder(folder),
  }
}
