import { matchesGlob } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeWorld, type World } from './world.ts'

/** A world with one rule that has this front matter. */
function ruleWorld(frontMatter: string): World {
  const world = makeWorld()
  world.write('@/.claude/rules/r.md', `---\n${frontMatter}\n---\n\nthe rule`)
  return world
}

async function loadsFor(world: World, path: string): Promise<boolean> {
  const memory = await world.load()
  expect(memory.files).toEqual([])
  return (await memory.forFile(path)).files.length > 0
}

test('example 40: a rule with paths loads when such a file is read, once', async () => {
  const world = ruleWorld('paths: src/**/*.ts')
  const memory = await world.load()
  const path = world.path('@/.claude/rules/r.md')
  expect([memory.files, memory.rules]).toEqual([[], [{ path, globs: ['src/**/*.ts'] }]])
  expect((await memory.forFile('README.md')).files).toEqual([])
  const triggerFilePath = world.path('@/src/a/b.ts')
  expect((await memory.forFile(triggerFilePath)).files).toEqual([
    {
      path,
      text: 'the rule',
      memoryType: 'Project',
      loadReason: 'path_glob_match',
      globs: ['src/**/*.ts'],
      triggerFilePath,
    },
  ])
  expect((await memory.forFile('src/c.ts')).files).toEqual([])
  expect(memory.rules).toEqual([])
})

test.each([
  ['a text', 'paths: src/*.ts', ['src/*.ts']],
  [
    'a text with commas',
    'paths: "src/*.ts, {lib,test}/**/*.{js,ts}"',
    ['src/*.ts', '{lib,test}/**/*.{js,ts}'],
  ],
  ['a list', 'title: x\npaths:\n  - src/*.ts\n  - "*.md"\nother: [1]', ['src/*.ts', '*.md']],
  ['a list in brackets', 'paths: ["a/*", \'b/*\']', ['a/*', 'b/*']],
  ['a list without indentation', 'paths:\n- a\n- b, c', ['a', 'b', 'c']],
  ['a folded text', 'paths: >-\n  a/*,\n  b/*', ['a/*', 'b/*']],
  ['quoted keys and comments', '# about\n"paths": a # why', ['a']],
])('paths may be %s', async (_what, frontMatter, globs) => {
  const memory = await ruleWorld(frontMatter).load()
  expect(memory.rules.map((rule) => rule.globs)).toEqual([globs])
  expect(memory.problems).toEqual([])
})

test.each([
  ['a pattern that begins with a star', 'paths: **/*.ts', ['**/*.ts'], 2],
  [
    'such patterns in a list',
    'description: x\npaths:\n  - **/*.ts # all\n  - "*.md"\nz: 1',
    ['**/*.ts', '*.md'],
    3,
  ],
  ['such patterns in brackets', 'paths: [**/*.ts, *.md]', ['**/*.ts', '*.md'], 2],
  ['a pattern that begins with a brace', 'paths: {src,lib}/**/*.ts, *.md', ['{src,lib}/**/*.ts', '*.md'], 2],
  ['a pattern that is all braces', 'paths: {a.ts,b.ts}', ['{a.ts,b.ts}'], 2],
  ['a colon in another value', 'description: do: this\npaths: "a/*"', ['a/*'], 2],
  ['a list of other things', 'paths: [1, a]', ['1', 'a'], 2],
  ['a value in the first column', 'description: a\nb c\npaths:\n  - x/*', ['x/*'], 3],
])('front matter that is not YAML is read line by line: %s', async (_what, frontMatter, ...expected) => {
  const memory = await ruleWorld(frontMatter).load()
  expect(memory.problems.map((problem) => problem.code)).toEqual(['front-matter'])
  expect([memory.rules[0]?.globs, memory.problems[0]?.line]).toEqual(expected)
})

test.each(['title: x', 'paths:', 'paths: []', 'paths: ""', 'paths: null', 'x: {', ''])(
  'a rule without patterns is for everything: %j',
  async (frontMatter) => {
    const { files } = await ruleWorld(frontMatter).load()
    expect(files.map(({ text }) => text)).toEqual(['the rule'])
  },
)

test('front matter needs both of its fences at the very start; otherwise it is text', async () => {
  const world = makeWorld()
  world.write('@/.claude/rules/a.md', '---\npaths: a\n\nno end')
  world.write('@/.claude/rules/b.md', 'x\n---\npaths: b\n---\n')
  world.write('@/.claude/rules/c.md', '---\r\npaths: c\r\n---\r\nwith CRLF')
  const { files, rules } = await world.load()
  expect(files.map(({ text }) => text)).toEqual(['---\npaths: a\n\nno end', 'x\n---\npaths: b\n---'])
  expect(rules.map(({ globs }) => globs)).toEqual([['c']])
})

test.each([
  ['*.md', 'README.md', true],
  ['*.md', 'docs/README.md', false],
  ['**/*.md', 'README.md', true],
  ['**/*.md', 'a/b/README.md', true],
  ['src/**', 'src/a/b', true],
  ['src/', 'src/a/b', true],
  ['src/**/x.ts', 'src/x.ts', true],
  ['./src/*.ts', 'src/x.ts', true],
  ['src/*.{ts,tsx}', 'src/x.tsx', true],
  ['{a,b{c,d}}/*', 'bd/x', true],
  ['src/{x}.ts', 'src/{x}.ts', true],
  ['**/*.yml', '.github/workflows/ci.yml', true],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['[a-c][!x].ts', 'by.ts', true],
  ['[a-c][!x].ts', 'bx.ts', false],
  ['app/\\[id\\]/*', 'app/[id]/page', true],
  ['a**b', 'aXb', true],
  ['naïve/*', 'naïve/é', true],
  ['Src/*', 'src/a', false],
  ['../*', '../x', false],
])('the pattern %s and %s: %s', async (glob, path, expected) => {
  expect(await loadsFor(ruleWorld(`paths: ${JSON.stringify(glob)}`), path)).toBe(expected)
})

