import { rmSync } from 'node:fs'
import { loadSettings, updateSettingsFile } from '@x/settings'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { jsonText, jsonValue, settingsValue } from './random-settings.ts'
import { sections } from './sections.ts'
import { makeFolder, optionsOf, type World, worldIn } from './world.ts'

/** One world for all runs of a property; each run writes the same files anew. */
function sharedWorld(): World {
  const root = makeFolder()
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return worldIn(root)
}

const project = '@/.claude/settings.json'

test('comments, white space and trailing commas change nothing', async () => {
  const world = sharedWorld()
  const sample = settingsValue.chain((value) => jsonText(value).map((text) => ({ value, text })))
  await fc.assert(
    fc.asyncProperty(sample, async ({ value, text }) => {
      world.write(project, text)
      const settings = await loadSettings(optionsOf(world))
      expect([settings.value, settings.problems]).toEqual([value, []])
    }),
    { numRuns: 150 },
  )
})

test('no damage makes loading reject or touch a prototype, and each problem names its place', async () => {
  const world = sharedWorld()
  const damage = fc.record({
    at: fc.nat(),
    length: fc.constantFrom(0, 0, 1, 5),
    text: fc.oneof(
      fc.string({ maxLength: 3, unit: 'binary' }),
      fc.constantFrom('"', '{', ']', ',', '\\', '/*', "'", '"__proto__":', '\n'),
    ),
  })
  const sample = settingsValue.chain((value) =>
    fc.record({ text: jsonText(value), damages: fc.array(damage, { maxLength: 3 }) }),
  )
  await fc.assert(
    fc.asyncProperty(sample, async ({ text, damages }) => {
      const broken = damages.reduce((before, { at, length, text }) => {
        const offset = at % (before.length + 1)
        return before.slice(0, offset) + text + before.slice(offset + length)
      }, text)
      const file = world.write(project, broken)
      const { problems, value } = await loadSettings({ ...optionsOf(world), sections })
      for (const { message, line, column } of problems)
        expect(message).toContain(`${file}:${line}:${column}: `)
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect(Reflect.get({}, 'polluted')).toBeUndefined()
    }),
    { numRuns: 300 },
  )
})

test('good rules and hook groups survive bad ones beside them, in their order', async () => {
  const world = sharedWorld()
  const good = fc.string().map((rule) => ({ good: true, text: JSON.stringify(rule), value: rule }))
  const bad = fc
    .constantFrom(
      '5',
      'null',
      '[]',
      '{}',
      'yes',
      "'single'",
      '"\\q"',
      '0x1',
      'undefined',
      `${'['.repeat(99)}${']'.repeat(99)}`,
    )
    .map((text) => ({ good: false, text, value: text }))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(good, bad)), async (rules) => {
      const groups = rules.map(({ good, text }) => `{"matcher": ${good ? text : '["x"]'}, "hooks": []}`)
      const list = rules.map(({ text }) => text).join(',')
      world.write(
        project,
        `{"permissions": {"deny": [${list}]}, "hooks": {"Stop": [${groups.join(',')}]}, "last": 1}`,
      )
      const { value } = await loadSettings({ ...optionsOf(world), sections })
      const kept = rules.filter(({ good }) => good).map(({ value }) => value)
      expect(value['last']).toBe(1)
      expect(value.permissions?.deny).toEqual(kept)
      expect(value.hooks?.Stop).toEqual(kept.map((matcher) => ({ matcher, hooks: [] })))
    }),
    { numRuns: 150 },
  )
})

test('sections that stand before a cut survive it, wherever it is', async () => {
  const world = sharedWorld()
  const first = { permissions: { deny: ['A', 'B'] }, model: 'm' }
  const text = JSON.stringify(
    { ...first, hooks: { Stop: [{ matcher: 'x', hooks: [] }] }, z: [1, 'y', { q: true }] },
    undefined,
    1,
  )
  const from = text.indexOf('"hooks"')
  for (let end = from; end < text.length; end += 1) {
    world.write(project, text.slice(0, end))
    const { value, problems } = await loadSettings({ ...optionsOf(world), sections })
    expect(value).toMatchObject(first)
    expect(problems).not.toEqual([])
  }
})

