import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { SessionEvent } from '@x/contract'
import { text } from '@x/model-anthropic/testing'
import { loadAgents } from '@x/subagent'
import { expect, it } from 'vitest'
import { createTalk, Scripted } from './scripted.ts'

const agent = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nYou.\n`

const listeners = new Set<(event: SessionEvent) => void>()

/** A conversation of a folder with agents; each prompt is said when the one before is answered and `next` has done its work. */
async function converse(
  scripted: Scripted,
  next: readonly (() => Promise<void>)[],
): Promise<readonly SessionEvent[]> {
  const { cwd, env } = scripted
  const talk = createTalk()
  const load = () =>
    loadAgents({ cwd, home: scripted.path('home'), env: { ...env, CLAUDE_CONFIG_DIR: undefined } })
  const { definitions, folders } = await load()
  const options = { agentDefinitions: definitions, agentFiles: { folders, load } }
  const events: SessionEvent[] = []
  const running = scripted.ask(talk.prompt, options)
  const steps = [...next]
  talk.say('Go')
  for await (const event of running) {
    events.push(event)
    const step = event.type === 'result' ? steps.shift() : undefined
    // The session tells of files while it waits: whoever waits here must not keep it from going on.
    if (step !== undefined) void step().then(() => talk.say('On'))
    else if (event.type === 'result') talk.end()
    for (const listener of listeners) listener(event)
  }
  return events
}

function told(words: string): Promise<void> {
  return new Promise((resolve) => {
    listeners.add((event) => {
      if (event.type === 'system' && String(event['content']).includes(words)) resolve()
    })
  })
}

it('agent files that change count from the next request on (agents.md 1.1)', async () => {
  await using scripted = await Scripted.start([[text('1')], [text('2')], [text('3')]])
  const folder = scripted.path('.claude/agents')
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/old.md`, agent('old', 'the old one'))
  const events = await converse(scripted, [
    async () => {
      const heard = told('new')
      writeFileSync(`${folder}/new.md`, agent('new', 'the new one'))
      await heard
    },
    async () => {
      const heard = told('old (gone)')
      rmSync(`${folder}/old.md`)
      await heard
    },
  ])
  const seen = scripted.server.requests.map(({ body }) => {
    const tools = JSON.stringify(body.tools)
    return ['the old one', 'the new one'].filter((words) => tools.includes(words))
  })
  expect(seen).toEqual([['the old one'], ['the old one', 'the new one'], ['the new one']])
  expect(JSON.stringify(events)).toContain('Agents have changed, from now on these count: new.')
})

it('a file that is written again as it was changes nothing, and a broken one is told once', async () => {
  await using scripted = await Scripted.start([[text('1')], [text('2')]])
  const folder = scripted.path('.claude/agents')
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/one.md`, agent('one', 'the one'))
  const events = await converse(scripted, [
    async () => {
      const heard = told('larger than')
      writeFileSync(`${folder}/one.md`, agent('one', 'the one'))
      writeFileSync(`${folder}/big.md`, 'x'.repeat(1024 * 1024 + 1))
      await heard
    },
  ])
  const notices = events.flatMap((event) => (event.type === 'system' ? (event['content'] ?? []) : []))
  expect(notices.map(String)).toEqual([expect.stringMatching(/big\.md: Not read: larger than/)])
})
