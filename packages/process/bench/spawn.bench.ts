import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProcess, startProcess } from '@x/process'

// Ours beside Node's spawn doing the same work, in turns, so that both meet the same machine. Medians, milliseconds.

const folder = mkdtempSync(join(tmpdir(), 'process-bench-'))
const stdin = JSON.stringify({ event: 'PreToolUse', input: 'x'.repeat(1000) })
const inlineModule = ['--conditions=@x/source', '--input-type=module', '-e']
const hook = 'read line; echo "{}"'

await compare('spawn, no shell', { rounds: 200, target: 1.15 }, ['true', []])
await compare('spawn, no shell, JSON in and out', { rounds: 200, target: 1.15 }, ['cat', []])
await compare('one hook through a shell, JSON in and out', { rounds: 200, target: 1.15 }, [
  'sh',
  ['-c', hook],
])
await compareTen()
await compareOutput()
await measureHostExit()
await measureLargeHost()
rmSync(folder, { recursive: true })

type Command = readonly [string, readonly string[]]

async function compare(
  figure: string,
  { rounds, target }: { rounds: number; target: number },
  [command, args]: Command,
): Promise<void> {
  const ours = (): Promise<unknown> => runProcess(command, args, { stdin })
  const bare = (): Promise<unknown> => runBare(command, args)
  print(figure, await inTurns(rounds, ours, bare), target)
}

async function compareTen(): Promise<void> {
  const ten = (run: () => Promise<unknown>) => (): Promise<unknown> =>
    Promise.all(Array.from({ length: 10 }, run))
  const ours = ten(() => runProcess('sh', ['-c', hook], { stdin }))
  const bare = ten(() => runBare('sh', ['-c', hook]))
  print('ten hooks at once', await inTurns(30, ours, bare), 1.15)
}

async function compareOutput(): Promise<void> {
  const script = 'yes 0123456789 | head -c 50000000'
  const path = join(folder, 'output')
  const ours = (): Promise<unknown> =>
    runProcess('sh', ['-c', script], { output: { to: 'file', path, maxFileBytes: 1e9 } })
  const bare = async (): Promise<void> => {
    const descriptor = openSync(path, 'w')
    await exitOf(spawn('sh', ['-c', script], { stdio: ['ignore', descriptor, descriptor] }))
    closeSync(descriptor)
  }
  const emptied = (work: () => Promise<unknown>) => async (): Promise<void> => {
    rmSync(path, { force: true })
    await work()
  }
  print('50 MB of output to a file', await inTurns(10, emptied(ours), emptied(bare)), 1.15)
  const memory = { to: 'memory', maxBytes: 100_000 } as const
  const throughMemory = (): Promise<unknown> => runProcess('sh', ['-c', script], { output: memory })
  print('50 MB of output to memory, beside a file', await inTurns(10, throughMemory, emptied(bare)))
  for (const output of [{ to: 'file', path }, memory]) {
    const code = `
      import { runProcess } from '@x/process'
      await runProcess('sh', ['-c', '${script}'], { output: ${JSON.stringify(output)} })
      process.stdout.write(String(process.resourceUsage().maxRSS))`
    const { stdout } = await runProcess(process.execPath, [...inlineModule, code], {
      cwd: import.meta.dirname,
    })
    const ours = Number(stdout.text) / 1024
    report(`50 MB of output to ${output.to}: peak memory of the host, MiB`, {
      ours,
      target: '<= 150',
      ok: ours <= 150,
    })
  }
}

/** The time from SIGTERM to the exit of a host that has a command asleep and ends in its handler. */
async function measureHostExit(): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const code = `
      import { startProcess } from '@x/process'
      startProcess('sh', ['-c', 'sleep 300 & setsid sleep 300'], { output: { to: 'file', path: '/dev/null' } })
      process.on('${signal}', () => process.exit(0))
      process.stdout.write('ready')`
    const times: number[] = []
    let left = 0
    for (let round = 0; round < 5; round += 1) {
      const host = startProcess(process.execPath, [...inlineModule, code], { cwd: import.meta.dirname })
      while (host.captured().stdout.text === '') await new Promise((resolve) => setTimeout(resolve, 5))
      const start = performance.now()
      process.kill(host.pid ?? 0, signal)
      const exit = await host.exited
      times.push(performance.now() - start)
      left += exit.leftovers.ended + exit.leftovers.kept.length
    }
    const ours = median(times)
    report(`${signal} while a command sleeps: host exit`, {
      ours,
      target: '<= 100 ms, 0 left',
      ok: ours <= 100 && left === 0,
    })
  }
}

/** What a large host pays: forking copies its page tables. */
async function measureLargeHost(): Promise<void> {
  const ballast = Array.from({ length: 16 }, () => Buffer.alloc(2 ** 26, 1))
  const times = await inTurns(
    20,
    () => runProcess('true'),
    () => runBare('true', []),
  )
  print(`spawn from a host with ${ballast.length / 16} GiB`, times, 1.15)
}

async function runBare(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: 'pipe' })
  child.stdout.on('data', () => {})
  child.stderr.on('data', () => {})
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  await new Promise((resolve) => child.on('close', resolve))
}

function exitOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.on('exit', resolve))
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
    if (round < 0) continue
    times.ours.push(oursMs)
    times.bare.push(bareMs)
  }
  return { ours: median(times.ours), bare: median(times.bare) }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function print(figure: string, { ours, bare }: Times, target?: number): void {
  const ratio = ours / bare
  const goal = target === undefined ? {} : { target: `<= ${target} x`, ok: ratio <= target }
  report(figure, { ours, bare, ratio, ...goal })
}

function report(figure: string, facts: Readonly<Record<string, number | string | boolean>>): void {
  const rounded = Object.entries(facts).map(([name, value]) => [
    name,
    typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
  ])
  console.log(JSON.stringify({ bench: 'process', figure, ...Object.fromEntries(rounded) }))
}
