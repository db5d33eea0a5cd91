import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadSettings, parseSettingSources } from '@x/settings'
import { describe, expect, test } from 'vitest'
import { makePipe } from './pipe.ts'
import { sections } from './sections.ts'
import { makeWorld, optionsOf, type World } from './world.ts'

const load = (world: World, more: object = {}) => loadSettings({ ...optionsOf(world), sections, ...more })

/** Each layer says its own name, and the list of what it says. */
function writeAll(world: World): void {
  for (const [file, name] of Object.entries(filesByStrength))
    world.write(file, { name, list: [name, 'same'] })
}

const filesByStrength = {
  '~/.claude/settings.json': 'user-claude',
  '~/.x/settings.json': 'user-x',
  '@/.claude/settings.json': 'project-claude',
  '@/.x/settings.json': 'project-x',
  '@/.claude/settings.local.json': 'local-claude',
  '@/.x/settings.local.json': 'local-x',
  '!/managed-settings.json': 'managed',
  '!/managed-settings.d/10-a.json': 'managed-10',
  '!/managed-settings.d/20-b.json': 'managed-20',
}

describe('places and precedence (hooks.md 3.1, permissions.md 5)', () => {
  test('the strongest layer wins, and .x wins over .claude in each', async () => {
    const world = makeWorld()
    writeAll(world)
    const settings = await load(world, { flagSettings: { name: 'flag', list: ['flag'] } })
    expect(settings.explain('name').map(({ value }) => value)).toEqual([
      'managed-20',
      'managed-10',
      'managed',
      'flag',
      'local-x',
      'local-claude',
      'project-x',
      'project-claude',
      'user-x',
      'user-claude',
    ])
    expect(settings.value['name']).toBe('managed-20')
    expect(settings.layers.map(({ name, value }) => [name, value['name']])).toEqual([
      ['managed', 'managed-20'],
      ['command-line', 'flag'],
      ['local', 'local-x'],
      ['project', 'project-x'],
      ['user', 'user-x'],
    ])
  })

  test('sources limit what loads; managed and command line settings always do', async () => {
    const world = makeWorld()
    writeAll(world)
    const namesWith = async (sources: string[]): Promise<unknown[]> =>
      (await load(world, { sources, flagSettings: '{"name": "flag"}' }))
        .explain('name')
        .map((one) => one.layer)
    expect(new Set(await namesWith([]))).toEqual(new Set(['managed', 'command-line']))
    expect(new Set(await namesWith(['project']))).toEqual(new Set(['managed', 'command-line', 'project']))
  })

  test('--setting-sources is read from its text, and an unknown name is refused', () => {
    expect(['user, local', '', 'project'].map(parseSettingSources)).toEqual([
      ['user', 'local'],
      [],
      ['project'],
    ])
    expect(() => parseSettingSources('user,managed')).toThrow(
      new RangeError('setting sources must be user, project, local, not "managed"'),
    )
  })

  test('drop-ins merge behind the main managed file in the order of their names; hidden and other files do not count', async () => {
    const world = makeWorld()
    writeAll(world)
    world.write('!/managed-settings.d/.99-hidden.json', { name: 'hidden' })
    world.write('!/managed-settings.d/99-note.txt', '{"name": "text"}')
    expect((await load(world)).value['name']).toBe('managed-20')
  })

  test('managed settings from elsewhere win whole: managed files are not read', async () => {
    const world = makeWorld()
    writeAll(world)
    const settings = await load(world, { managedSettings: { other: 1 } })
    expect(settings.layer('managed').value).toEqual({ other: 1 })
    expect((await load(world, { managedSettings: {} })).value['name']).toBe('managed-20')
  })

  test('CLAUDE_CONFIG_DIR moves ~/.claude, X_HOME moves ~/.x', async () => {
    const world = makeWorld()
    writeAll(world)
    world.write('~/elsewhere/settings.json', { name: 'moved' })
    world.write('~/state/settings.json', { list: ['state'] })
    const env = { CLAUDE_CONFIG_DIR: world.path('~/elsewhere'), X_HOME: world.path('~/state') }
    const { value } = (await load(world, { env })).layer('user')
    expect(value).toEqual({ name: 'moved', list: ['state'] })
  })

  test('project settings come from the start folder only', async () => {
    const world = makeWorld()
    writeAll(world)
    mkdirSync(world.path('@/sub'))
    const settings = await load(world, { cwd: world.path('@/sub') })
    expect(settings.layer('project').value).toEqual({})
    expect(settings.layer('local').value['name']).toBe('local-x')
  })

  test('local settings come from the root of the repository; an older copy in the start folder counts below', async () => {
    const world = makeWorld()
    world.write('@/.claude/settings.local.json', { name: 'root', deep: { a: 1 } })
    world.write('@/sub/.claude/settings.local.json', { name: 'start', deep: { b: 2 } })
    const settings = await load(world, { cwd: world.path('@/sub') })
    expect(settings.layer('local').value).toEqual({ name: 'root', deep: { a: 1, b: 2 } })
    expect(settings.layer('local').target).toBe(world.path('@/.claude/settings.local.json'))
  })

  test('in a worktree local settings come from the main checkout, project settings from the worktree', async () => {
    const world = makeWorld()
    const git = (...args: string[]): void => void execFileSync('git', ['-C', world.project, ...args])
    git('init', '-q')
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x')
    git('worktree', 'add', '-q', world.path('~/tree'))
    world.write('@/.claude/settings.local.json', { name: 'main' })
    world.write('~/tree/.claude/settings.json', { tree: true })
    const settings = await load(world, { cwd: world.path('~/tree') })
    expect(settings.value).toEqual({ name: 'main', tree: true })
  })

  test('outside a repository and in the home folder local settings come from the start folder', async () => {
    const world = makeWorld()
    world.write('~/code/.claude/settings.local.json', { name: 'here' })
    expect((await load(world, { cwd: world.path('~/code') })).value['name']).toBe('here')
    world.write('~/.git/HEAD', 'x')
    world.write('~/.claude/settings.local.json', { name: 'home' })
    expect((await load(world, { cwd: world.path('~/code') })).value['name']).toBe('here')
  })

  // Only root may give files away.
  test.runIf(process.getuid?.() === 0)(
    'a repository of somebody else does not bring local settings',
    async () => {
      const world = makeWorld()
      world.write('@/.claude/settings.local.json', { name: 'root' })
      mkdirSync(world.path('@/sub'))
      execFileSync('chown', ['-R', '12345', world.path('@/.claude')])
      expect((await load(world, { cwd: world.path('@/sub') })).value).toEqual({})
    },
  )

  test('in the home folder the user file is not read twice', async () => {
    const world = makeWorld()
    world.write('~/.claude/settings.json', { hooks: { Stop: [{ hooks: [] }] } })
    const settings = await load(world, { cwd: world.home })
    expect(settings.value.hooks?.Stop).toHaveLength(1)
    expect(settings.explain('hooks').map(({ layer }) => layer)).toEqual(['user'])
  })

  test('works with a folder that does not exist, and with nothing at all', async () => {
    const world = makeWorld()
    const settings = await load(world, { cwd: join(world.root, 'nowhere') })
    expect([settings.value, settings.problems]).toEqual([{}, []])
    await expect(loadSettings()).resolves.toHaveProperty('layers')
  })
})

