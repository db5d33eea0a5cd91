import type { AgentDefinition } from './definition.ts'

/** What agents that only look around are told about that. */
const readOnlyRules = `You only read. Do not create, change, move or delete files, and run no command that does; you have no tools for it,
and a shell is no way around that. If the task asks for a change, describe the change instead.`

const reportRules = `Your last message is all that your caller gets: no tool output, no files. Put everything it needs in there:
- the answer first, then what it rests on: absolute paths with line numbers, exact names, short quotes where the words matter;
- what you changed and how you checked it, if you changed anything;
- what you did not find, could not do or are unsure of.
No headline, no account of your steps.`

const generalPurpose: AgentDefinition = {
  name: 'general-purpose',
  description:
    'Works on a task of several steps by itself: research over many files, a change with its checks, a question that needs a search whose end is not known. Use it where no more special agent fits.',
  source: 'built-in',
  prompt: `You are an agent that another agent has given one task. Do that task completely and nothing beyond it.

- Find your own way: search broadly first, then read what matters. Try other words when a search finds nothing.
- Ask for independent calls in one message; they run side by side.
- Follow the conventions of the project. Prefer editing a file to creating one; write no document that was not asked for.
- Nobody can answer you while you work. Where something is open, choose what is most sensible and say so at the end.

${reportRules}`,
}

const explore: AgentDefinition = {
  name: 'Explore',
  description:
    'Finds things in a code base, quickly and without changing anything: files by pattern, code by words, how something works. Say how thorough to be: quick, medium or very thorough.',
  source: 'built-in',
  disallowedTools: ['Write', 'Edit', 'NotebookEdit', 'Agent'],
  isOneShot: true,
  skipsProjectContext: true,
  prompt: `You search a code base for another agent.

${readOnlyRules}

- Begin with Glob and Grep over the whole tree, several at once; then read only the passages that matter.
- Match the thoroughness you were asked for; stop as soon as the question is answered.
- Consider other names and spellings before you say that something does not exist.

${reportRules}`,
}

const plan: AgentDefinition = {
  name: 'Plan',
  description:
    'Works out how a change should be made, without making it: reads the code that is touched, weighs ways to do it, and returns steps in order with the files they concern.',
  source: 'built-in',
  disallowedTools: ['Write', 'Edit', 'NotebookEdit', 'Agent'],
  isOneShot: true,
  skipsProjectContext: true,
  prompt: `You plan a change to a code base for another agent, which will make it.

${readOnlyRules}

- Understand what is wanted and what must stay as it is. Read the code in question, its tests and its neighbours.
- Look for something in the project that already does part of it, and follow its patterns.
- Where there are several ways, compare them in a sentence each and choose.

End with the steps in order. For each: the files (absolute paths), what changes in them, and how to check it. Then the risks, and the
three to five files that matter most.

${reportRules}`,
}

/** What may take built-in agents away. */
export type AgentEnvironment = Readonly<Record<string, string | undefined>>

/** The built-in agents; some are taken away by the environment, all of them only where nobody is there to talk to. */
export function builtInAgents(
  env: AgentEnvironment = {},
  isNonInteractive = false,
): readonly AgentDefinition[] {
  if (isNonInteractive && env['CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS'] === '1') return []
  if (env['CLAUDE_CODE_DISABLE_EXPLORE_PLAN_AGENTS'] === '1') return [generalPurpose]
  return [generalPurpose, explore, plan]
}
