import { loadSettings } from '@x/settings'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sections } from './sections.ts'
import { makeWorld, optionsOf } from './world.ts'

/** Loads one project file and gives what counts of it and what is said about the rest, without the name of the file. */
async function loadText(content: unknown): Promise<{ value: unknown; said: string[] }> {
  const world = makeWorld()
  const file = world.write('@/.claude/settings.json', content)
  const { value, problems } = await loadSettings({ ...optionsOf(world), sections })
  return { value, said: problems.map(({ message }) => message.replace(`${file}:`, '')) }
}

const group = { matcher: 'Bash', hooks: [{ type: 'command', command: 'x' }] }

describe('an entry that its schema refuses costs itself', () => {
  test('example 45, overruled: an array matcher drops only its group', async () => {
    const { value, said } = await loadText({
      hooks: { PreToolUse: [{ ...group, matcher: ['Bash'] }, group] },
      a: 1,
    })
    expect(value).toEqual({ hooks: { PreToolUse: [group] }, a: 1 })
    expect(said).toEqual([
      '5:20: hooks.PreToolUse[0].matcher must be a string, not an array; hooks.PreToolUse[0] is left out until this is corrected',
    ])
  })

  test('example 46: an unknown event is left out with a warning, other hooks stay', async () => {
    const { value, said } = await loadText({ hooks: { PreToolUze: [group], Stop: [group] } })
    expect(value).toEqual({ hooks: { Stop: [group] } })
    expect(said[0]).toContain('hooks.PreToolUze is not known here; check its spelling')
  })

  test('a bad handler costs the handler, a string among handlers costs itself, both shapes may stand side by side', async () => {
    const flat = { type: 'command', command: 'flat' }
    const bad = [
      { type: 'odd' },
      'text',
      { type: 'command', args: ['a', 1] },
      { type: 'command', timeout: '5' },
    ]
    const { value, said } = await loadText({
      hooks: { PreToolUse: [{ hooks: [...bad, ...group.hooks] }, flat, 7, null] },
    })
    expect(value).toEqual({ hooks: { PreToolUse: [{ hooks: group.hooks }, flat] } })
    expect(said).toHaveLength(6)
  })

  test('example 108: unknown keys are kept and nothing is said, at the top, in groups and in handlers', async () => {
    const content = {
      $schema: 'https://example.test/x.json',
      hooks: {
        Stop: [{ id: 1, description: 'd', hooks: [{ type: 'command', command: 'x', rewakeMessage: 'm' }] }],
      },
      permissions: { allow: ['A'], extra: { deep: [1] } },
      tags: ['t'],
    }
    expect(await loadText(content)).toEqual({ value: content, said: [] })
  })

  test('a rule that is no text, a list that is no list, and an unknown mode cost themselves', async () => {
    const { value, said } = await loadText({
      permissions: {
        allow: ['A', 1, null, ['B'], 'C'],
        deny: 'D',
        defaultMode: 'turbo',
        additionalDirectories: {},
      },
    })
    expect(value).toEqual({ permissions: { allow: ['A', 'C'] } })
    expect(said).toContainEqual(
      expect.stringMatching(
        /^\d+:20: permissions.defaultMode must be one of "default", .*, not "turbo"; it is left out/,
      ),
    )
    expect(said).toHaveLength(6)
  })

  test('alternatives, told apart by a key or not, lazy or preprocessed, cost only the handler that fits none', async () => {
    const command = z.looseObject({ type: z.literal('command'), command: z.string() })
    const prompt = z.looseObject({ type: z.literal('prompt'), prompt: z.string() })
    const good = { type: 'command', command: 'a' }
    const bad = [{ type: 'odd' }, { type: 'command' }, {}, 's']
    const content = { hooks: { Stop: [{ hooks: [...bad, good] }, good, ...bad, { matcher: 5, hooks: [] }] } }
    for (const handler of [z.discriminatedUnion('type', [command, prompt]), z.union([command, prompt])]) {
      const group = z.looseObject({ matcher: z.string().optional(), hooks: z.array(handler) })
      const event = z.lazy(() => z.array(z.preprocess((value) => value, z.union([group, handler]))))
      for (const hooks of [z.record(z.string(), event), z.looseObject({ Stop: event.optional() })]) {
        const world = makeWorld()
        world.write('@/.claude/settings.json', content)
        const { value } = await loadSettings({ ...optionsOf(world), sections: { hooks } })
        expect(value).toEqual({ hooks: { Stop: [{ hooks: [good] }, good] } })
      }
    }
  })

  test('half a server is none: a fault inside costs the whole entry', async () => {
    const good = { command: 'a', args: ['b'] }
    const { value } = await loadText({
      mcpServers: { good, bad: { command: 'a', args: ['b', 5] }, none: {} },
    })
    expect(value).toEqual({ mcpServers: { good } })
  })

  test('a variable that is no text costs itself', async () => {
    expect((await loadText({ env: { A: 'a', B: 5, constructor: 'c' } })).value).toEqual({
      env: { A: 'a', constructor: 'c' },
    })
  })

  test('a section of the wrong type costs the section', async () => {
    const { value, said } = await loadText({ hooks: 5, permissions: [], env: null, a: 1 })
    expect(value).toEqual({ a: 1 })
    expect(said).toHaveLength(3)
  })

  test('a schema that throws, or waits, costs its section and says why', async () => {
    const world = makeWorld()
    world.write('@/.claude/settings.json', { a: 1, b: 2, c: 3 })
    const odd = {
      a: z.number().refine(() => {
        throw new Error('broken')
      }),
      b: z.number().refine(async () => true),
    }
    const { value, problems } = await loadSettings({ ...optionsOf(world), sections: odd })
    expect(value).toEqual({ c: 3 })
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('a cannot be checked (broken)'),
      expect.stringContaining('b cannot be checked'),
    ])
  })

  test('schemas check and change nothing: defaults and transforms do not hide a weaker layer', async () => {
    const world = makeWorld()
    world.write('~/.claude/settings.json', { view: { mode: 'dark' } })
    world.write('@/.claude/settings.json', { view: { size: 1 } })
    const view = z.object({
      mode: z.string().default('light'),
      size: z.number().transform(String).optional(),
    })
    const { value } = await loadSettings({ ...optionsOf(world), sections: { view } })
    expect(value).toEqual({ view: { mode: 'dark', size: 1 } })
    expect(view.parse(value.view)).toEqual({ mode: 'dark', size: '1' })
  })
})