describe('merging (hooks.md 3.2, 3.3)', () => {
  test('objects merge key by key, lists are united without duplicates, anything else is replaced', async () => {
    const world = makeWorld()
    world.write('~/.claude/settings.json', {
      permissions: { allow: ['A', 'B'], defaultMode: 'plan' },
      a: { b: { c: 1, d: 1 } },
    })
    world.write('@/.claude/settings.json', {
      permissions: { allow: ['B', 'C'], deny: ['D'] },
      a: { b: { d: 2 } },
    })
    const { value } = await load(world)
    expect(value).toEqual({
      permissions: { allow: ['A', 'B', 'C'], deny: ['D'], defaultMode: 'plan' },
      a: { b: { c: 1, d: 2 } },
    })
  })

  test('hook groups of all layers are added together, equal ones too, the managed ones first', async () => {
    const world = makeWorld()
    const group = (command: string) => ({ matcher: 'Bash', hooks: [{ type: 'command', command }] })
    world.write('~/.claude/settings.json', { hooks: { PreToolUse: [group('u'), group('same')] } })
    world.write('@/.claude/settings.json', { hooks: { PreToolUse: [group('same')], Stop: [group('p')] } })
    world.write('!/managed-settings.json', { hooks: { PreToolUse: [group('m')] } })
    const settings = await load(world)
    expect(settings.value.hooks).toEqual({
      PreToolUse: [group('m'), group('u'), group('same'), group('same')],
      Stop: [group('p')],
    })
    expect(settings.entries('hooks.PreToolUse').map(({ origin }) => origin.layer)).toEqual([
      'managed',
      'user',
      'user',
      'project',
    ])
  })

  test('example 87: a project false beats a user true for disableAllHooks, --settings beats both', async () => {
    const world = makeWorld()
    world.write('~/.claude/settings.json', { disableAllHooks: true })
    world.write('@/.claude/settings.json', { disableAllHooks: false })
    expect((await load(world)).value['disableAllHooks']).toBe(false)
    expect((await load(world, { flagSettings: '{"disableAllHooks":true}' })).value['disableAllHooks']).toBe(
      true,
    )
  })

  test('example 88: what a managed file says stands alone in its layer, whatever its type', async () => {
    const world = makeWorld()
    world.write('!/managed-settings.json', { allowManagedHooksOnly: 'yes' })
    world.write('@/.claude/settings.json', { allowManagedHooksOnly: false })
    expect((await load(world)).layer('managed').value['allowManagedHooksOnly']).toBe('yes')
  })

  test('an element says which file and line it comes from, the strongest first', async () => {
    const world = makeWorld()
    const user = world.write(
      '~/.claude/settings.json',
      '{\n  "permissions": {\n    "allow": ["A",\n      "B"]\n  }\n}',
    )
    const local = world.write('@/.claude/settings.local.json', '{ "permissions": { "allow": ["B"] } }')
    const settings = await load(world)
    expect(
      settings
        .entries('permissions.allow')
        .map(({ value, origin }) => [value, origin.file, origin.line, origin.column]),
    ).toEqual([
      ['A', user, 3, 15],
      ['B', local, 1, 30],
    ])
    expect(settings.explain(['permissions', 'allow', 1]).map(({ layer, path }) => [layer, path])).toEqual([
      ['local', ['permissions', 'allow', 0]],
      ['user', ['permissions', 'allow', 1]],
    ])
    expect(settings.explain('permissions.allow[1]')).toHaveLength(2)
    expect([settings.explain('no.such'), settings.entries('permissions'), settings.entries('x')]).toEqual([
      [],
      [],
      [],
    ])
  })
})

