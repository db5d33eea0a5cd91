import { execFile } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import {
  isSettingsError,
  loadSettings,
  type SettingsEdit,
  updateSettings,
  updateSettingsFile,
} from '@x/settings'
import { describe, expect, test } from 'vitest'
import { makeWorld, optionsOf, type World } from './world.ts'

const add = (...rules: string[]): SettingsEdit => ({ path: 'permissions.allow', add: rules })

async function edited(before: string, ...edits: SettingsEdit[]): Promise<string> {
  const world = makeWorld()
  const file = world.write('@/s.json', before)
  await updateSettingsFile(file, edits)
  return world.read('@/s.json')
}

async function refusal(file: string, edit: SettingsEdit): Promise<unknown> {
  return updateSettingsFile(file, edit).then(
    () => 'done',
    (error: unknown) =>
      isSettingsError(error) ? [error.code, error.message.replace(dirname(file), '')] : error,
  )
}

describe('the text stays as it is', () => {
  const commented = [
    '// mine',
    '{',
    '\t"permissions": {',
    '\t\t"allow": [ // safe',
    '\t\t\t"A", /* a */',
    '\t\t\t"B" // b',
    '\t\t],',
    '\t},',
    '\t"z": 1, // last',
    '}',
    '',
  ].join('\n')

  test('an added rule stands behind the last one, with its comment and its comma', async () => {
    expect(await edited(commented, add('C', 'A'))).toBe(
      commented.replace('"B" // b\n', '"B", // b\n\t\t\t"C"\n'),
    )
  })

  test('a removed rule takes its comma along and no comment', async () => {
    const edit: SettingsEdit = { path: 'permissions.allow', remove: ['A', 'unknown'] }
    expect(await edited(commented, edit)).toBe(commented.replace('"A", /* a */', '/* a */'))
    expect(await edited(commented, { path: 'permissions.allow', remove: ['B'] })).toBe(
      commented.replace('"A", /* a */\n\t\t\t"B" // b', '"A" /* a */\n\t\t\t// b'),
    )
  })

  test('a new key stands last, a set one where it was, an unset one goes with its line', async () => {
    expect(await edited(commented, { path: 'n', set: { a: [1] } })).toBe(
      commented.replace('// last\n', '// last\n\t"n": {\n\t\t"a": [\n\t\t\t1\n\t\t]\n\t},\n'),
    )
    expect(await edited(commented, { path: 'z', set: true })).toBe(commented.replace('"z": 1', '"z": true'))
    expect(await edited('{\n  "a": 1,\n  "b": 2\n}\n', { path: 'b', unset: true })).toBe('{\n  "a": 1\n}\n')
    expect(await edited('{\n  "a": 1,\n  "b": 2\n}\n', { path: 'a', unset: true })).toBe('{\n  "b": 2\n}\n')
  })

  test.each([
    ['one line', '{"permissions":{"allow":["A"]}}', '{"permissions":{"allow":["A", "C"]}}'],
    [
      'Windows line ends',
      '{\r\n    "a": 1\r\n}',
      '{\r\n    "a": 1,\r\n    "permissions": {\r\n        "allow": [\r\n            "C"\r\n        ]\r\n    }\r\n}',
    ],
    [
      'no line end at the end',
      '{\n  "a": 1\n}',
      '{\n  "a": 1,\n  "permissions": {\n    "allow": [\n      "C"\n    ]\n  }\n}',
    ],
    ['a byte order mark', '\uFEFF{"permissions":{"allow":[]}}', '\uFEFF{"permissions":{"allow":["C"]}}'],
    ['an empty object', '{}', '{\n  "permissions": {\n    "allow": [\n      "C"\n    ]\n  }\n}'],
    ['an empty file', '', '{\n  "permissions": {\n    "allow": [\n      "C"\n    ]\n  }\n}\n'],
    [
      'a lone comment',
      '// soon',
      '// soon\n{\n  "permissions": {\n    "allow": [\n      "C"\n    ]\n  }\n}\n',
    ],
    [
      'an empty list with a comment',
      '{\n  "permissions": {\n    "allow": [\n      // none\n    ]\n  }\n}',
      '{\n  "permissions": {\n    "allow": [\n      // none\n      "C"\n    ]\n  }\n}',
    ],
  ])('%s', async (_name, before, after) => {
    expect(await edited(before, add('C'))).toBe(after)
  })

  test('an edit that changes nothing does not write', async () => {
    const world = makeWorld()
    const file = world.write('@/s.json', commented)
    utimesSync(file, 1, 1)
    expect(
      await updateSettingsFile(file, [add('A'), { path: 'z', set: 1 }, { path: 'q', unset: true }]),
    ).toEqual({ file, isChanged: false, isNew: false })
    expect(statSync(file).mtimeMs).toBe(1000)
  })
})

