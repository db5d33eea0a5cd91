import { realpathSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import * as fc from 'fast-check'
import { parse, postprocess, preprocess } from 'micromark'
import { expect, test } from 'vitest'
import { makeWorld } from './world.ts'

/** Tells where code of some kind is, as a whole CommonMark parser sees it. */
function findCode(text: string, types: readonly string[]): (offset: number) => boolean {
  const events = postprocess(
    parse()
      .document()
      .write(preprocess()(text, undefined, true)),
  )
  const code = events.flatMap(([kind, { type, start, end }]) =>
    kind === 'enter' && types.includes(type) ? [[start.offset, end.offset] as const] : [],
  )
  return (offset) => code.some(([start, end]) => start <= offset && offset < end)
}

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: 5 }).map((index) => ` @f${index}.txt `) },
  { weight: 2, arbitrary: fc.constantFrom('`', '``', ' ` ', '```', '~~~', '````', '\\`', '\\') },
  fc.constantFrom('word', '- ', '> ', '1. ', '2. ', '* ', '  ', '    ', '# ', '---', '==='),
)
const line = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''))
const markdown = fc
  .array(line, { minLength: 1, maxLength: 9 })
  .map((lines) => lines.join('\n'))
  // The other parser does not see this list, though nothing stands before it in its container.
  .filter((text) => !/[-*>] +2\. /.test(text))

/** A text, what may be imported from it, and what must be. */
function judge(text: string): { readonly allowed: ReadonlySet<string>; readonly needed: readonly string[] } {
  const isCode = findCode(text, ['codeFenced', 'codeText'])
  // Below a list, what is indented is rarely code: a mention there counts, but not between backticks.
  const isIndented = findCode(text, ['codeIndented'])
  const mentions = [...text.matchAll(/(?<=\s|^)@(f\d\.txt)/g)].filter(({ index }) => !isCode(index))
  const namesOf = (found: typeof mentions): readonly string[] => found.map(([, name = '']) => name)
  // Where a numbered list may begin in the middle of other things, parsers disagree; then only the first promise holds.
  const isClear = !/\d\. /.test(text)
  return {
    allowed: new Set(namesOf(mentions)),
    needed: isClear ? namesOf(mentions.filter(({ index }) => !isIndented(index))) : [],
  }
}

const textsPerRun = 25
const factor = Number(process.env['FC_RUNS'] ?? 1)
const timeoutMs = 60_000 * factor

/** Many texts at a time, each a rule in a folder of its own: looking for files takes longer than the scanning. */
test('imports are exactly the mentions that CommonMark calls neither a code span nor fenced code', {
  timeout: timeoutMs,
}, async () => {
  const world = makeWorld()
  for (let folder = 0; folder < textsPerRun; folder += 1)
    for (let index = 0; index < 6; index += 1) world.write(`@/.claude/rules/${folder}/f${index}.txt`, 'text')
  const texts = fc.array(markdown, { minLength: textsPerRun, maxLength: textsPerRun })
  await fc.assert(
    fc.asyncProperty(texts, async (texts) => {
      const rules = texts.map((text, folder) => world.write(`@/.claude/rules/${folder}/r.md`, `\n\n${text}`))
      const { files } = await world.load()
      for (const [folder, text] of texts.entries()) {
        const own = files.filter(({ parentFilePath }) => parentFilePath === rules[folder])
        const imported = new Set(own.map(({ path }) => basename(path)))
        const { allowed, needed } = judge(text)
        expect([text, [...imported].filter((name) => !allowed.has(name))]).toEqual([text, []])
        expect([text, needed.filter((name) => !imported.has(name))]).toEqual([text, []])
      }
    }),
    { numRuns: 20 * factor },
  )
})

/** Files of the project and outside of it that import each other in any way, by paths and links. */
const graph = fc.array(
  fc.record({
    isOutside: fc.boolean(),
    isLink: fc.boolean(),
    imports: fc.array(fc.record({ to: fc.nat({ max: 9 }), way: fc.constantFrom('path', 'home', 'link') }), {
      maxLength: 5,
    }),
  }),
  { minLength: 1, maxLength: 10 },
)

test('any graph of files ends, loads nothing twice, at most four hops away, and nothing outside unasked', {
  timeout: timeoutMs,
}, async () => {
  await fc.assert(
    fc.asyncProperty(graph, fc.func(fc.boolean()), async (nodes, mayImport) => {
      const world = makeWorld()
      const placeOf = (index: number): string =>
        nodes[index]?.isOutside === true ? `~/n${index}.md` : `@/n${index}.md`
      for (const [index, node] of nodes.entries()) {
        const lines = node.imports.map(({ to, way }) => {
          if (way === 'link') return `@${world.project}/link${to}.md`
          return way === 'home' ? `@~/n${to}.md` : `@${world.path(placeOf(to))}`
        })
        world.write(placeOf(index), `node ${index}\n${lines.join('\n')}`)
        world.link(`@/link${index}.md`, world.path(placeOf(index)))
      }
      world.write('@/CLAUDE.md', '@link0.md')
      const approved = new Set<string>()
      const { files } = await world.load({
        isApproved: ({ path }) => {
          const isApproved = mayImport(path.slice(world.root.length))
          if (isApproved) approved.add(path)
          return isApproved
        },
      })
      const byPath = new Map(files.map((file) => [file.path, file]))
      const real = files.map(({ path }) => realpathSync(path))
      expect(new Set(real).size).toBe(files.length)
      expect(real.filter((path) => !path.startsWith(`${world.project}/`) && !approved.has(path))).toEqual([])
      for (const file of files) {
        let hops = 0
        for (let one = file; one.parentFilePath !== undefined; hops += 1)
          one = byPath.get(one.parentFilePath) ?? one
        expect(hops).toBeLessThanOrEqual(4)
      }
      rmSync(world.root, { recursive: true })
    }),
    { numRuns: 60 * factor },
  )
})
