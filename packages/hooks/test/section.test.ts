import { createHooks, hooksSection } from '@x/hooks'
import { expect, test } from 'vitest'

test('the section takes both spellings and keeps what it does not know', () => {
  const hooks = {
    PreToolUse: [
      { matcher: 'Bash', hooks: [{ type: 'command', command: 'a', environment: {} }], id: 'x' },
      { type: 'command', command: 'b' },
    ],
    Stop: [{ hooks: ['wrong', { type: 'command', command: 'c' }] }],
  }
  expect(hooksSection.parse(hooks)).toEqual(hooks)
  expect(createHooks([{ hooks }]).handlers.length).toBe(3)
})

test('what the section refuses has a place', () => {
  const parsed = hooksSection.safeParse({ PreToolUze: [], Stop: [{ matcher: ['a'], hooks: [] }, 'text'] })
  const places = parsed.error?.issues.map((issue) => ('keys' in issue ? issue.keys : issue.path))
  expect(places).toEqual(expect.arrayContaining([['PreToolUze'], ['Stop', 0, 'matcher'], ['Stop', 1]]))
})

test("a plugin's file is read too", () => {
  const file = { description: 'd', hooks: { Stop: [{ hooks: [{ type: 'command', command: 'c' }] }] } }
  const { handlers, problems } = createHooks([{ hooks: file, origin: 'plugin' }])
  expect([handlers.length, problems]).toEqual([1, []])
})

test('a block that is none is told', () => {
  for (const hooks of [null, 'text', [], 5]) {
    expect(createHooks([{ hooks }]).problems.length).toBe(1)
  }
})