describe('settings of the command line (cli.md 2)', () => {
  const rejection = async (world: World, flagSettings: string): Promise<unknown> =>
    load(world, { flagSettings }).then(
      () => 'loaded',
      (error: Error) => error.message,
    )

  test('a file is read relative to the folder, and text that begins with a brace is JSON', async () => {
    const world = makeWorld()
    world.write('@/my.json', '{ "a": 1, /* b */ }')
    expect((await load(world, { flagSettings: 'my.json' })).layer('command-line').files[0]?.path).toBe(
      world.path('@/my.json'),
    )
    expect((await load(world, { flagSettings: ' {"a": 2}' })).value['a']).toBe(2)
    expect((await load(world, { flagSettings: { a: 3 } })).value['a']).toBe(3)
  })

  test('a file over 2 MiB is refused with the documented text', async () => {
    const world = makeWorld()
    const path = world.write('@/big.json', `{"a": "${'x'.repeat(2 * 1024 * 1024)}"}`)
    expect(await rejection(world, path)).toBe(`Settings file exceeds the 2MiB limit: ${path}`)
    expect(await rejection(world, `{"a": "${'x'.repeat(2 * 1024 * 1024)}"}`)).toContain(
      'exceeds the 2MiB limit',
    )
  })

  test('what is missing, no regular file, or no JSON is refused', async () => {
    const world = makeWorld()
    makePipe(world.path('@/pipe'))
    expect(await rejection(world, 'none.json')).toContain('Settings file not found')
    expect(await rejection(world, '.')).toContain('not a regular file')
    expect(await rejection(world, 'pipe')).toContain('not a regular file')
    expect(await rejection(world, '{"a": ')).toContain('Invalid settings: --settings:1:')
    world.write('@/list.json', '[]')
    world.write('@/blank.json', ' ')
    expect(await rejection(world, 'list.json')).toContain('must hold one object')
    expect(await rejection(world, 'blank.json')).toContain('empty')
  })

  test('a bad entry in them costs only itself', async () => {
    const settings = await load(makeWorld(), { flagSettings: '{"permissions": {"allow": ["A", 1]}}' })
    expect(settings.value).toEqual({ permissions: { allow: ['A'] } })
    expect(settings.problems[0]?.layer).toBe('command-line')
  })
})

describe('files that are no files', () => {
  test('a folder, a pipe, a loop of links, a huge or unreadable file costs its own layer only', async () => {
    const world = makeWorld()
    mkdirSync(world.path('~/.claude/settings.json'), { recursive: true })
    mkdirSync(world.path('@/.claude'))
    symlinkSync('settings.json', world.path('@/.claude/settings.json'))
    mkdirSync(world.path('@/.x'))
    makePipe(world.path('@/.x/settings.json'))
    world.write('@/.claude/settings.local.json', `{"a": "${'x'.repeat(2 * 1024 * 1024)}"}`)
    world.write('@/.x/settings.local.json', { fine: true })
    const settings = await load(world)
    expect(settings.value).toEqual({ fine: true })
    expect(settings.problems.map(({ kind, layer }) => [kind, layer])).toEqual([
      ['file', 'local'],
      ['file', 'project'],
      ['file', 'project'],
      ['file', 'user'],
    ])
    for (const { file, message } of settings.problems) expect(message).toContain(file)
  })

  // Root may read everything.
  test.runIf(process.getuid?.() !== 0)('a file without permission to read is a problem', async () => {
    const world = makeWorld()
    chmodSync(world.write('@/.claude/settings.json', {}), 0)
    expect((await load(world)).problems[0]?.message).toContain('make it readable')
  })

  test('a file where a folder should be, and a link to nothing, are as good as none', async () => {
    const world = makeWorld()
    writeFileSync(world.path('@/.claude'), '')
    mkdirSync(world.path('@/.x'))
    symlinkSync('nowhere', world.path('@/.x/settings.json'))
    const settings = await load(world)
    expect([settings.value, settings.problems]).toEqual([{}, []])
  })
})
