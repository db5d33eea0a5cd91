// Files rewound to a prompt: what tools have changed since is taken back, what the user has changed since is left alone.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text, toolUse } from '@x/model-anthropic/testing'
import type { Query } from '@x/session'
import { startScriptedSession } from './support/scripted-session.ts'

const second = '22222222-2222-4222-8222-222222222222'

/** Lets the model write in two prompts and rewinds to the second; tells what would have been done and how the files look. */
export async function main() {
  await using session = await startScriptedSession(
    [
      [
        toolUse('Read', { file_path: 'notes.txt' }),
        toolUse('Write', { file_path: 'poem.txt', content: 'The first verse.\n' }),
      ],
      [text('One verse.')],
      [
        toolUse('Edit', { file_path: 'poem.txt', old_string: 'first', new_string: 'worst' }),
        toolUse('Edit', { file_path: 'notes.txt', old_string: 'draft', new_string: 'final' }),
      ],
      [text('Better now.')],
    ],
    { 'notes.txt': 'draft\n' },
  )
  const { cwd } = session
  const read = async () => [
    await readFile(join(cwd, 'poem.txt'), 'utf8'),
    await readFile(join(cwd, 'notes.txt'), 'utf8'),
  ]
  const answers = Array.from({ length: 2 }, () => Promise.withResolvers<void>())
  const story = { before: [''], would: {}, done: {}, after: [''] }
  async function* prompts() {
    yield { type: 'user', message: { role: 'user', content: 'Read my notes and write a verse.' } } as const
    await answers[0]?.promise
    yield { type: 'user', uuid: second, message: { role: 'user', content: 'Make it better.' } } as const
    await answers[1]?.promise
    story.before = await read()
    await writeFile(join(cwd, 'notes.txt'), 'final, says the user\n')
    story.would = await running.rewindFiles(second, { dryRun: true })
    story.done = await running.rewindFiles(second)
    story.after = await read()
  }
  const running: Query = session.ask(prompts(), { permissionMode: 'acceptEdits' })
  let count = 0
  for await (const event of running) {
    if (event.type === 'result') answers[count++]?.resolve()
  }
  return story
}

if (import.meta.main) console.log(await main())
