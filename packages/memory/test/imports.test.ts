import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeWorld, type World } from './world.ts'

/** The files that a text in the project's CLAUDE.md imports, and what is said about it. */
async function importsOf(
  world: World,
  text: string,
): Promise<readonly [readonly string[], readonly string[]]> {
  world.write('@/CLAUDE.md', text)
  const { files, problems } = await world.load()
  const imports = files.filter(({ loadReason }) => loadReason === 'include')
  return [world.names(imports), problems.map(({ code }) => code)]
}

test('example 37: `@README` in a code span is not imported, @README is', async () => {
  const world = makeWorld()
  world.writeAll({ '@/README': 'readme', '@/OTHER': 'other' })
  expect(await importsOf(world, 'Not `@OTHER`, but @README')).toEqual([['@/README'], []])
  expect(await importsOf(world, 'Only `@README` and\n```\n@OTHER\n```\n')).toEqual([[], []])
})

test('example 38: the fifth hop of a chain is not loaded, and is reported', async () => {
  const world = makeWorld()
  for (let hop = 1; hop <= 5; hop += 1) world.write(`@/hop${hop}.md`, `hop ${hop} @hop${hop + 1}.md`)
  world.write('@/CLAUDE.md', 'start @hop1.md')
  const { files, problems } = await world.load()
  expect(world.names(files)).toEqual(['@/CLAUDE.md', '@/hop1.md', '@/hop2.md', '@/hop3.md', '@/hop4.md'])
  expect(problems.map(({ message }) => world.short(message))).toEqual([
    '@/hop4.md:1: the import @hop5.md (@/hop5.md) is more than 4 imports deep and is left out',
  ])
})

test('an imported file stands behind its importer, with its type, its reason and its parent', async () => {
  const world = makeWorld()
  world.writeAll({
    '@/CLAUDE.md': 'a @one.md b @two.md',
    '@/one.md': 'one @deep/x.md',
    '@/deep/x.md': 'x @y.md',
    '@/deep/y.md': 'y',
    '@/two.md': 'two',
    '@/CLAUDE.local.md': 'l @mine.md',
    '@/mine.md': 'mine',
  })
  const { files } = await world.load()
  const seen = files.map(({ text, memoryType, loadReason, parentFilePath = '' }) => {
    return [text, memoryType, loadReason, world.short(parentFilePath)]
  })
  expect(seen).toEqual([
    ['a @one.md b @two.md', 'Project', 'session_start', ''],
    ['one @deep/x.md', 'Project', 'include', '@/CLAUDE.md'],
    ['x @y.md', 'Project', 'include', '@/one.md'],
    ['y', 'Project', 'include', '@/deep/x.md'],
    ['two', 'Project', 'include', '@/CLAUDE.md'],
    ['l @mine.md', 'Local', 'session_start', ''],
    ['mine', 'Local', 'include', '@/CLAUDE.local.md'],
  ])
})

test('cycles are cut, and a file that loads by itself is not imported again', async () => {
  const world = makeWorld()
  world.writeAll({
    '@/CLAUDE.md': '@a.md @CLAUDE.md @sub/CLAUDE.md',
    '@/a.md': '@b.md @a.md',
    '@/b.md': '@a.md @CLAUDE.md',
    '@/sub/CLAUDE.md': 'own',
  })
  const { files, problems } = await world.load({ cwd: world.path('@/sub'), isApproved: () => true })
  expect(world.names(files)).toEqual(['@/CLAUDE.md', '@/a.md', '@/b.md', '@/sub/CLAUDE.md'])
  expect(files.at(-1)?.loadReason).toBe('session_start')
  expect(problems).toEqual([])
})

test('a file that is reached by a long and a short way counts by the short one', async () => {
  const world = makeWorld()
  world.writeAll({
    '@/CLAUDE.md': '@1.md @x.md',
    '@/1.md': '@2.md',
    '@/2.md': '@3.md',
    '@/3.md': '@x.md',
    '@/x.md': '@y.md',
    '@/y.md': 'y',
  })
  const [imports, problems] = await importsOf(world, '@1.md @x.md')
  expect([imports, problems]).toEqual([['@/1.md', '@/2.md', '@/3.md', '@/x.md', '@/y.md'], []])
})

test('paths are relative to the importing file, absolute, or below home', async () => {
  const world = makeWorld()
  world.writeAll({
    '@/docs/a.md': '@../b.md @./c.md',
    '@/b.md': 'b',
    '@/docs/c.md': 'c',
    '@/d.md': 'd',
    '~/e.md': 'e',
  })
  world.write('@/CLAUDE.md', `@docs/a.md @${world.path('@/d.md')} @~/e.md`)
  const { files } = await world.load({ isApproved: () => true })
  expect(world.names(files).slice(1)).toEqual(['@/docs/a.md', '@/b.md', '@/docs/c.md', '@/d.md', '~/e.md'])
})

