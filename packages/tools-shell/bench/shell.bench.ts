import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolUseContext } from '@x/contract'
import { createBashTool } from '@x/tools-shell'

// Ours beside a bare spawn of the same shell for the same command, in turns, so that both meet the same machine. Medians, in
// milliseconds.

const folder = mkdtempSync(join(tmpdir(), 'tools-shell-bench-'))
const bash = createBashTool({ outputFolder: join(folder, 'out'), shell: '/bin/bash', usesStartupFile: false })
const context: ToolUseContext = {
  cwd: folder,
  toolUseId: 'toolu_1',
  messages: [],
  options: { tools: [], model: 'm', isNonInteractive: true, projectDir: folder },
  abortController: new AbortController(),
  chain: { id: 'c', depth: 0 },
  files: { get: () => undefined, set: () => {}, delete: () => {} },
  getState: (key) => key.initial(),
  setState: () => {},
}

await compareSimple()
await measureLargeOutput()
measurePredicates()
rmSync(folder, { recursive: true })

async function compareSimple(): Promise<void> {
  const times = await inTurns(
    100,
    () => run('echo hi'),
    () => runBare('echo hi'),
  )
  report('simple command', {
    ...times,
    ratio: times.ours / times.bare,
    target: '<= 2 x',
    ok: times.ours <= 2 * times.bare,
  })
}

async function measureLargeOutput(): Promise<void> {
  const command = 'yes 0123456789 | head -c 50000000'
  await run(command)
  const before = process.memoryUsage().rss
  const times = await inTurns(
    10,
    () => run(command),
    () => runBare(command),
  )
  const grownMib = (process.memoryUsage().rss - before) / 2 ** 20
  report('50 MB of output', {
    ...times,
    ratio: times.ours / times.bare,
    target: '<= 300 ms',
    ok: times.ours <= 300,
  })
  const totalMib = process.memoryUsage().rss / 2 ** 20
  report('50 MB of output: growth of resident memory, MiB', {
    ours: grownMib,
    target: '<= 20',
    ok: grownMib <= 20,
  })
  report('50 MB of output: resident memory, MiB', { ours: totalMib, target: '<= 150', ok: totalMib <= 150 })
}

function measurePredicates(): void {
  const input = { command: 'git status && ls -la | grep src && cat package.json' }
  bash.isReadOnly?.(input)
  const startedAt = performance.now()
  for (let round = 0; round < 100_000; round += 1) bash.isConcurrencySafe?.(input)
  const ours = (performance.now() - startedAt) / 100
  report('asking about a known command, microseconds', { ours, target: '<= 5', ok: ours <= 5 })
}

function run(command: string): Promise<unknown> {
  return bash.call(
    { command },
    context,
    async () => ({ behavior: 'allow', reason: { type: 'mode', detail: 'bench' } }),
    { role: 'assistant', content: [] },
    () => {},
  )
}

async function runBare(command: string): Promise<void> {
  const path = join(folder, 'bare')
  const descriptor = openSync(path, 'w')
  const child = spawn('/bin/bash', ['-c', command], {
    stdio: ['ignore', descriptor, descriptor],
    detached: true,
  })
  await new Promise((resolve) => child.on('exit', resolve))
  closeSync(descriptor)
  rmSync(path)
}

interface Times {
  readonly ours: number
  readonly bare: number
}

async function inTurns(
  rounds: number,
  ours: () => Promise<unknown>,
  bare: () => Promise<unknown>,
): Promise<Times> {
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  for (let round = -3; round < rounds; round += 1) {
    const [oursMs, bareMs] = [await timed(ours), await timed(bare)]
    removeOutput()
    if (round < 0) continue
    times.ours.push(oursMs)
    times.bare.push(bareMs)
  }
  return { ours: median(times.ours), bare: median(times.bare) }
}

/** Long outputs stay on disk; nobody needs them here. */
function removeOutput(): void {
  for (const name of readdirSync(join(folder, 'out'))) rmSync(join(folder, 'out', name))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function report(figure: string, facts: Readonly<Record<string, number | string | boolean>>): void {
  const rounded = Object.entries(facts).map(([name, value]) => [
    name,
    typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
  ])
  console.log(JSON.stringify({ bench: 'shell', figure, ...Object.fromEntries(rounded) }))
}
