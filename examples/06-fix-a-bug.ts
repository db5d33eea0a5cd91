// A bug fixed in three turns: Grep and Read side by side, an Edit that asks, closing words.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text, toolUse } from '@x/model-anthropic/testing'
import { startScriptedSession } from './support/scripted-session.ts'

const source = 'export const isAdult = (age) => age > 18\n'

/** Lets the agent fix the file; tells what was asked, what ran beside what, and how the file looks. */
export async function main() {
  await using session = await startScriptedSession(
    [
      [
        text('I look for the check.'),
        toolUse('Grep', { pattern: 'isAdult', output_mode: 'content' }),
        toolUse('Read', { file_path: 'age.js' }),
      ],
      [toolUse('Edit', { file_path: 'age.js', old_string: 'age > 18', new_string: 'age >= 18' })],
      [text('Eighteen now counts as adult.')],
    ],
    { 'age.js': source },
  )
  const asked: string[] = []
  const order: string[] = []
  let closing: string | undefined
  const running = session.ask('Eighteen-year-olds are refused. Fix it.', {
    canUseTool: async (toolName) => {
      asked.push(toolName)
      return { behavior: 'allow' }
    },
  })
  for await (const event of running) {
    if (event.type === 'tool_progress' && event.phase !== undefined)
      order.push(`${event.tool_name} ${event.phase}`)
    if (event.type === 'result') closing = event.result
  }
  return { asked, order, closing, file: await readFile(join(session.cwd, 'age.js'), 'utf8') }
}

if (import.meta.main) console.log(await main())
