import { loadAutoMemory } from '@x/memory'
import { expect, test } from 'vitest'
import { makeWorld } from './world.ts'

async function shown(content: string | Buffer): Promise<string | undefined> {
  const world = makeWorld()
  world.write('~/notes/MEMORY.md', content)
  return (await loadAutoMemory(world.path('~/notes'))).files[0]?.text
}

const note = '[MEMORY.md is longer: these are its first 200 lines or 25 KB]'
const lines = (count: number, text: string): string => Array.from({ length: count }, () => text).join('\n')

test.each([
  ['a short text', 'a @b\n<!-- c -->\n', 'a @b\n<!-- c -->'],
  ['200 lines', `${lines(200, 'x')}\n`, lines(200, 'x')],
  ['201 lines', lines(201, 'x'), `${lines(200, 'x')}\n${note}`],
  ['25 KB', 'x'.repeat(25 * 1024), 'x'.repeat(25 * 1024)],
  ['one byte more', 'x'.repeat(25 * 1024 + 1), `${'x'.repeat(25 * 1024)}\n${note}`],
  ['long lines', lines(100, 'y'.repeat(999)), `${lines(25, 'y'.repeat(999))}\n${note}`],
  ['a character at the limit', 'é'.repeat(13 * 1024), `${'é'.repeat(12_800)}\n${note}`],
  ['CRLF and a mark', '\uFEFFa\r\nb', 'a\nb'],
  ['nothing', ' \n', undefined],
])('shows of %s what fits, in whole lines', async (_what, content, expected) => {
  expect(await shown(content)).toBe(expected)
})

test('is loaded last, is no file of the hook, and goes with a compaction too', async () => {
  const world = makeWorld()
  world.writeAll({ '@/CLAUDE.md': 'p', '~/notes/MEMORY.md': 'n' })
  const memory = await world.load({ autoMemory: { folder: world.path('~/notes') } })
  expect(memory.files.map(({ text, memoryType }) => [text, memoryType])).toEqual([
    ['p', 'Project'],
    ['n', 'Auto'],
  ])
  expect((await memory.reset('compact')).files.map(({ loadReason }) => loadReason)).toEqual([
    'compact',
    'compact',
  ])
})

test('is off with false, without the option, and by the environment', async () => {
  const world = makeWorld()
  world.write('~/notes/MEMORY.md', 'n')
  const autoMemory = { folder: world.path('~/notes') }
  expect((await world.load()).files).toEqual([])
  expect((await world.load({ autoMemory: false })).files).toEqual([])
  expect((await world.load({ autoMemory, env: { CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1' } })).files).toEqual([])
})

test('gives nothing where there is none, a problem where it is no text, and rejects when aborted', async () => {
  const world = makeWorld()
  expect(await loadAutoMemory(world.path('~/none'))).toEqual({ files: [], problems: [] })
  world.write('~/notes/MEMORY.md', Buffer.from([0, 1]))
  const { files, problems } = await loadAutoMemory(world.path('~/notes'))
  expect([files, problems.map(({ message }) => world.short(message))]).toEqual([
    [],
    ['~/notes/MEMORY.md: is not text'],
  ])
  const reason = new Error('stop')
  await expect(loadAutoMemory('/x', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})
