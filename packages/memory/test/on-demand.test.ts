import { getEventListeners } from 'node:events'
import { rmSync } from 'node:fs'
import type { LoadedMemory } from '@x/memory'
import { expect, test } from 'vitest'
import { makeWorld, type World } from './world.ts'

const textsOf = ({ files }: LoadedMemory): readonly string[] => files.map(({ text }) => text)

function nestedWorld(): World {
  const world = makeWorld()
  world.writeAll({
    '@/CLAUDE.md': 'root',
    '@/a/CLAUDE.md': 'a',
    '@/a/.claude/rules/all.md': 'a rule',
    '@/a/.claude/rules/ts.md': '---\npaths: b/*.ts\n---\nts rule',
    '@/a/CLAUDE.local.md': 'a local',
    '@/a/b/AGENTS.md': 'b @more.md',
    '@/a/b/more.md': 'more',
    '@/c/CLAUDE.md': 'c',
  })
  return world
}

test('reading a file loads the instructions of the folders down to it, each once', async () => {
  const world = nestedWorld()
  const memory = await world.load()
  const triggerFilePath = world.path('@/a/b/x.ts')
  const { files, problems } = await memory.forFile('a/b/x.ts')
  expect(files.map(({ text, memoryType, loadReason }) => [text, memoryType, loadReason])).toEqual([
    ['a', 'Project', 'nested_traversal'],
    ['a rule', 'Project', 'nested_traversal'],
    ['a local', 'Local', 'nested_traversal'],
    ['b @more.md', 'Project', 'nested_traversal'],
    ['more', 'Project', 'include'],
    ['ts rule', 'Project', 'path_glob_match'],
  ])
  expect(files.map((file) => file.triggerFilePath)).toEqual([
    triggerFilePath,
    triggerFilePath,
    triggerFilePath,
    triggerFilePath,
    undefined,
    triggerFilePath,
  ])
  expect(problems).toEqual([])
  expect(textsOf(await memory.forFile('a/b/y.ts'))).toEqual([])
  expect(textsOf(await memory.forFile('c/z'))).toEqual(['c'])
})

test('nothing loads for files of the start folder itself, above it or elsewhere, however they are named', async () => {
  const world = nestedWorld()
  world.writeAll({ '@/a/b/x.ts': '', '@/c/z': '', '~/CLAUDE.md': 'home' })
  world.link('@/a/out', world.path('@/c'))
  const memory = await world.load({ cwd: world.path('@/a') })
  for (const path of ['x.ts', '../x.ts', '../c/z', world.path('@/c/z'), world.path('~/x'), 'out/z', '/', ''])
    expect(textsOf(await memory.forFile(path))).toEqual([])
})

test('a folder that is reached through a link loads once, under its own name', async () => {
  const world = nestedWorld()
  world.writeAll({ '@/a/b/x.ts': '' })
  world.link('@/short', 'a/b')
  world.link('@/alias', '.')
  const memory = await world.load({ cwd: world.path('@/alias') })
  const { files } = await memory.forFile('short/x.ts')
  expect(world.names(files)).toContain('@/alias/a/b/AGENTS.md')
  expect(textsOf(await memory.forFile(world.path('@/a/b/x.ts')))).toEqual([])
})

test('a rule matches a linked file by the name it was read by and by the real one', async () => {
  const world = makeWorld()
  world.writeAll({
    '@/.claude/rules/a.md': '---\npaths: links/*\n---\nby name',
    '@/.claude/rules/b.md': '---\npaths: real/*\n---\nby place',
    '@/real/x': '',
  })
  world.link('@/links', 'real')
  expect(textsOf(await (await world.load()).forFile('links/x'))).toEqual(['by name', 'by place'])
})

test('parallel reads get each file once, in the order in which they asked', async () => {
  const memory = await nestedWorld().load()
  const all = await Promise.all(['a/b/x.ts', 'a/b/y.ts', 'a/z', 'c/z'].map((path) => memory.forFile(path)))
  expect(all.map(({ files }) => files.length)).toEqual([6, 0, 0, 1])
})

