import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeWorld } from './world.ts'

async function shown(text: string): Promise<string> {
  const world = makeWorld()
  world.write('@/CLAUDE.md', text)
  return (await world.load()).files[0]?.text ?? ''
}

test('example 39: a comment on its own lines is not sent', async () => {
  expect(await shown('before\n<!-- note -->\nafter')).toBe('before\nafter')
  expect(await shown('before\n\n<!--\nnote\n\nmore\n-->\n\nafter')).toBe('before\n\n\nafter')
})

test.each([
  ['a comment in a fence', '```html\n<!-- kept -->\n```'],
  ['a comment in a fence without an end', 'x\n~~~\n<!-- kept -->'],
  ['a comment in a code span', 'write `<!-- kept -->` so'],
  ['a comment in indented code', 'x\n\n    <!-- kept -->'],
  ['a comment within a line', 'a <!-- kept --> b'],
  ['a comment with text behind it', '<!-- kept --> text'],
  ['a comment over lines with text behind it', '<!-- kept\n--> text\n```\nx\n```'],
  ['a comment without an end', 'a\n<!-- kept\nb'],
  ['a comment in a quote', '> <!-- kept -->'],
  ['a fence in a list', '- x\n  ```\n  <!-- kept -->\n  ```'],
])('%s stays', async (_what, text) => {
  expect(await shown(text)).toBe(text)
})

test.each([
  ['two in a line', 'a\n<!-- 1 --> <!-- 2 -->\nb'],
  ['a short one', 'a\n<!-->\nb'],
  ['one with a fence in it', 'a\n<!--\n```\n-->\nb'],
  ['one that is indented a little', 'a\n   <!-- x -->  \nb'],
  ['one behind a fence', 'a\n<!-- x -->\nb'],
])('%s goes', async (_what, text) => {
  expect(await shown(text)).toBe('a\nb')
})

const piece = fc.constantFrom(
  '<!--',
  '-->',
  '<!-- x -->',
  '```',
  '~~~',
  '`',
  ' ',
  '    ',
  '- ',
  '> ',
  '1. ',
  'a',
  '#',
)
const line = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''))
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'))

test('what was cleaned has nothing more to clean', async () => {
  const world = makeWorld()
  const batch = fc.array(text, { minLength: 30, maxLength: 30 })
  const clean = async (texts: readonly string[]): Promise<readonly string[]> => {
    const paths = texts.map((one, index) => world.write(`@/.claude/rules/${index}.md`, one))
    const { files } = await world.load()
    return paths.map((path) => files.find((file) => file.path === path)?.text ?? '')
  }
  // The blank line in front keeps the text from being front matter.
  await fc.assert(
    fc.asyncProperty(batch, async (texts) => {
      const once = await clean(texts.map((one) => `\n${one}`))
      expect(await clean(once.map((one) => `\n${one}`))).toEqual(once)
    }),
    { numRuns: 20 },
  )
})

test('fenced code arrives as it is, whatever stands around it', async () => {
  const world = makeWorld()
  const comment = fc.constantFrom('', '<!-- x -->', '<!--\n```\n-->', 'text\n', '- item\n\n', '<!-- a --> b')
  const code = fc.array(fc.constantFrom('<!-- kept -->', '-->', '<!--', '  x', '', '~~~', '@no.md'), {
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(comment, code, comment, async (before, lines, after) => {
      const block = ['```', ...lines, '```'].join('\n')
      world.write('@/CLAUDE.md', `${before}\n${block}\n${after}`)
      const { files } = await world.load()
      expect(files[0]?.text).toContain(block)
      expect(files).toHaveLength(1)
    }),
    { numRuns: 100 },
  )
})

// Anything worse than proportional time would take minutes.
test('a large hostile file loads before the test runs out of time', async () => {
  const parts = ['<!--\n', '`', '@a ', '<!-- ', '> ', '- ', '@`', '\\`', '``` ', '--> ', '[', '<!-->', '* ']
  for (const part of parts) {
    const text = part.repeat(Math.floor((250 * 1024) / part.length))
    const expected = part === '<!-->' ? '' : text.trimEnd()
    expect((await shown(text)) === expected).toBe(true)
  }
})

// A text without an import and without a comment is not looked at.
test('a large hostile file with an import loads before the test runs out of time', async () => {
  const parts = [
    '- ',
    '* ',
    '1. ',
    '> ',
    '>',
    '- > ',
    '\t',
    '    ',
    '- \n',
    '> \n',
    '`',
    '~~~\n',
    '```\n',
    '# ',
    '-',
    '@`',
    '<!',
    '<!-->',
    '<!--->',
    '<!-- -->',
    '--> ',
    '\\',
  ]
  for (const part of parts) {
    const half = part.repeat(Math.floor((120 * 1024) / part.length))
    for (const text of [`${half}${half}x @a`, `${half}x @a${'\n'.repeat(120 * 1024)}x`]) {
      expect((await shown(text)).trim().length).toBe(text.trim().length)
    }
  }
})

// In Markdown it ends no line, in an expression it does.
test('a long fence that a line separator breaks loads before the test runs out of time', async () => {
  const text = `<!-- x -->\n${'~'.repeat(240 * 1024)}\u2028x`
  expect((await shown(text)) === text.slice('<!-- x -->\n'.length)).toBe(true)
})
