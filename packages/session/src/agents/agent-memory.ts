import { join } from 'node:path'
import { formatMemory, loadAutoMemory } from '@x/memory'
import type { AgentDefinition } from '@x/subagent'
import { isOn } from '../session-environment.ts'
import type { SessionSetup } from '../session-setup.ts'

/** What an agent needs to keep its memory. */
const memoryTools = ['Read', 'Write', 'Edit']

type Facts = Pick<SessionSetup, 'env' | 'options' | 'stateFolder'>

/** The tools that an agent has for the sake of its memory, beside those it lists. */
export function memoryToolsOf(
  { env, options }: Pick<Facts, 'env' | 'options'>,
  { memory }: AgentDefinition,
): readonly string[] {
  return memory === undefined || isMemoryOff({ env, options }) ? [] : memoryTools
}

/**
 * Says where an agent keeps what it learns, and how what stands there begins; nothing for one that keeps nothing. Never
 * rejects but after an abort. One that works in a worktree keeps it there, with the rest of its work: it may not write outside.
 */
export async function describeMemory(
  { projectDir, env, options, stateFolder }: Facts & { readonly projectDir: string },
  { memory, name }: AgentDefinition,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (memory === undefined || isMemoryOff({ env, options })) return []
  const roots = {
    user: join(stateFolder, 'agent-memory'),
    project: join(projectDir, '.claude', 'agent-memory'),
    local: join(projectDir, '.claude', 'agent-memory-local'),
  }
  const folder = join(roots[memory], name.replaceAll(/[^A-Za-z0-9_-]/g, '-'))
  const { files } = await loadAutoMemory(folder, { signal })
  const kept = files.length === 0 ? 'It is empty so far.' : formatMemory(files)
  return [
    `What you learn and will need again, you keep in ${join(folder, 'MEMORY.md')}: short, one fact a line. ${kept}`,
  ]
}

function isMemoryOff({ env, options }: Pick<Facts, 'env' | 'options'>): boolean {
  return options.settings?.autoMemory === false || isOn(env, 'CLAUDE_CODE_DISABLE_AUTO_MEMORY')
}
