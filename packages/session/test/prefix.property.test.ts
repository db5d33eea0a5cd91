import { type Step, startScriptedServer, text, thinking, toolUse } from '@x/model-anthropic/testing'
import { array, assert, asyncProperty, constant, constantFrom, oneof, tuple } from 'fast-check'
import { expect, it } from 'vitest'
import { collect, createTalk, requestRows, resultsOf, Scripted } from './scripted.ts'

const files = { 'a.txt': 'one\n', 'CLAUDE.md': 'Be brief.' }

/** What the model does in one message. */
const step = oneof(
  constantFrom('a.txt', 'gone.txt').map((file) => toolUse('Read', { file_path: file })),
  constant(toolUse('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'one!' })),
  constantFrom('true', 'exit 3').map((command) => toolUse('Bash', { command })),
  constant(toolUse('Bash', { command: 'sleep 0.05', run_in_background: true })),
  constant(toolUse('Nope', {})),
  constant(toolUse('Agent', { description: 'look', prompt: 'Agent: look.' })),
  constant(thinking('Hm.')),
)

/** What comes of one prompt: messages with calls, then a text. */
const answer = array(array(step, { minLength: 1, maxLength: 3 }), { maxLength: 3 })

const isMain = (rows: readonly string[]): boolean => !rows.some((row) => row.includes('Agent: look.'))

/** Runs two processes of one session, two prompts each; gives the rows of the requests of the main conversation. */
async function rowsOf(answers: readonly (readonly Step[])[]): Promise<readonly (readonly string[])[]> {
  const replies = [...answers]
  const server = await startScriptedServer({
    respond: (request) =>
      isPrompt(request.body.messages) ? [text('Looked.')] : [...(replies.shift() ?? [text('Ok.')])],
  })
  await using scripted = new Scripted(server, files)
  const hooks = {
    UserPromptSubmit: [{ hooks: [() => ({ additionalContext: 'the time is now' })] }],
    PostToolUse: [{ hooks: [() => ({ additionalContext: 'well done' })] }],
  }
  const options = { hooks, permissionMode: 'acceptEdits' as const, backgroundGraceMs: 500 }
  const [first] = await collect(scripted.ask(twice(), options))
  const events = await collect(scripted.ask(twice(), { ...options, resume: first?.session_id ?? '' }))
  expect(resultsOf(events).some(({ is_error: isError }) => isError)).toBe(false)
  return server.requests.map(requestRows)
}

function isPrompt(messages: readonly { readonly content: unknown }[]): boolean {
  return JSON.stringify(messages[0]?.content).includes('Agent: look.')
}

function twice() {
  const talk = createTalk()
  talk.say('Go.')
  talk.say('And on.')
  talk.end()
  return talk.prompt
}

it('what a request began with every later one begins with: system prompt, tools, and all that was said, also after a resume', async () => {
  await assert(
    asyncProperty(tuple(answer, answer), async ([one, other]) => {
      const all = await rowsOf([...one, [text('Done.')], ...other, [text('Done again.')]])
      const main = all.filter((rows) => isMain(rows.slice(3, 4)))
      expect(main.length).toBeGreaterThan(1)
      for (const [index, rows] of main.slice(1).entries()) {
        const before = main[index] ?? []
        expect(rows.slice(0, before.length)).toEqual(before)
      }
    }),
    { numRuns: 8 },
  )
})
