import { getEventListeners } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeWorld } from './world.ts'

test('example 36: CLAUDE.md of the outer folder comes before that of the start folder', async () => {
  const world = makeWorld()
  world.writeAll({ '@/a/CLAUDE.md': 'outer', '@/a/b/CLAUDE.md': 'inner' })
  const { files } = await world.load({ cwd: world.path('@/a/b') })
  expect(files.map(({ text, memoryType, loadReason }) => [text, memoryType, loadReason])).toEqual([
    ['outer', 'Project', 'session_start'],
    ['inner', 'Project', 'session_start'],
  ])
})

test('loads managed, user, then folder by folder: instructions, rules, local instructions, auto memory', async () => {
  const world = makeWorld()
  world.writeAll({
    '!/CLAUDE.md': 'm',
    '~/.claude/CLAUDE.md': 'u',
    '~/.claude/rules/b.md': 'ub',
    '~/.claude/rules/a/deep.md': 'ua',
    '@/CLAUDE.md': 'p',
    '@/.claude/rules/x.md': 'px',
    '@/CLAUDE.local.md': 'pl',
    '@/sub/.claude/CLAUDE.md': 's',
    '@/sub/.claude/rules/y.md': 'sy',
    '@/sub/CLAUDE.local.md': 'sl',
    '~/notes/MEMORY.md': 'n',
  })
  const { files, problems } = await world.load({
    cwd: world.path('@/sub'),
    managedText: 'mt',
    autoMemory: { folder: world.path('~/notes') },
  })
  expect(files.map(({ text, memoryType }) => `${text} ${memoryType}`)).toEqual([
    'm Managed',
    'mt Managed',
    'u User',
    'ua User',
    'ub User',
    'p Project',
    'px Project',
    'pl Local',
    's Project',
    'sy Project',
    'sl Local',
    'n Auto',
  ])
  expect(problems).toEqual([])
})

test('example 41, as decision 16 has it: AGENTS.md is read where a folder has no CLAUDE.md', async () => {
  const world = makeWorld()
  world.writeAll({
    '@/AGENTS.md': 'read',
    '@/one/CLAUDE.md': 'one',
    '@/one/AGENTS.md': 'not read',
    '@/one/two/.claude/CLAUDE.md': 'two',
    '@/one/two/AGENTS.md': 'not read',
    '@/one/two/three/CLAUDE.local.md': 'local',
    '@/one/two/three/AGENTS.md': 'three',
  })
  const { files } = await world.load({ cwd: world.path('@/one/two/three') })
  expect(files.map(({ text }) => text)).toEqual(['read', 'one', 'two', 'three', 'local'])
})

test('CLAUDE.md and .claude/CLAUDE.md of one folder are both read', async () => {
  const world = makeWorld()
  world.writeAll({ '@/CLAUDE.md': 'first', '@/.claude/CLAUDE.md': 'second' })
  expect((await world.load()).files.map(({ text }) => text)).toEqual(['first', 'second'])
})

test('decision 6: .x wins over .claude file by file', async () => {
  const world = makeWorld()
  world.writeAll({
    '~/.x/CLAUDE.md': 'user x',
    '~/.claude/CLAUDE.md': 'user claude',
    '~/.claude/rules/only.md': 'user rule',
    '@/.x/CLAUDE.md': 'project x',
    '@/.claude/CLAUDE.md': 'project claude',
    '@/.x/rules/same.md': 'rule x',
    '@/.claude/rules/same.md': 'rule claude',
    '@/.claude/rules/other.md': 'other rule',
  })
  const { files } = await world.load()
  expect(files.map(({ text }) => text)).toEqual(['user x', 'user rule', 'project x', 'other rule', 'rule x'])
})

test('CLAUDE_CONFIG_DIR and X_HOME move the folders of the user', async () => {
  const world = makeWorld()
  world.writeAll({
    '~/.claude/CLAUDE.md': 'old place',
    '~/config/CLAUDE.md': 'moved',
    '~/state/rules/r.md': 'state rule',
  })
  const env = { CLAUDE_CONFIG_DIR: world.path('~/config'), X_HOME: world.path('~/state') }
  expect((await world.load({ env })).files.map(({ text }) => text)).toEqual(['moved', 'state rule'])
})

test.each([
  [
    ['user', 'project', 'local'],
    ['m', 'u', 'p', 'l'],
  ],
  [['project'], ['m', 'p']],
  [['user'], ['m', 'u']],
  [['local'], ['m', 'l']],
  [[], ['m']],
] as const)('sources %j load %j', async (sources, expected) => {
  const world = makeWorld()
  world.writeAll({
    '!/CLAUDE.md': 'm',
    '~/.claude/CLAUDE.md': 'u',
    '@/CLAUDE.md': 'p',
    '@/CLAUDE.local.md': 'l',
  })
  expect((await world.load({ sources })).files.map(({ text }) => text)).toEqual(expected)
})

