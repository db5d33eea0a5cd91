import type { AgentDefinition } from './definition.ts'

/** What the description says beside the list of agents. */
export interface DescriptionOptions {
  /** Agents can run in the background. @default false */
  readonly canRunInBackground?: boolean
}

/** Describes the Agent tool for the model: when to use it, when not, and which agents there are. */
export function describeAgentTool(
  definitions: readonly AgentDefinition[],
  { canRunInBackground = false }: DescriptionOptions = {},
): string {
  const background = canRunInBackground
    ? '\n- With run_in_background you get an answer at once and are told of the end later. Use it only when you have other work meanwhile; never guess at results that have not come.'
    : ''
  return `Starts an agent that works on one task by itself, with its own context and tools, and gives you its report.

Agents you can start:
${definitions.map(listEntry).join('\n')}

Use it when
- pieces of work are independent of each other: ask for several agents in one message, they run side by side;
- many files have to be looked through and only the conclusion counts;
- what would be read on the way should stay out of your own context;
- the description of an agent above fits the task.

Do not use it when
- you know the path, or it is about two or three files: use Read;
- you look for a known definition, name or text: use Grep;
- you would wait for one small thing that you can do yourself in a call or two.

How to use it
- The agent knows nothing of this conversation. Put all it needs into prompt: the goal, what you know already, paths, and what its report has to contain. Say whether it may change files.
- You get its last message only, and the user does not see it: you understand, combine and decide; agents fetch and check. Look at changes yourself before you call them done.
- If a report says that the agent did not finish, what it wrote to files is still there. Go on with it through SendMessage, take over, or tell the user.
- isolation "worktree" gives it a git checkout of its own; changes stay there, on the branch that the report names.${background}`
}

function listEntry({ name, description, tools, disallowedTools }: AgentDefinition): string {
  const line = description.replaceAll(/\s+/g, ' ').trim()
  const short = line.length > maxDescription ? `${line.slice(0, maxDescription).toWellFormed()}…` : line
  const except = disallowedTools === undefined ? 'all' : `all but ${disallowedTools.join(', ')}`
  const has = tools === undefined ? except : tools.length === 0 ? 'none' : tools.join(', ')
  return `- ${name}: ${short} (Tools: ${has})`
}

/** People write up to 4,000 characters, and every request would carry them. */
const maxDescription = 1_000