test('merging is associative and forgets nothing: objects deep, lists united', async () => {
  const world = sharedWorld()
  const lists = fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.array(fc.constantFrom(1, 2, 'x', 'y', true)),
    { maxKeys: 3 },
  )
  const layer = fc.record({ deep: fc.record({ lists, name: fc.string() }), lists })
  const merge = async (...values: unknown[]): Promise<unknown> => {
    const files = ['~/.claude/settings.json', '~/.x/settings.json', project]
    files.forEach((file, index) => world.write(file, values[index] ?? {}))
    return (await loadSettings(optionsOf(world))).value
  }
  await fc.assert(
    fc.asyncProperty(layer, layer, layer, async (a, b, c) => {
      const all = await merge(a, b, c)
      expect(await merge(await merge(a, b), c)).toEqual(all)
      expect(await merge(a, await merge(b, c))).toEqual(all)
      expect(await merge(a)).toEqual(a)
    }),
    { numRuns: 60 },
  )
})

test('an update gives the edit, leaves every other value, comment and byte order, and removing it again gives the text back', async () => {
  const world = sharedWorld()
  const sample = settingsValue.chain((value) => jsonText(value).map((text) => ({ value, text })))
  await fc.assert(
    fc.asyncProperty(sample, jsonValue, async ({ value, text }, added) => {
      const file = world.write('@/s.json', text)
      await updateSettingsFile(file, { path: 'new', set: added })
      const once = world.read('@/s.json')
      world.write(project, once)
      const { value: loaded, problems } = await loadSettings(optionsOf(world))
      expect([loaded, problems]).toEqual([{ ...value, new: added }, []])
      expect(isSubsequence(text, once)).toBe(true)
      await updateSettingsFile(file, { path: 'new', unset: true })
      world.write(project, world.read('@/s.json'))
      expect((await loadSettings(optionsOf(world))).value).toEqual(value)
      expect(commentsOf(world.read('@/s.json'))).toEqual(commentsOf(text))
    }),
    { numRuns: 100 },
  )
})

test('rules are added and removed one by one as in a plain list, and comments stay', async () => {
  const world = sharedWorld()
  const rule = fc.constantFrom('A', 'B', 'C', 'Bash(echo "x, y" # // z)', '/* no comment */')
  const edit = fc.record({ rule, isAdded: fc.boolean() })
  const start = fc
    .uniqueArray(rule)
    .chain((rules) => jsonText({ p: { allow: rules }, z: 1 }).map((text) => ({ rules, text })))
  await fc.assert(
    fc.asyncProperty(start, fc.array(edit, { maxLength: 6 }), async ({ rules, text }, edits) => {
      const file = world.write('@/s.json', text)
      const expected = new Set(rules)
      for (const { rule, isAdded } of edits) {
        await updateSettingsFile(file, {
          path: 'p.allow',
          ...(isAdded ? { add: [rule] } : { remove: [rule] }),
        })
        if (isAdded) expected.add(rule)
        else expected.delete(rule)
      }
      world.write(project, world.read('@/s.json'))
      expect((await loadSettings(optionsOf(world))).value).toEqual({ p: { allow: [...expected] }, z: 1 })
      expect(commentsOf(world.read('@/s.json'))).toEqual(commentsOf(text))
    }),
    { numRuns: 100 },
  )
})

/** The text is changed by insertions alone, but for white space. */
function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (const character of part.replaceAll(/\s/g, '')) {
    at = whole.indexOf(character, at) + 1
    if (at === 0) return false
  }
  return true
}

/** How many comments of the generated kinds there are. */
function commentsOf(text: string): number {
  return text.split('/* c, } ] " */').length + text.split('// l: { "').length
}