test.each([
  'src/[a',
  '{a,b',
  'a}',
  '!src/**',
  'a\\',
  '{a,b}'.repeat(10),
  `${'{'.repeat(30)}a,b${'}'.repeat(30)}`,
])('a bad pattern matches nothing and is reported, the others count: %s', async (glob) => {
  const world = ruleWorld(`paths:\n  - ${JSON.stringify(glob)}\n  - ok/*`)
  const memory = await world.load()
  expect(memory.problems.map(({ code }) => code)).toEqual(['bad-pattern'])
  expect(memory.problems[0]?.message).toContain(JSON.stringify(glob))
  expect((await memory.forFile('src/a')).files).toEqual([])
  expect((await memory.forFile('ok/a')).files).toHaveLength(1)
})

test('braces may stand for up to 1,000 patterns', async () => {
  const tens = '{0,1,2,3,4,5,6,7,8,9}'
  const world = ruleWorld(`paths: "${tens}${tens}${tens}.ts"`)
  expect((await world.load()).problems).toEqual([])
  expect(await loadsFor(world, '407.ts')).toBe(true)
})

test('patterns start from the folder of the rules, for the user’s rules from the start folder', async () => {
  const world = makeWorld()
  world.write('@/.claude/rules/up.md', '---\npaths: sub/a.ts\n---\nup')
  world.write('@/sub/.claude/rules/here.md', '---\npaths: a.ts\n---\nhere')
  world.write('~/.claude/rules/mine.md', '---\npaths: a.ts\n---\nmine')
  const memory = await world.load({ cwd: world.path('@/sub') })
  const { files } = await memory.forFile('a.ts')
  expect(files.map(({ text, memoryType }) => [text, memoryType])).toEqual([
    ['mine', 'User'],
    ['up', 'Project'],
    ['here', 'Project'],
  ])
})

test('absolute patterns and ~ match files outside', async () => {
  const world = makeWorld()
  world.write('~/.claude/rules/a.md', '---\npaths: ~/notes/*.md\n---\nhome')
  world.write('~/.claude/rules/b.md', `---\npaths: "${world.root}/other/**"\n---\nother`)
  world.write('~/.claude/rules/c.md', '---\npaths: "**/*.md"\n---\nproject only')
  const memory = await world.load()
  expect((await memory.forFile(world.path('~/notes/x.md'))).files.map(({ text }) => text)).toEqual(['home'])
  expect((await memory.forFile(`${world.root}/other/y`)).files.map(({ text }) => text)).toEqual(['other'])
})

test('matching agrees with the one of Node on plain patterns', async () => {
  const name = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(''))
  const globName = fc
    .array(fc.constantFrom('a', 'b', '*', '?', '[ab]', '[!a]', '{a,bc}'), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('').replaceAll(/\*+/g, '*'))
  const glob = fc
    .array(fc.oneof({ weight: 3, arbitrary: globName }, fc.constant('**')), { minLength: 1, maxLength: 4 })
    .map((names) => names.join('/'))
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
  const world = makeWorld()
  await fc.assert(
    fc.asyncProperty(glob, fc.array(path, { minLength: 12, maxLength: 12 }), async (glob, paths) => {
      world.write('@/.claude/rules/r.md', `---\npaths: ${JSON.stringify(glob)}\n---\nrule`)
      const memory = await world.load()
      for (const path of paths) {
        const { files } = await memory.fork().forFile(path)
        expect([glob, path, files.length > 0]).toEqual([glob, path, matchesGlob(path, glob)])
      }
    }),
    { numRuns: 60 },
  )
})

test('no front matter makes loading reject, and the rule is there in some way', async () => {
  const world = makeWorld()
  const piece = fc.oneof(
    fc.constantFrom(
      'paths:',
      'paths: ',
      '- ',
      '*',
      '&a ',
      '*a',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      ': ',
      '#',
      '|',
      '>',
      '\n',
      '  ',
      '---',
      '%',
      '@',
      '`',
      '!!js',
    ),
    fc.string({ maxLength: 3 }),
  )
  const frontMatter = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  await fc.assert(
    fc.asyncProperty(fc.array(frontMatter, { minLength: 30, maxLength: 30 }), async (all) => {
      for (const [index, one] of all.entries())
        world.write(`@/.claude/rules/${index}.md`, `---\n${one}\n---\nthe rule`)
      const { files, rules, problems } = await world.load()
      const binary = problems.filter(({ code }) => code === 'binary')
      expect(files.length + rules.length + binary.length).toBe(30)
    }),
    { numRuns: 30 },
  )
})

// In the comment a line separator ends nothing, in an expression it does.
test('many marks of comments behind a glob load before the test runs out of time', async () => {
  expect(await loadsFor(ruleWorld(`paths:\n- a.ts${' #'.repeat(100 * 1024)}\u2028x`), 'a.ts')).toBe(true)
})