test('what an import brought before is not loaded again, a waiting rule neither', async () => {
  const world = makeWorld()
  world.writeAll({
    '@/CLAUDE.md': '@a/CLAUDE.md @.claude/rules/r.md',
    '@/a/CLAUDE.md': 'a',
    '@/.claude/rules/r.md': '---\npaths: "**"\n---\nr',
  })
  const memory = await world.load()
  expect(memory.files).toHaveLength(3)
  expect(textsOf(await memory.forFile('a/x'))).toEqual([])
})

test('a fork knows what was loaded, and then each goes its own way', async () => {
  const memory = await nestedWorld().load()
  await memory.forFile('c/z')
  const fork = memory.fork()
  expect(fork.files).toEqual(memory.files)
  expect(textsOf(await fork.forFile('c/z'))).toEqual([])
  expect((await fork.forFile('a/b/x.ts')).files).toHaveLength(6)
  expect((await memory.forFile('a/b/x.ts')).files).toHaveLength(6)
  expect(fork.rules).toEqual([])
})

test('after a compaction the start files are read again, and the others load again when they matter', async () => {
  const world = nestedWorld()
  const memory = await world.load()
  await memory.forFile('a/b/x.ts')
  const fork = memory.fork()
  world.write('@/CLAUDE.md', 'changed @gone.md')
  const loaded = await memory.reset('compact')
  expect(loaded.files.map(({ text, loadReason }) => [text, loadReason])).toEqual([
    ['changed @gone.md', 'compact'],
  ])
  expect(loaded.problems.map(({ code }) => code)).toEqual(['import-missing'])
  expect([memory.files, memory.problems]).toEqual([loaded.files, loaded.problems])
  expect((await memory.forFile('a/b/x.ts')).files).toHaveLength(6)
  expect(textsOf(fork)).toEqual(['root'])
  expect(textsOf(await fork.forFile('a/b/x.ts'))).toEqual([])
})

test('an aborted call rejects at once and takes nothing away from the next', async () => {
  const world = nestedWorld()
  world.write('@/a/CLAUDE.md', 'a @~/out.md')
  world.write('~/out.md', 'out')
  const reason = new Error('stop')
  const controller = new AbortController()
  let hangs = true
  const memory = await world.load({
    isApproved: () => {
      if (!hangs) return true
      queueMicrotask(() => controller.abort(reason))
      return new Promise(() => {})
    },
  })
  const signal = controller.signal
  const first = memory.forFile('a/x', { signal })
  const waiting = memory.forFile('a/y', { signal })
  const other = memory.forFile('c/z')
  await expect(first).rejects.toBe(reason)
  await expect(waiting).rejects.toBe(reason)
  await expect(memory.reset('compact', { signal })).rejects.toBe(reason)
  expect(textsOf(await other)).toEqual(['c'])
  hangs = false
  expect(textsOf(await memory.forFile('a/y'))).toEqual(['a @~/out.md', 'out', 'a rule', 'a local'])
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a session goes on when its folder is gone', async () => {
  const world = nestedWorld()
  const memory = await world.load()
  rmSync(world.project, { recursive: true })
  expect(textsOf(await memory.forFile('a/b/x.ts'))).toEqual([])
  expect(textsOf(await memory.reset('compact'))).toEqual([])
})

test('reading one of the user’s own files makes them no project’s', async () => {
  const world = makeWorld()
  world.writeAll({ '~/.claude/CLAUDE.md': 'u', '~/.claude/settings.json': '', '~/other/CLAUDE.md': 'o' })
  const memory = await world.load({ cwd: world.home, sources: ['project'] })
  expect(textsOf(await memory.forFile('.claude/settings.json'))).toEqual([])
  expect(textsOf(await memory.forFile('other/x'))).toEqual(['o'])
})
