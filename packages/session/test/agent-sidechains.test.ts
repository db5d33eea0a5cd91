import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { text, toolUse } from '@x/model-anthropic/testing'
import { expect, it } from 'vitest'
import { agent, makeRepository, startByPrompt } from './places.ts'
import { collect, type Scripted } from './scripted.ts'

const bypass = { permissionMode: 'bypassPermissions' } as const

/** The records of messages in the transcript of the agent. */
function messagesIn(scripted: Scripted): readonly Record<string, unknown>[] {
  const root = scripted.path('.x/projects')
  const names = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : []
  const [name = ''] = names.filter((one) => /agent-[^/]+\.jsonl$/.test(one))
  const lines = (scripted.read(join('.x/projects', name)) ?? '').split('\n').filter((line) => line !== '')
  const records = lines.map((line): Record<string, unknown> => JSON.parse(line))
  return records.filter(({ type }) => type === 'user' || type === 'assistant')
}

/** The folder and branch of each message in the transcript of the agent, each pair once. */
function placesIn(scripted: Scripted): readonly string[] {
  return [
    ...new Set(
      messagesIn(scripted).map(({ cwd, gitBranch }) => `${basename(String(cwd))} ${String(gitBranch)}`),
    ),
  ]
}

it('the transcript of an agent tells its folder and branch with each message, also where it has moved (agents.md 8)', async () => {
  await using scripted = await startByPrompt({
    MAIN: [agent('LEAF', { name: 'bob' }), text('Done.')],
    LEAF: [toolUse('EnterWorktree', { name: 'try' }), toolUse('Bash', { command: 'pwd' }), text('There.')],
    AGAIN: [toolUse('SendMessage', { to: 'bob', message: 'FURTHER' }), text('Sent.')],
    FURTHER: [toolUse('ExitWorktree', { action: 'keep' }), text('Back.')],
  })
  makeRepository(scripted)
  const [start] = await collect(scripted.ask('MAIN', bypass))
  const here = expect.stringMatching(new RegExp(`^${basename(scripted.cwd)} \\S+$`))
  expect(placesIn(scripted)).toEqual([here, 'try worktree-try'])
  await collect(scripted.ask('AGAIN', { ...bypass, resume: start?.session_id ?? '' }))
  expect(placesIn(scripted)).toEqual([here, 'try worktree-try'])
})

it('the transcript of an agent names the request of each answer, the same for all its parts (agents.md 8)', async () => {
  const glob = toolUse('Glob', { pattern: '*' })
  await using scripted = await startByPrompt({
    MAIN: [agent('LEAF'), text('Done.')],
    LEAF: [[text('I look.'), glob, glob], text('Seen.')],
  })
  await collect(scripted.ask('MAIN'))
  const answers = messagesIn(scripted).filter(({ type }) => type === 'assistant')
  expect(answers.map(({ requestId }) => requestId)).toEqual(['req_0002', 'req_0002', 'req_0002', 'req_0003'])
})
