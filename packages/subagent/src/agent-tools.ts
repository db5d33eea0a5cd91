import type { Tool } from '@x/contract'
import type { AgentExtras } from './agents-options.ts'
import { AgentError } from './errors.ts'
import { guardTool, unguardTool } from './guard-tool.ts'
import type { Host } from './host.ts'
import { narrowTools } from './narrow-tools.ts'
import type { AgentPlan } from './plan-agent.ts'
import type { AgentWorktree } from './worktrees.ts'

/**
 * The tools of an agent, narrowed and guarded.
 *
 * @throws AgentError `zero-tools` if its list comes to nothing.
 */
export function makeTools(
  host: Host,
  plan: AgentPlan,
  { extras, worktree }: { readonly extras: AgentExtras; readonly worktree?: AgentWorktree | undefined },
): readonly Tool[] {
  return guardTools(host, chooseTools(host, plan, extras), worktree)
}

function chooseTools({ limits }: Host, plan: AgentPlan, extras: AgentExtras): readonly Tool[] {
  const { definition, isBackground, depth, permissionMode, resumed, fork } = plan
  // Fewer tools would be other bytes.
  if (fork !== undefined && resumed === undefined) return plan.context.options.tools
  const pool = [...plan.context.options.tools, ...(extras.tools ?? [])]
  const { maxDepth } = limits
  const granted = withGranted(definition, extras.grantedTools)
  const narrowed = narrowTools(pool, granted, { isBackground, depth, permissionMode, maxDepth })
  if (!narrowed.ok) throw new AgentError('zero-tools', narrowed.message)
  if (resumed === undefined) return narrowed.tools
  // Whoever wakes it up may have more than the agent that started it.
  const before = new Set(resumed.meta.toolNames)
  return narrowed.tools.filter(({ name }) => before.has(name))
}

function withGranted(
  definition: AgentPlan['definition'],
  granted: readonly string[] = [],
): AgentPlan['definition'] {
  const { tools } = definition
  return tools === undefined ? definition : { ...definition, tools: [...tools, ...granted] }
}

function guardTools(
  { options: { worktrees } }: Host,
  tools: readonly Tool[],
  worktree: AgentWorktree | undefined,
): readonly Tool[] {
  if (worktree === undefined || worktrees?.guard === undefined) return tools
  return tools.map(unguardTool).map((tool) =>
    guardTool(tool, (_tool, input, context) =>
      // A parsed input is an object: every schema of a tool is one.
      worktrees.guard?.(worktree, { toolName: tool.name, input: { ...(input as object) }, context }),
    ),
  )
}
