/** Read's first page and one edit, each beside the least that has to be done. */
import { createReadStream } from 'node:fs'
import { appendFile, copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AssistantMessage, CanUseTool, ToolUseContext } from '@x/contract'
import { createEditTool, createFileReadCache, createReadTool } from '@x/tools-files'

const ROUNDS = 25
const MEBIBYTE = 1024 * 1024

const message: AssistantMessage = { role: 'assistant', content: [] }
const nobody: CanUseTool = async () => ({
  behavior: 'deny',
  message: '',
  reason: { type: 'mode', detail: '' },
})

const cwd = await mkdtemp(join(tmpdir(), 'files-bench-'))
try {
  await benchRead(join(cwd, 'large.txt'))
  // Gone before it is written back, which would slow down the next.
  await rm(join(cwd, 'large.txt'))
  await benchEdit(join(cwd, 'source.txt'))
} finally {
  await rm(cwd, { recursive: true, force: true })
}

async function benchRead(path: string): Promise<void> {
  const block = Array.from({ length: 20_000 }, (_, index) => `line ${index} of a file that is long\n`).join(
    '',
  )
  for (let size = 0; size < 50 * MEBIBYTE; size += block.length) await appendFile(path, block)
  const read = createReadTool()
  const before = process.memoryUsage().rss
  const [ours, bare] = await medians(
    async () => {
      await read.call({ file_path: path, limit: 2000 }, makeContext(), nobody, message, () => {})
    },
    () => readBare(path),
  )
  const grown = (process.memoryUsage().rss - before) / MEBIBYTE
  report('read 2,000 lines of 50 MB, ms', { ours, bare, target: '<= 4 ms', ok: ours <= 4 })
  // Node alone takes about 50 MiB, so the whole stays below 70.
  report('the same 25 times, growth of resident memory, MiB', {
    ours: grown,
    target: '<= 20 MiB',
    ok: grown <= 20,
  })
}

async function benchEdit(path: string): Promise<void> {
  const line = `${'x'.repeat(49)}\n`
  const half = line.repeat(50_000)
  await writeFile(path, `${half}needle 0\n${half}`)
  await copyFile(path, `${path}.bare`)
  const context = makeContext()
  const read = createReadTool()
  const edit = createEditTool()
  await read.call({ file_path: path, limit: 2 }, context, nobody, message, () => {})
  markAsSeen(context, path)
  let edits = 0
  const [ours, bare] = await medians(
    async () => {
      const input = { file_path: path, old_string: `needle ${edits}\n`, new_string: `needle ${++edits}\n` }
      await edit.call(input, context, nobody, message, () => {})
    },
    () => editBare(`${path}.bare`),
  )
  // On a busy machine the ratio counts.
  const ok = ours <= Math.max(15, bare * 1.2)
  report('edit in 5 MB, ms (bare: the least code, on bytes with rename)', {
    ours,
    bare,
    target: '<= 15 ms, or 1.2 x',
    ok,
  })
  const [, copy] = await medians(
    async () => {},
    () => copyFile(path, `${path}.copy`),
  )
  report('edit in 5 MB, ms (bare: copyFile)', { ours, bare: copy, target: '-', ok: true })
}

/** Finds the needle, and writes what is before it, itself and what is after it. */
async function editBare(path: string): Promise<void> {
  const bytes = await readFile(path)
  const at = bytes.indexOf('needle 0')
  await writeFile(
    `${path}.tmp`,
    Buffer.concat([bytes.subarray(0, at), Buffer.from('needle 0'), bytes.subarray(at + 8)]),
  )
  await rename(`${path}.tmp`, path)
}

/** Five megabytes are more than one answer of Read may hold, so a Read alone cannot allow the edit. */
function markAsSeen(context: ToolUseContext, path: string): void {
  const state = context.files.get(path)
  if (state !== undefined) context.files.set(path, { ...state, isPartialView: false })
}

async function readBare(path: string): Promise<void> {
  let lines = 0
  for await (const chunk of createReadStream(path)) {
    for (const byte of chunk) if (byte === 10) lines++
    if (lines >= 2000) break
  }
}

/** Turn by turn, so that both have the same neighbours on the machine. */
async function medians(ours: () => Promise<void>, bare: () => Promise<void>): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let turn = 0; turn < ROUNDS; turn++) {
    times[0].push(await measure(ours))
    times[1].push(await measure(bare))
  }
  return [median(times[0]), median(times[1])]
}

async function measure(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function median(times: readonly number[]): number {
  return times.toSorted((left, right) => left - right)[times.length >> 1] ?? 0
}

function report(
  figure: string,
  { bare, ...rest }: { ours: number; bare?: number; target: string; ok: boolean },
): void {
  const ours = round(rest.ours)
  const beside = bare === undefined ? {} : { bare: round(bare), ratio: round(rest.ours / bare) }
  console.log(JSON.stringify({ bench: 'files', figure, ...rest, ours, ...beside }))
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function makeContext(): ToolUseContext {
  return {
    cwd,
    toolUseId: 'call',
    messages: [],
    options: { tools: [], model: 'none', isNonInteractive: true, projectDir: cwd },
    abortController: new AbortController(),
    chain: { id: 'chain', depth: 0 },
    files: createFileReadCache(),
    getState: (key) => key.initial(),
    setState: () => {},
  }
}
