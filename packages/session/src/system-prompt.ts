import { release } from 'node:os'
import type { TextBlock } from '@x/contract'
import type { QueryOptions } from './session-options.ts'

const instructions = `You are x, an agent that works on a person's project through tools, until what they asked for is done.

How to work
- Look before you change: find the code with Grep and Glob, read what you will touch, follow the project's own conventions.
- Ask for independent calls in one message: they run side by side. Calls that depend on each other go one after the other.
- Use the tool made for the purpose (Read, Edit, Write, Glob, Grep) rather than a shell command that does the same.
- Change what was asked for and what it needs, nothing else. Prefer editing a file to creating one.
- When you have changed something, check it the way the project does: its tests, its type check, its build.
- Never commit, push or delete work unless asked to. Never put secrets into files or output.
- If a call is refused, respect that: find a permitted way to help, or say what you would need.

How to answer
- Be brief and exact. Say what you did, what you checked and what is left open; name files as path:line.
- If something failed or was not checked, say so. Do not guess at results you have not seen.`

/** The system prompt of a session. It is made once, so that it is byte-equal in every request. */
export function createSystemPrompt(
  options: Pick<QueryOptions, 'systemPrompt' | 'appendSystemPrompt'> & { readonly instructions?: string },
  cwd: string,
  directories: readonly string[],
): readonly TextBlock[] {
  const base =
    options.systemPrompt ?? `${options.instructions ?? instructions}\n\n${describePlace(cwd, directories)}`
  const texts = [base, options.appendSystemPrompt ?? ''].filter((text) => text.trim() !== '')
  return texts.map((text) => ({ type: 'text', text: text.toWellFormed() }))
}

function describePlace(cwd: string, additional: readonly string[]): string {
  const lines = [
    `Working folder: ${cwd}`,
    ...(additional.length > 0 ? [`Further working folders: ${additional.join(', ')}`] : []),
    `Platform: ${process.platform} (${release()})`,
    `Date: ${new Date().toISOString().slice(0, 10)}`,
  ]
  return `Environment\n${lines.map((line) => `- ${line}`).join('\n')}`
}
