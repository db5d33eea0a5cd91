// An agent's model fails at the second of three files, once in the checkout and once in a worktree: what it said comes back as a
// part, what it wrote stays, and a message lets it finish.
import { readdir } from 'node:fs/promises'
import type { SessionEvent } from '@x/contract'
import { status, text, toolUse } from '@x/model-anthropic/testing'
import { makeRepository } from './support/git.ts'
import { startScriptedSession } from './support/scripted-session.ts'

const write = (name: string) => toolUse('Write', { file_path: name, content: `${name}\n` })

/** The story in the checkout, and the same in a worktree. */
export async function main() {
  return { inCheckout: await tell({}), inWorktree: await tell({ isolation: 'worktree' }) }
}

/** Tells what the conversation read of the failure, which files there were then, and which at the end. */
async function tell(place: { readonly isolation?: 'worktree' }) {
  await using session = await startScriptedSession(
    {
      'Write all three.': [
        [
          toolUse('Agent', {
            description: 'three files',
            prompt: 'Write one, two and three.',
            subagent_type: 'general-purpose',
            run_in_background: false,
            name: 'writer',
            ...place,
          }),
        ],
        [toolUse('SendMessage', { to: 'writer', message: 'Go on where you were.' })],
        [text('The writer goes on.')],
        [text('All three are written.')],
      ],
      'Write one, two and three.': [
        [text('I begin with the first.'), write('one.txt')],
        status(400, { message: 'the service broke' }),
        [write('two.txt'), write('three.txt')],
        [text('Two and three are there too.')],
      ],
    },
    { '.gitignore': '.x\n' },
  )
  const { cwd } = session
  await makeRepository(cwd)
  let partial: string | undefined
  let filesThen: readonly string[] = []
  let closing: string | undefined
  for await (const event of session.ask('Write all three.', { permissionMode: 'bypassPermissions' })) {
    if (partial === undefined && isOwnResult(event)) {
      partial = JSON.stringify(event.message)
      filesThen = await filesOf(cwd)
    }
    if (event.type === 'result') closing = event.result
  }
  return { partial, filesThen, filesAtTheEnd: await filesOf(cwd), closing }
}

function isOwnResult(event: SessionEvent): event is SessionEvent & { readonly type: 'user' } {
  return event.type === 'user' && event.parent_tool_use_id === null
}

/** The text files of the checkout and its worktrees, without the ids of agents. */
async function filesOf(cwd: string): Promise<readonly string[]> {
  const paths = await readdir(cwd, { recursive: true })
  return paths
    .filter((path) => path.endsWith('.txt'))
    .map((path) => path.replace(/agent-[^/]+/, 'agent'))
    .toSorted()
}

if (import.meta.main) console.log(await main())
