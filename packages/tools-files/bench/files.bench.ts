/** Read's first page and one edit, each beside the least that has to be done. */
import { createReadStream } from 'node:fs'
import { appendFile, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
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
  await benchEdit(join(cwd, 'source.txt'))
  await benchRead(join(cwd, 'large.txt'))
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
  const ours = await median(async () => {
    await read.call({ file_path: path, limit: 2000 }, makeContext(), nobody, message, () => {})
  })
  const grown = (process.memoryUsage().rss - before) / MEBIBYTE
  const bare = await median(() => readBare(path))
  report('read 2,000 lines of 50 MB, ms', { ours, bare, target: '<= 4', ok: ours <= 4 })
  const peak = process.resourceUsage().maxRSS / 1024
  report('the same, growth of resident memory, MiB', {
    ours: grown,
    bare: 0,
    target: '<= 25',
    ok: grown <= 25,
  })
  report('the same, peak of the whole process with tsx, MiB', { ours: peak, bare: 0, target: '-', ok: true })
}

async function benchEdit(path: string): Promise<void> {
  const line = `${'x'.repeat(49)}\n`
  const half = line.repeat(50_000)
  await writeFile(path, `${half}needle 0\n${half}`)
  const context = makeContext()
  const read = createReadTool()
  const edit = createEditTool()
  await read.call({ file_path: path, limit: 2 }, context, nobody, message, () => {})
  markAsSeen(context, path)
  let round = 0
  const ours = await median(async () => {
    const input = { file_path: path, old_string: `needle ${round}\n`, new_string: `needle ${++round}\n` }
    await edit.call(input, context, nobody, message, () => {})
  })
  const bare = await median(() => copyFile(path, `${path}.copy`))
  report('edit in 5 MB, ms (bare: copyFile)', { ours, bare, target: '<= 15', ok: ours <= 15 })
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

async function median(work: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return times.toSorted((left, right) => left - right)[ROUNDS >> 1] ?? 0
}

function report(
  figure: string,
  { ours, bare, ...rest }: { ours: number; bare: number; target: string; ok: boolean },
): void {
  const round = (value: number): number => Math.round(value * 100) / 100
  const ratio = bare === 0 ? 0 : round(ours / bare)
  console.log(
    JSON.stringify({ bench: 'files', figure, ours: round(ours), bare: round(bare), ratio, ...rest }),
  )
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
