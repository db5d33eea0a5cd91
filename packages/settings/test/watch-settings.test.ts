import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type SettingsChange,
  type SettingsSections,
  updateSettings,
  type WatchSettingsOptions,
  watchSettings,
} from '@x/settings'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeFolder, makeWorld, optionsOf, type World, worldIn } from './world.ts'

type Change = SettingsChange<SettingsSections>

/** Watches a world, quickly and by events alone, and can wait for what its settings say. */
async function watchWorld(world: World, more: Partial<WatchSettingsOptions> = {}) {
  const changes: Change[] = []
  let wake = (): void => {}
  const watched = await watchSettings({
    ...optionsOf(world),
    settleMs: 10,
    pollMs: 0,
    ...more,
    onChange: (change) => {
      changes.push(change)
      wake()
    },
  })
  const until = async (isRight: () => boolean): Promise<void> => {
    while (!isRight()) await new Promise<void>((resolve) => (wake = resolve))
  }
  const says = async (key: string, value: unknown): Promise<void> =>
    until(() => watched.current.value[key] === value)
  return { watched, changes, until, says }
}

async function watchForTest(world: World, more: Partial<WatchSettingsOptions> = {}) {
  const watching = await watchWorld(world, more)
  onTestFinished(() => watching.watched[Symbol.asyncDispose]())
  return watching
}

const project = '@/.claude/settings.json'

describe('a change is told, with its layer', () => {
  test('example 100: an edit of a file counts without a restart, and says which layer and file changed', async () => {
    const world = makeWorld()
    const file = world.write(project, { a: 1 })
    const { changes, says } = await watchForTest(world)
    world.write(project, { a: 2 })
    await says('a', 2)
    expect(changes).toMatchObject([
      {
        layers: ['project'],
        files: [{ layer: 'project', file, source: 'project_settings' }],
        previous: { value: { a: 1 } },
      },
    ])
  })

  test('folders and files that appear, vanish and come again', async () => {
    const world = makeWorld()
    const { says } = await watchForTest(world)
    world.write('~/.x/settings.json', { a: 'user' })
    await says('a', 'user')
    world.write(project, { a: 'project' })
    await says('a', 'project')
    rmSync(world.path('@/.claude'), { recursive: true })
    await says('a', 'user')
    world.write(project, { a: 'again' })
    await says('a', 'again')
    unlinkSync(world.path(project))
    await says('a', 'user')
  })

  test('atomic replacement, once and again', async () => {
    const world = makeWorld()
    world.write(project, { a: 0 })
    const { says } = await watchForTest(world)
    for (const a of [1, 2, 3]) {
      renameSync(world.write('@/.claude/next.tmp', { a }), world.path(project))
      await says('a', a)
    }
  })

  test('a file behind a link, and a link that is turned', async () => {
    const world = makeWorld()
    world.write('~/dotfiles/one.json', { a: 1 })
    world.write('~/dotfiles/two.json', { a: 20 })
    mkdirSync(world.path('@/.claude'))
    symlinkSync(world.path('~/dotfiles/one.json'), world.path(project))
    const { says, changes } = await watchForTest(world)
    world.write('~/dotfiles/one.json', { a: 2 })
    await says('a', 2)
    symlinkSync(world.path('~/dotfiles/two.json'), world.path('@/.claude/new'))
    renameSync(world.path('@/.claude/new'), world.path(project))
    await says('a', 20)
    expect(changes).toHaveLength(2)
  })

  test('a managed drop-in that appears', async () => {
    const world = makeWorld()
    const { says, changes } = await watchForTest(world)
    world.write('!/managed-settings.d/1.json', { a: 1 })
    await says('a', 1)
    expect(changes[0]?.files[0]?.source).toBe('policy_settings')
  })

  test('our own update, without being told of the lock and the temporary file', async () => {
    const world = makeWorld()
    const { until, changes, watched } = await watchForTest(world)
    await updateSettings('local', { path: 'permissions.allow', add: ['A'] }, optionsOf(world))
    await until(() => watched.current.entries('permissions.allow').length === 1)
    expect(changes).toHaveLength(1)
  })

  test('the same text again, or another file in the folder, is no change', async () => {
    const world = makeWorld()
    world.write(project, { a: 1 })
    const { changes, watched } = await watchForTest(world)
    world.write(project, { a: 1 })
    world.write('@/.claude/notes.txt', 'x')
    await watched.refresh()
    expect(changes).toEqual([])
  })

  test('looking from time to time finds what no event told', async () => {
    const world = makeWorld()
    mkdirSync(world.path('~/a/.claude'), { recursive: true })
    mkdirSync(world.path('~/b/.claude'), { recursive: true })
    writeFileSync(world.path('~/b/.claude/settings.json'), '{"a": 1}')
    symlinkSync('a', world.path('~/here'))
    const { says } = await watchForTest(world, { cwd: world.path('~/here'), pollMs: 20 })
    // The folder of a watched folder is turned: nothing happens in the watched one.
    symlinkSync('b', world.path('~/there'))
    renameSync(world.path('~/there'), world.path('~/here'))
    await says('a', 1)
  })
})

