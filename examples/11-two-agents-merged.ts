// Two agents called in one message, each in a worktree of its own: only their reports come back, and their branches are merged.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text, toolUse } from '@x/model-anthropic/testing'
import { git, makeRepository } from './support/git.ts'
import { startScriptedSession } from './support/scripted-session.ts'

const agent = (prompt: string) =>
  toolUse('Agent', {
    description: prompt,
    prompt,
    subagent_type: 'general-purpose',
    isolation: 'worktree',
    run_in_background: false,
  })

const commit = (message: string) => toolUse('Bash', { command: `git commit -qam '${message}'` })

/** Lets both work, then merges what they committed; tells what came back to the conversation and how the files look. */
export async function main() {
  await using session = await startScriptedSession(
    {
      'Both files are out of date.': [
        [agent('Bring the price up to date.'), agent('Bring the address up to date.')],
        [text('Both are done, each on a branch of its own.')],
      ],
      'Bring the price': [
        [text('I look first.'), toolUse('Read', { file_path: 'price.txt' })],
        [toolUse('Edit', { file_path: 'price.txt', old_string: '10', new_string: '12' })],
        [commit('The new price')],
        [text('The price is 12 now.')],
      ],
      'Bring the address': [
        [toolUse('Read', { file_path: 'address.txt' })],
        [toolUse('Edit', { file_path: 'address.txt', old_string: 'Old Street', new_string: 'New Street' })],
        [commit('The new address')],
        [text('The address is New Street now.')],
      ],
    },
    { 'price.txt': '10\n', 'address.txt': 'Old Street\n', '.gitignore': '.x\n' },
  )
  const { cwd } = session
  await makeRepository(cwd)
  const running = session.ask('Both files are out of date.', { permissionMode: 'bypassPermissions' })
  const told: string[] = []
  for await (const event of running) {
    if (event.type === 'user' && event.parent_tool_use_id === null) told.push(JSON.stringify(event.message))
  }
  const read = async () => [
    await readFile(join(cwd, 'price.txt'), 'utf8'),
    await readFile(join(cwd, 'address.txt'), 'utf8'),
  ]
  const before = await read()
  const branches = (await git(cwd, 'branch', '--list', 'worktree-*', '--format=%(refname:short)')).trim()
  for (const branch of branches.split('\n')) await git(cwd, 'merge', '-q', '--no-edit', branch)
  return { told, before, after: await read() }
}

if (import.meta.main) console.log(await main())
