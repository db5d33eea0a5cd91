import type { PathStep } from './json-node.ts'
import type { LayerName } from './layers.ts'

/** How far a folder is trusted: itself, only through a folder above it, or not at all. */
export type TrustState = 'trusted' | 'parent-trusted' | 'untrusted'

/** What configuration can do that needs trust. */
export type TrustPart =
  | 'hooks'
  | 'mcp-servers'
  | 'programs'
  | 'environment'
  | 'allow-rules'
  | 'bypass-mode'
  | 'agent-hooks'

/** When a part counts. */
export interface TrustRule {
  /** What it is about. */
  readonly part: TrustPart
  /** The keys of settings that hold it. */
  readonly paths: readonly (readonly PathStep[])[]
  /** The layers it is about; what other layers say always counts. */
  readonly layers: readonly LayerName[]
  /** Only this value needs trust. @default any */
  readonly value?: unknown
  /** A trusted folder above is enough. */
  readonly countsByParent: boolean
  /** Running without a person (`-p`) is enough. */
  readonly countsHeadless: boolean
  /** The user's own local file counts without trust: one that is not in the repository and not reached through a link. */
  readonly countsInOwnLocalFile: boolean
}

const project = ['project', 'local'] as const
const shared = { countsByParent: true, countsHeadless: true, countsInOwnLocalFile: false }
const strict = { countsByParent: false, countsHeadless: false, countsInOwnLocalFile: true }

/**
 * What does not count in a folder that is not trusted. Whatever is not here always counts, deny and ask rules above all.
 *
 * Hooks of every file wait, the user's own too: a hook may run what the folder holds. Those of managed files are the administrator's.
 */
export const trustPolicy: readonly TrustRule[] = [
  { part: 'hooks', paths: [['hooks']], layers: ['command-line', 'user', ...project], ...shared },
  {
    part: 'mcp-servers',
    paths: [['mcpServers'], ['enableAllProjectMcpServers'], ['enabledMcpjsonServers']],
    layers: project,
    ...shared,
  },
  {
    part: 'programs',
    paths: [
      ['apiKeyHelper'],
      ['awsAuthRefresh'],
      ['awsCredentialExport'],
      ['gcpAuthRefresh'],
      ['otelHeadersHelper'],
      ['statusLine'],
      ['fileSuggestion'],
    ],
    layers: project,
    ...shared,
  },
  { part: 'environment', paths: [['env']], layers: project, ...shared, countsHeadless: false },
  {
    part: 'allow-rules',
    paths: [
      ['permissions', 'allow'],
      ['permissions', 'additionalDirectories'],
    ],
    layers: project,
    ...strict,
  },
  {
    part: 'bypass-mode',
    paths: [['permissions', 'defaultMode']],
    value: 'bypassPermissions',
    layers: project,
    ...strict,
  },
  { part: 'agent-hooks', paths: [], layers: project, ...strict, countsInOwnLocalFile: false },
]