test('example 34: with no sources and no managed folder nothing loads, on demand neither', async () => {
  const world = makeWorld()
  world.writeAll({
    '!/CLAUDE.md': 'm',
    '~/.claude/CLAUDE.md': 'u',
    '@/CLAUDE.md': 'p',
    '@/sub/CLAUDE.md': 's',
    '@/sub/a.ts': '',
  })
  const memory = await world.load({ sources: [], managedFolder: false })
  expect(memory.files).toEqual([])
  expect((await memory.forFile('sub/a.ts')).files).toEqual([])
})

test('on the way down through the home folder the user files load once, and not at all without the user source', async () => {
  const world = makeWorld()
  world.writeAll({
    '~/.claude/CLAUDE.md': 'u',
    '~/.claude/rules/r.md': 'r',
    '~/CLAUDE.md': 'home as a project',
    '~/job/CLAUDE.md': 'w',
  })
  const cwd = world.path('~/job')
  const all = await world.load({ cwd })
  expect(all.files.map(({ text, memoryType }) => `${text} ${memoryType}`)).toEqual([
    'u User',
    'r User',
    'home as a project Project',
    'w Project',
  ])
  const { files } = await world.load({ cwd, sources: ['project'] })
  expect(files.map(({ text }) => text)).toEqual(['home as a project', 'w'])
})