describe('the right file', () => {
  test('is told to be new when it was not there before', async () => {
    const world = makeWorld()
    const update = () => updateSettings('local', add('A'), optionsOf(world))
    expect(await update()).toMatchObject({ isChanged: true, isNew: true })
    expect(await update()).toMatchObject({ isChanged: false, isNew: false })
    expect(await updateSettings('local', add('B'), optionsOf(world))).toMatchObject({
      isChanged: true,
      isNew: false,
    })
  })

  const targetOf = async (world: World, layer: 'user' | 'project' | 'local'): Promise<string> =>
    (await updateSettings(layer, add('A'), optionsOf(world))).file

  test('folders and files are made, and loading gives the edit', async () => {
    const world = makeWorld()
    expect(await targetOf(world, 'user')).toBe(world.path('~/.x/settings.json'))
    expect(await targetOf(world, 'project')).toBe(world.path('@/.claude/settings.json'))
    expect(await targetOf(world, 'local')).toBe(world.path('@/.claude/settings.local.json'))
    const settings = await loadSettings(optionsOf(world))
    expect(settings.explain('permissions.allow').map(({ layer }) => layer)).toEqual([
      'local',
      'project',
      'user',
    ])
  })

  test('the file in .x is written where there is one', async () => {
    const world = makeWorld()
    world.write('@/.x/settings.local.json', {})
    expect(await targetOf(world, 'local')).toBe(world.path('@/.x/settings.local.json'))
  })

  test('a link stays a link, also to a file that does not exist yet, and the mode stays', async () => {
    const world = makeWorld()
    const real = world.write('@/real.json', '{}')
    chmodSync(real, 0o640)
    symlinkSync('real.json', world.path('@/link.json'))
    symlinkSync('folder/new.json', world.path('@/dangling.json'))
    await updateSettingsFile(world.path('@/link.json'), add('A'))
    await updateSettingsFile(world.path('@/dangling.json'), add('A'))
    expect(lstatSync(world.path('@/link.json')).isSymbolicLink()).toBe(true)
    expect(lstatSync(world.path('@/dangling.json')).isSymbolicLink()).toBe(true)
    expect(statSync(real).mode & 0o777).toBe(0o640)
    expect(JSON.parse(world.read('@/folder/new.json'))).toEqual(JSON.parse(world.read('@/real.json')))
    expect(readdirSync(world.path('@/folder'))).toEqual(['new.json'])
  })

  test('another layer is refused', async () => {
    // @ts-expect-error managed settings are not written
    await expect(updateSettings('managed', add('A'))).rejects.toThrow('layer must be user, project or local')
  })
})

describe('refusals leave the file alone', () => {
  test.each([
    [
      '{"a": 1',
      [
        'file-unparsable',
        '/s.json is not changed, because it cannot be parsed at line 1, column 8; correct it first: a is left out and nothing is read behind it: the file ends too early; a bracket is missing',
      ],
    ],
    ['{"a": 1, "a": 2}', ['file-unparsable', expect.stringContaining('a stands twice')]],
    [
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      ['file-unparsable', expect.stringContaining('save it as UTF-8 first')],
    ],
    [
      '[]',
      [
        'edit-impossible',
        '/s.json is not changed: the file has no place for permissions.allow; correct the file or the edit',
      ],
    ],
    [
      '{"permissions": 5}',
      ['edit-impossible', expect.stringContaining('permissions has no place for allow')],
    ],
    [
      '{"permissions": {"allow": "A"}}',
      ['edit-impossible', expect.stringContaining('permissions.allow is no list')],
    ],
  ])('%s', async (content, refused) => {
    const world = makeWorld()
    const file = world.write('@/s.json', content)
    expect(await refusal(file, add('A'))).toEqual(refused)
    expect(world.read('@/s.json')).toBe(content.toString())
    expect(readdirSync(world.project)).toEqual(['.git', 's.json'])
  })

  test('a folder in its place, a loop of links, a file below a file', async () => {
    const world = makeWorld()
    mkdirSync(world.path('@/s.json'))
    symlinkSync('loop.json', world.path('@/loop.json'))
    writeFileSync(world.path('@/file'), '')
    expect(await refusal(world.path('@/s.json'), add('A'))).toMatchObject([
      'file-unreadable',
      expect.any(String),
    ])
    expect(await refusal(world.path('@/loop.json'), add('A'))).toMatchObject([
      'write-failed',
      expect.any(String),
    ])
    expect(await refusal(world.path('@/file/s.json'), add('A'))).toMatchObject([
      'write-failed',
      expect.any(String),
    ])
  })

  test('edits that are no JSON, or lead to no setting, are wrong use', async () => {
    const file = makeWorld().write('@/s.json', '{}')
    for (const edit of [
      { path: 'a', set: undefined },
      { path: 'a', set: new Date() },
      { path: '', set: 1 },
      { path: ['a', '__proto__'], set: 1 },
    ]) {
      await expect(updateSettingsFile(file, edit)).rejects.toThrow(TypeError)
    }
  })
})

describe('at the same time', () => {
  test('forty updates in one process all arrive', async () => {
    const world = makeWorld()
    const rules = Array.from({ length: 40 }, (_, index) => `R${index}`)
    await Promise.all(rules.map((rule) => updateSettings('local', add(rule), optionsOf(world))))
    expect((await loadSettings(optionsOf(world))).entries('permissions.allow')).toHaveLength(40)
    expect(readdirSync(world.path('@/.claude'))).toEqual(['settings.local.json'])
  })

  test('updates of three processes all arrive', async () => {
    const world = makeWorld()
    const file = world.path('@/.claude/settings.json')
    const script = `import { updateSettingsFile } from '@x/settings'
      for (let i = 0; i < 8; i += 1) await updateSettingsFile(process.argv[1], { path: 'list', add: [process.argv[2] + i] })`
    const run = promisify(execFile)
    await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        run(
          process.execPath,
          ['--conditions=@x/source', '--import', 'tsx', '--input-type=module', '-e', script, file, name],
          { cwd: import.meta.dirname },
        ),
      ),
    )
    expect((await loadSettings(optionsOf(world))).value['list']).toHaveLength(24)
  })

  test('a lock that a dead process left is taken over', async () => {
    const world = makeWorld()
    const file = world.write('@/s.json', '{}')
    utimesSync(world.write('@/s.json.lock', ''), 1, 1)
    await updateSettingsFile(file, add('A'))
    expect(readdirSync(world.project)).toEqual(['.git', 's.json'])
  })
})