describe('a file that is about to be written', () => {
  test('is not taken for empty or broken', async () => {
    const world = makeWorld()
    const file = world.write(project, { a: 1 })
    const { changes, says } = await watchForTest(world, { settleMs: 100 })
    truncateSync(file)
    await delay(150)
    world.write(project, { a: 2 })
    await says('a', 2)
    expect(changes).toHaveLength(1)
  })

  test('stays broken: what can be read of it counts, and the problem is told', async () => {
    const world = makeWorld()
    world.write(project, { a: 1, b: 1 })
    const { until, watched } = await watchForTest(world)
    world.write(project, '{"a": 1, "b": ')
    await until(() => watched.current.problems.length === 1)
    expect(watched.current.value).toEqual({ a: 1 })
  })
})

describe('the door for ConfigChange', () => {
  test('example 79: keep leaves what was before in memory, also later, and nothing is told', async () => {
    const world = makeWorld()
    world.write(project, { a: 1 })
    const asked: string[] = []
    const { watched, changes } = await watchForTest(world, {
      onConfigChange: ({ source }) => {
        asked.push(source)
        return source === 'project_settings' ? 'keep' : 'apply'
      },
    })
    world.write(project, { a: 2 })
    await watched.refresh()
    expect([watched.current.value['a'], changes.length]).toEqual([1, 0])
    world.write('~/.claude/settings.json', { b: 1 })
    await watched.refresh()
    expect([watched.current.value, asked]).toEqual([{ a: 1, b: 1 }, ['project_settings', 'user_settings']])
  })

  test('example 79: a managed file cannot be kept out', async () => {
    const world = makeWorld()
    const { watched } = await watchForTest(world, { onConfigChange: () => 'keep' })
    world.write('!/managed-settings.json', { a: 1 })
    await watched.refresh()
    expect(watched.current.value['a']).toBe(1)
  })

  test('it is asked before the change counts, and waited for', async () => {
    const world = makeWorld()
    const order: unknown[] = []
    const { watched } = await watchForTest(world, {
      onConfigChange: async (): Promise<'apply' | 'keep'> => {
        order.push(watched.current.value['a'])
        await delay(5)
        order.push(watched.current.value['a'])
        return 'apply'
      },
    })
    world.write(project, { a: 1 })
    await watched.refresh()
    expect([...order, watched.current.value['a']]).toEqual([undefined, undefined, 1])
  })

  test('callbacks that throw are reported, the change counts, and watching goes on', async () => {
    const world = makeWorld()
    const errors: unknown[] = []
    const fail = (): never => {
      throw new Error('no')
    }
    const watched = await watchSettings({
      ...optionsOf(world),
      onConfigChange: fail,
      onChange: fail,
      onError: (error) => {
        errors.push(error)
        throw error
      },
    })
    for (const a of [1, 2]) {
      world.write(project, { a })
      await watched.refresh()
      expect(watched.current.value['a']).toBe(a)
    }
    await watched[Symbol.asyncDispose]()
    expect(errors).toHaveLength(4)
  })
})

describe('the end', () => {
  test('after dispose nothing is told, no watch or timer is left, and disposing twice is harmless', async () => {
    const world = makeWorld()
    world.write(project, { a: 1 })
    const before = process.getActiveResourcesInfo().length
    const { watched, changes } = await watchWorld(world, { pollMs: 5 })
    world.write(project, { a: 2 })
    await watched[Symbol.asyncDispose]()
    await watched[Symbol.asyncDispose]()
    const told = changes.length
    world.write(project, { a: 3 })
    await watched.refresh()
    await delay(50)
    expect(changes).toHaveLength(told)
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before)
  })

  test('settings of the command line that cannot be read reject the start', async () => {
    const world = makeWorld()
    await expect(watchWorld(world, { flagSettings: 'none.json' })).rejects.toThrow('not found')
  })
})

test('whatever is written, and how, watching ends with the last content', async () => {
  const file = fc.constantFrom(
    project,
    '@/.x/settings.json',
    '~/.claude/settings.json',
    '@/.claude/settings.local.json',
  )
  const step = fc.record({
    file,
    how: fc.constantFrom('in-place', 'in-place', 'replace', 'remove', 'remove-folder', 'halves'),
    pauseMs: fc.constantFrom(0, 0, 1, 12),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const root = makeFolder()
      const world = worldIn(root)
      const { watched, says } = await watchWorld(world)
      try {
        let count = 0
        for (const { file, how, pauseMs } of steps) {
          count += 1
          const path = world.path(file)
          if (how === 'in-place') world.write(file, { a: count })
          if (how === 'replace') renameSync(world.write(`${file}.tmp`, { a: count }), path)
          if (how === 'remove') rmSync(path, { force: true })
          if (how === 'remove-folder') rmSync(join(path, '..'), { recursive: true, force: true })
          if (how === 'halves') {
            world.write(file, `{"a": ${count}, `)
            world.write(file, { a: count })
          }
          if (pauseMs > 0) await delay(pauseMs)
        }
        // The strongest file of all, so that its value is the one to wait for.
        world.write('@/.x/settings.local.json', { a: 'last' })
        await says('a', 'last')
        await watched.refresh()
        const fresh = (await watchWorld(world)).watched
        expect(watched.current.explain('a')).toEqual(fresh.current.explain('a'))
        await fresh[Symbol.asyncDispose]()
      } finally {
        await watched[Symbol.asyncDispose]()
        rmSync(root, { recursive: true })
      }
    }),
    { numRuns: 15 },
  )
})