test('additional directories load only when the environment says so, and only their own files', async () => {
  const world = makeWorld()
  world.writeAll({
    '~/CLAUDE.md': 'above',
    '~/lib/CLAUDE.md': 'lib',
    '~/lib/.claude/rules/r.md': 'rule',
    '~/lib/CLAUDE.local.md': 'local',
  })
  const additionalDirectories = [world.path('~/lib')]
  expect((await world.load({ additionalDirectories })).files).toEqual([])
  const env = { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1' }
  const { files } = await world.load({ additionalDirectories, env })
  expect(files.map(({ text }) => text)).toEqual(['lib', 'rule', 'local'])
})

test('excludes skip files of every kind but managed ones, by the path as named and by the real one', async () => {
  const world = makeWorld()
  world.writeAll({
    '!/CLAUDE.md': 'm',
    '~/.claude/CLAUDE.md': 'u',
    '@/CLAUDE.md': '@docs/x.md',
    '@/docs/x.md': 'import',
    '@/.claude/rules/a.md': 'a',
    '@/.claude/rules/team/b.md': 'b',
    '@/real.md': 'linked',
  })
  world.link('@/CLAUDE.local.md', world.path('@/real.md'))
  const excludes = [
    '~/.claude/*',
    '**/docs/**',
    `${world.project}/.claude/rules/team/**`,
    '**/real.md',
    '/**/managed/*',
  ]
  const { files, problems } = await world.load({ excludes })
  expect(files.map(({ text }) => text)).toEqual(['m', '@docs/x.md', 'a'])
  expect(problems).toEqual([])
})

test('excluding a link does not exclude the file it leads to under its own name', async () => {
  const world = makeWorld()
  world.write('@/sub/CLAUDE.md', 'own')
  world.link('@/CLAUDE.md', 'sub/CLAUDE.md')
  const { files } = await world.load({ cwd: world.path('@/sub'), excludes: [`${world.project}/CLAUDE.md`] })
  expect(world.names(files)).toEqual(['@/sub/CLAUDE.md'])
})

test('an excluded CLAUDE.md does not bring AGENTS.md back, and a relative or broken exclude is reported', async () => {
  const world = makeWorld()
  world.writeAll({ '@/CLAUDE.md': 'c', '@/AGENTS.md': 'a' })
  const { files, problems } = await world.load({ excludes: ['**/CLAUDE.md', 'docs/*', '/a/[b'] })
  expect(files).toEqual([])
  expect(problems.map(({ code }) => code)).toEqual(['bad-pattern', 'bad-pattern'])
})

test('one file loads once, by whatever links it is reached', async () => {
  const world = makeWorld()
  world.writeAll({ '@/AGENTS.md': 'same', '@/sub/x': '' })
  world.link('@/CLAUDE.md', 'AGENTS.md')
  world.link('@/sub/CLAUDE.md', '../AGENTS.md')
  world.link('@/.claude', 'sub')
  const { files } = await world.load({ cwd: world.path('@/sub') })
  expect(world.names(files)).toEqual(['@/CLAUDE.md'])
})

test('rules follow links to files and folders, also in circles, and only .md files count', async () => {
  const world = makeWorld()
  world.writeAll({
    '~/shared/s.md': 'shared',
    '~/one.md': 'one',
    '@/.claude/rules/r.md': 'r',
    '@/.claude/rules/note.txt': 'no rule',
  })
  world.link('@/.claude/rules/all', world.path('~/shared'))
  world.link('@/.claude/rules/one.md', world.path('~/one.md'))
  world.link('@/.claude/rules/loop', '.')
  world.link('@/.claude/rules/dead.md', 'nowhere')
  const { files, problems } = await world.load()
  expect(files.map(({ text }) => text)).toEqual(['shared', 'one', 'r'])
  expect(problems.map(({ message }) => world.short(message))).toEqual([
    '@/.claude/rules/dead.md: is a link that leads nowhere, or went away',
  ])
})

test('what cannot be read costs itself only, and is named', async () => {
  const world = makeWorld()
  world.writeAll({ '@/CLAUDE.local.md': 'local', '~/.claude/CLAUDE.md': 'x'.repeat(256 * 1024 + 1) })
  mkdirSync(world.path('@/CLAUDE.md'))
  world.write('@/.claude/rules/bin.md', Buffer.from([0x50, 0, 1]))
  world.link('@/.x', '.x')
  world.link('!/CLAUDE.md', 'CLAUDE.md')
  const { files, problems } = await world.load()
  expect(files.map(({ text }) => text)).toEqual(['local'])
  expect(problems.map(({ code, message }) => [code, world.short(message)])).toEqual([
    ['unreadable', '!/CLAUDE.md: cannot be read (ELOOP)'],
    ['unreadable', '@/.x: cannot be read (ELOOP)'],
    ['too-large', '~/.claude/CLAUDE.md: is larger than 256 KiB'],
    ['not-regular', '@/CLAUDE.md: is not a regular file'],
    ['binary', '@/.claude/rules/bin.md: is not text'],
  ])
})

test('of more than a thousand rules and folders the rest is left out, and that is said once', async () => {
  const world = makeWorld()
  for (let index = 0; index < 1005; index += 1) world.write(`@/.claude/rules/${index}.md`, 'x')
  const { files, problems } = await world.load()
  expect(files).toHaveLength(1000)
  expect(problems.map(({ code, path }) => [code, world.short(path)])).toEqual([
    ['too-many', '@/.claude/rules'],
  ])
})

test('a rules folder that is a file or a loop is reported or ignored, never thrown', async () => {
  const world = makeWorld()
  world.writeAll({ '@/CLAUDE.md': 'p', '@/.claude/rules': 'a file' })
  world.link('~/.claude/rules', 'rules')
  const { files, problems } = await world.load()
  expect(files.map(({ text }) => text)).toEqual(['p'])
  expect(problems.map(({ message }) => world.short(message))).toEqual([
    '~/.claude/rules: cannot be read (ELOOP)',
    '@/.claude/rules: cannot be read (ENOTDIR)',
  ])
})

test.each([
  ['a byte order mark', Buffer.from('\uFEFFtext'), 'text'],
  ['CRLF', Buffer.from('a\r\nb\r\n'), 'a\nb'],
  ['invalid UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\uFFFDb'],
  ['UTF-16', Buffer.from('\uFEFFwide', 'utf16le'), 'wide'],
  ['blank lines around', Buffer.from('\n  \n  indented\n\n'), '  indented'],
])('tolerates %s', async (_name, content, expected) => {
  const world = makeWorld()
  world.write('@/CLAUDE.md', content)
  expect((await world.load()).files.map(({ text }) => text)).toEqual([expected])
})

test('an empty file, or one of comments only, is not shown', async () => {
  const world = makeWorld()
  world.writeAll({ '@/CLAUDE.md': ' \n', '@/CLAUDE.local.md': '<!-- nothing -->', '@/AGENTS.md': 'not read' })
  expect((await world.load()).files).toEqual([])
})

test('a folder that does not exist loads what is above it', async () => {
  const world = makeWorld()
  world.write('@/CLAUDE.md', 'above')
  const memory = await world.load({ cwd: world.path('@/not/there') })
  expect(memory.files.map(({ text }) => text)).toEqual(['above'])
})

test('loads 30 levels with 50 rules and an import each level, all in order', async () => {
  const world = makeWorld()
  const names = Array.from({ length: 30 }, (_, index) => `d${index}`)
  for (const [index] of names.entries()) {
    const folder = join('@', ...names.slice(0, index + 1))
    world.write(`${folder}/CLAUDE.md`, `level ${index} @more.md`)
    world.write(`${folder}/more.md`, `more ${index}`)
  }
  for (let index = 0; index < 50; index += 1) world.write(`@/.claude/rules/r${index}.md`, `rule ${index}`)
  const options = { cwd: world.path(join('@', ...names)), isApproved: () => true }
  const { files } = await world.load(options)
  expect(files).toHaveLength(110)
  expect(files.slice(50).map(({ text }) => text)).toEqual(
    names.flatMap((_name, index) => [`level ${index} @more.md`, `more ${index}`]),
  )
})

test('rejects with the reason of a signal that has aborted or aborts meanwhile, and leaves no listener', async () => {
  const world = makeWorld()
  world.write('@/CLAUDE.md', 'p @/etc/hostname')
  const reason = new Error('enough')
  await expect(world.load({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  const controller = new AbortController()
  const loading = world.load({
    signal: controller.signal,
    isApproved: () => {
      controller.abort(reason)
      return new Promise(() => {})
    },
  })
  await expect(loading).rejects.toBe(reason)
  expect(getEventListeners(controller.signal, 'abort')).toEqual([])
})
