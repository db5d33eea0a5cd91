import type { FileReadCache, ToolUseContext } from '@x/contract'
import type { Compact } from '@x/loop'
import type { SessionFileCache } from '@x/tools-files'
import { attachWork } from '../compaction/attachments.ts'
import { createHookedCompactor, remind } from '../compaction/hooked-compactor.ts'
import type { SessionSetup } from '../session-setup.ts'
import type { AgentSidechains } from './agent-sidechains.ts'
import type { AgentParts } from './set-up-agent.ts'

/** What the compactor of an agent is made of. */
export interface AgentCompactorFacts {
  readonly setup: SessionSetup
  readonly parts: AgentParts | undefined
  readonly sidechains: AgentSidechains | undefined
  readonly context: ToolUseContext
}

/** Makes what shortens the conversation of an agent, like the main one; its transcript keeps the whole. */
export function createAgentCompactor(facts: AgentCompactorFacts): Compact {
  const { setup, parts, sidechains, context } = facts
  const files = hasRecent(context.files) ? context.files : undefined
  return createHookedCompactor({
    setup,
    files,
    hooks: parts?.hooks ?? setup.hooks,
    log: async (compaction) => sidechains?.compact(context.agent?.id ?? '', compaction),
    attachments: async (signal) => [
      ...((await parts?.again(signal)) ?? []).map((text) => remind({ type: 'text', text })),
      ...(files === undefined ? [] : (await attachOwn(facts, files)).map(remind)),
    ],
  })
}

/** Its files, as rules see them from its place, and what it runs itself in the background. */
function attachOwn({ setup, context }: AgentCompactorFacts, files: SessionFileCache) {
  const { cwd, agent, options } = context
  const isHidden = (path: string): boolean =>
    setup.access.permissions.isReadDenied(path, { cwd, checkoutDir: options.projectDir })
  return attachWork({ files, tasks: setup.tasks, isHidden, owner: agent?.id })
}

/** The caches of this session know more than the port asks for; a host may have put another in their place. */
function hasRecent(files: FileReadCache): files is SessionFileCache {
  return 'recent' in files && 'forgetContent' in files
}