describe('text that is not quite JSON', () => {
  test.each([
    ['comments and trailing commas', '// a\n{ /* b */ "a": [1, 2,], // c\n}\n', { a: [1, 2] }],
    ['a byte order mark', '\uFEFF{"a": 1}', { a: 1 }],
    ['UTF-16 with its mark', Buffer.from('\uFEFF{"a": "ü"}', 'utf16le'), { a: 'ü' }],
    ['Windows line ends', '{\r\n  "a": 1\r\n}\r\n', { a: 1 }],
    ['nothing', '', {}],
    ['white space', ' \n ', {}],
    ['a comment alone', '// later', {}],
    ['a // in a string', '{"a": "https://x/*y*/"}', { a: 'https://x/*y*/' }],
  ])('%s is read without a word', async (_name, text, value) => {
    expect(await loadText(text)).toEqual({ value, said: [] })
  })

  test.each([
    [
      'a forgotten comma at the end of a line',
      '{\n  "a": ["x"\n  "y"],\n  "b": 1\n}',
      { a: ['x', 'y'], b: 1 },
      '2:12: a[0] has no comma behind it; add one',
    ],
    [
      'a comma too many',
      '{"a": [1,, 2], "b": 1}',
      { a: [1, 2], b: 1 },
      '1:10: a has a comma too many; remove it',
    ],
    [
      'a word without quotes',
      '{"a": [yes, "x"], "b": 1}',
      { a: ['x'], b: 1 },
      '1:8: a[0] is "yes", which is no JSON; write text in double quotes',
    ],
    [
      'text in single quotes',
      `{"a": ['it is', "x"], "b": 1}`,
      { a: ['x'], b: 1 },
      `1:8: a[0] is "'it is'", which is no JSON; write text in double quotes`,
    ],
    [
      'a bad escape',
      '{"a": ["C:\\dir", "x"], "b": 1}',
      { a: ['x'], b: 1 },
      '1:8: a[0] is text with a bad escape or a control character; write \\\\ for a backslash, \\t for a tab',
    ],
    [
      'a number of another kind',
      '{"a": 0x1f, "b": 1}',
      { b: 1 },
      '1:7: a is "0x1f", which is no JSON; write text in double quotes',
    ],
    [
      'a name without quotes',
      '{a: 1, "b": 1}',
      { b: 1 },
      '1:2: a is left out: write its name in double quotes, with valid escapes',
    ],
    [
      'a closing bracket forgotten at the end',
      '{"b": {"c": 1}\n',
      { b: { c: 1 } },
      '2:1: b is the last entry, and the closing bracket is missing behind it; add it',
    ],
    [
      'a key twice',
      '{"a": 1, "b": 1, "a": 2}',
      { a: 2, b: 1 },
      '1:18: a stands twice; only this last one counts, so make one of both',
    ],
    [
      '__proto__',
      '{"__proto__": {"x": 1}, "b": 1}',
      { b: 1 },
      '1:2: __proto__ is no name for a setting and is left out; remove it',
    ],
    ['a list', '[1]', {}, '1:1: the file must hold one object: { ... }'],
  ])('%s costs its own entry', async (_name, ...[text, value, said]) => {
    expect(await loadText(text)).toEqual({ value, said: [said] })
  })

  test.each([
    [
      'a lost bracket',
      '{"a": 1, "allow": ["x", "deny": ["y", "z"], "b": 1}',
      { a: 1 },
      '1:31: allow is left out and nothing is read behind it: ":" stands where a comma or ] is expected',
    ],
    [
      'a lost quote',
      '{"a": 1, "deny": ["x], "b": ["y"]}',
      { a: 1 },
      `1:25: deny is left out and nothing is read behind it: "b" stands where a comma or ] is expected`,
    ],
    [
      'quotes within text',
      '{"a": 1, "s": "say "hi"", "b": 1}',
      { a: 1 },
      '1:21: s is left out and nothing is read behind it: "hi" stands where a comma or } is expected',
    ],
    [
      'text that never ends',
      '{"a": 1, "s": "abc',
      { a: 1 },
      '1:15: s is left out and nothing is read behind it: "\\"abc" has no end; close it',
    ],
    [
      'a comment that never ends',
      '{"a": 1, /* b',
      { a: 1 },
      '1:10: nothing is read from here on: "/* b" has no end; close it',
    ],
    [
      'a file cut in a value',
      '{"a": 1, "b": {"c": [1',
      { a: 1 },
      '1:23: b is left out and nothing is read behind it: the file ends too early; a bracket is missing',
    ],
    [
      'an unfinished number',
      '{"a": 1, "b": 1',
      { a: 1 },
      '1:16: b is left out and nothing is read behind it: the file ends too early; a bracket is missing',
    ],
    [
      'a bracket too many',
      '{"a": 1}}',
      { a: 1 },
      '1:9: nothing is read from here on: "}" stands behind the closing bracket; check the brackets',
    ],
    ['no JSON at all', 'hello there', {}, ''],
  ])(
    '%s: what stands before counts, nothing is taken for what it is not',
    async (_name, ...[text, value, said]) => {
      const loaded = await loadText(text)
      expect(loaded.value).toEqual(value)
      expect(loaded.said.at(-1)).toContain(said)
      expect(loaded.said).not.toHaveLength(0)
    },
  )

  test('too deep a value costs its entry, at any depth', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const { value, said } = await loadText(`{"a": ["x", ${deep}], "b": 1}`)
    expect(value).toMatchObject({ b: 1, a: { 0: 'x' } })
    expect(said[0]).toContain('is nested more than 64 levels deep and is left out')
    expect((await loadText('{"a":'.repeat(100_000))).value).toEqual({})
  })

  test('a million bad entries neither crash nor take long', async () => {
    for (const unit of ['1,', '{},', 'x,', ',', '[[],', "',", '"']) {
      const text = `{"first": 1, "permissions": {"allow": [${unit.repeat(1_000_000 / unit.length)}]}}`
      const { value, said } = await loadText(text)
      expect(value).toEqual({ first: 1 })
      expect(said.length).toBeLessThan(1200)
    }
  })

  test('no key reaches a prototype', async () => {
    const text =
      '{"__proto__": {"polluted": 1}, "a": {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}}'
    const { value } = await loadText(text)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(value).toEqual({ a: { constructor: { prototype: { polluted: 1 } } } })
  })

  test('a bad word inside a handler costs the whole handler, not only its key', async () => {
    const { value } = await loadText(
      '{"hooks": {"Stop": [{"hooks": [{"type": "command", "if": maybe}, {"type": "command"}]}]}}',
    )
    expect(value).toEqual({ hooks: { Stop: [{ hooks: [{ type: 'command' }] }] } })
  })
})