test.each([
  ['at the start of a line', '@a.md', ['@/a.md']],
  ['in a list', '- @a.md\n- see @b.md', ['@/a.md', '@/b.md']],
  ['in a nested list, indented', '- x\n    - @a.md', ['@/a.md']],
  ['in a quote', '> @a.md', ['@/a.md']],
  ['in a heading', '# About @a.md', ['@/a.md']],
  ['in a table', '| x | @a.md |', ['@/a.md']],
  ['with a full stop', 'See @a.md.', ['@/a.md']],
  ['in brackets and bold', '(**@a.md**), [@b.md]', ['@/a.md', '@/b.md']],
  ['in quotes', '"@a.md" and \'@b.md\'', ['@/a.md', '@/b.md']],
  ['joined by commas', '@a.md,@b.md;', ['@/a.md', '@/b.md']],
  ['in a link', '[@a.md](https://example.com)', ['@/a.md']],
  ['with a folder in brackets', '@app/(group)/page.md', ['@/app/(group)/page.md']],
  ['when such a file exists: a scope', '@scope/name', ['@/scope/name']],
  ['when such a file exists: punctuation', '@odd.', ['@/odd.']],
  ['twice, once', '@a.md @a.md @./a.md', ['@/a.md']],
  ['behind a lonely backtick', 'a ` and @a.md', ['@/a.md']],
  ['behind an escaped backtick', '\\`@a.md` and @b.md', ['@/b.md']],
  ['behind a closed fence', '```\nx\n```\n@a.md', ['@/a.md']],
  ['in an inline comment', 'a <!-- ` --> @a.md `', ['@/a.md']],
])('an import counts %s', async (_where, text, expected) => {
  const world = makeWorld()
  for (const name of ['a.md', 'b.md', 'app/(group)/page.md', 'scope/name', 'odd.'])
    world.write(`@/${name}`, name)
  expect(await importsOf(world, text)).toEqual([expected, []])
})

test.each([
  ['an address', 'mail me@a.md or x.y+z@a.md'],
  ['a decorator', '@Component({}) class A {}\n@Injectable()'],
  ['a scope', 'npm install @x/abort @types/node'],
  ['a handle', 'ask @somebody, @a-team or @todo: all'],
  ['an escaped sign', '\\@a.md'],
  ['two signs', '@@a.md'],
  ['a sign alone', '@ a.md @'],
  ['code over two lines', '`x\n@a.md`'],
  ['code between longer runs', '``a ` @a.md``'],
  ['a tilde fence', '~~~\n@a.md\n```\n@a.md\n~~~'],
  ['a fence without an end', 'x\n```ts\n@a.md\n\n@a.md'],
  ['a fence in a list', '- x\n\n  ```\n  @a.md\n      ```\n  @a.md\n  ```'],
  ['a fence in a quote', '> ```\n> @a.md\n> ```'],
  ['a longer fence', '````\n```\n@a.md\n```\n````'],
  ['a block comment', '<!-- @a.md -->\n<!--\n@a.md\n-->'],
])('%s is no import', async (_what, text) => {
  const world = makeWorld()
  world.write('@/a.md', 'a')
  expect(await importsOf(world, text)).toEqual([[], []])
})

test('what is written like a file and is not there stays as text and is reported, by line', async () => {
  const world = makeWorld()
  world.write('@/CLAUDE.md', 'one\n\n@docs/missing.md, @./x @~/y @z/w\n')
  const { files, problems } = await world.load()
  expect(files.map(({ text }) => text)).toEqual(['one\n\n@docs/missing.md, @./x @~/y @z/w'])
  expect(problems.map(({ code, line, message }) => [code, line, world.short(message)])).toEqual([
    [
      'import-missing',
      3,
      '@/CLAUDE.md:3: the import @docs/missing.md, (@/docs/missing.md,) is not there and stays as text',
    ],
    ['import-missing', 3, '@/CLAUDE.md:3: the import @./x (@/x) is not there and stays as text'],
    ['import-missing', 3, '@/CLAUDE.md:3: the import @~/y (~/y) is not there and stays as text'],
  ])
})

test('lines are counted in the whole file, front matter and comments included', async () => {
  const world = makeWorld()
  world.write('@/.claude/rules/r.md', '---\ntitle: x\n---\n<!--\nnote\n-->\n\n@gone.md\n')
  expect((await world.load()).problems.map(({ line }) => line)).toEqual([8])
})

test('folders, large files and binary ones are skipped and reported', async () => {
  const world = makeWorld()
  world.write('@/dir/x', '')
  world.write('@/big.md', 'x'.repeat(300 * 1024))
  world.write('@/pic.png', Buffer.from([0x89, 0x50, 0, 0]))
  expect(await importsOf(world, '@dir @big.md @pic.png')).toEqual([
    [],
    ['not-regular', 'too-large', 'binary'],
  ])
})

test('outside of the working folder nothing is imported without approval; what was held back is named', async () => {
  const world = makeWorld()
  world.writeAll({ '~/out.md': 'secret', '@/CLAUDE.md': 'x\n@~/out.md @../home/out.md' })
  const { files, problems } = await world.load()
  expect(world.names(files)).toEqual(['@/CLAUDE.md'])
  expect(problems.map(({ code, line, importPath = '' }) => [code, line, world.short(importPath)])).toEqual([
    ['import-not-approved', 2, '~/out.md'],
    ['import-not-approved', 2, '~/out.md'],
  ])
})

test('approval is asked once for each real path, one after the other', async () => {
  const world = makeWorld()
  world.writeAll({
    '~/a.md': 'a @b.md',
    '~/b.md': 'b',
    '~/c.md': 'c',
    '@/CLAUDE.md': '@~/c.md @~/a.md @link.md',
  })
  world.link('@/link.md', world.path('~/c.md'))
  const asked: (readonly string[])[] = []
  let running = 0
  const { files } = await world.load({
    isApproved: async ({ path, importedBy }) => {
      asked.push([world.short(path), world.short(importedBy)])
      running += 1
      await Promise.resolve()
      expect(running).toBe(1)
      running -= 1
      return !path.endsWith('c.md')
    },
  })
  expect(asked).toEqual([
    ['~/c.md', '@/CLAUDE.md'],
    ['~/a.md', '@/CLAUDE.md'],
    ['~/b.md', '~/a.md'],
  ])
  expect(world.names(files)).toEqual(['@/CLAUDE.md', '~/a.md', '~/b.md'])
})

test.each(['link.md', 'folder/out.md', './folder/../link.md'])(
  'a link out of the working folder is judged by where it leads: @%s',
  async (path) => {
    const world = makeWorld()
    world.write('~/out.md', 'secret')
    world.link('@/link.md', world.path('~/out.md'))
    world.link('@/folder', world.home)
    expect(await importsOf(world, `@${path}`)).toEqual([[], ['import-not-approved']])
  },
)

test('the user’s own files import from everywhere, but what they import from the project does not', async () => {
  const world = makeWorld()
  world.writeAll({
    '~/.claude/CLAUDE.md': `@~/notes.md @${world.path('@/docs.md')}`,
    '~/notes.md': 'notes @more.md',
    '~/more.md': 'more',
    '~/secret.md': 'secret',
    '@/docs.md': 'docs @~/secret.md',
  })
  const { files, problems } = await world.load()
  expect(world.names(files)).toEqual(['~/.claude/CLAUDE.md', '~/notes.md', '~/more.md', '@/docs.md'])
  expect(problems.map(({ code }) => code)).toEqual(['import-not-approved'])
})

test('additional directories are working folders for imports', async () => {
  const world = makeWorld()
  world.writeAll({ '~/lib/a.md': 'a', '@/CLAUDE.md': '@~/lib/a.md' })
  const { files } = await world.load({ additionalDirectories: [world.path('~/lib')] })
  expect(world.names(files)).toEqual(['@/CLAUDE.md', '~/lib/a.md'])
})

test('what approval rejects with ends the loading', async () => {
  const world = makeWorld()
  world.writeAll({ '~/a.md': 'a', '@/CLAUDE.md': '@~/a.md' })
  const failure = new Error('no terminal')
  await expect(world.load({ isApproved: () => Promise.reject(failure) })).rejects.toBe(failure)
})

test('a file with more mentions than are looked at says so, and 500 imports are the end', async () => {
  const world = makeWorld()
  const mentions = Array.from({ length: 600 }, (_, index) => `@f${index}.md`)
  for (const mention of mentions) world.write(join('@', mention.slice(1)), 'x')
  world.write('@/CLAUDE.md', mentions.slice(0, 300).join('\n'))
  world.write('@/CLAUDE.local.md', mentions.slice(50).join('\n'))
  const { files, problems } = await world.load()
  expect(files).toHaveLength(2 + 500)
  expect(problems.map(({ code, line }) => [code, line])).toEqual([
    ['too-many', 501],
    ['too-many', 451],
  ])
})
