// How long the program takes to start, beside bare Node: `--version`, a first headless turn, a job of three turns, a signal.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ScriptEntry, startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'

const main = fileURLToPath(new URL('../dist/main.mjs', import.meta.url))
const rounds = 9
const cwd = mkdtempSync(join(tmpdir(), 'x-bench-start-'))
writeFileSync(join(cwd, 'a.js'), 'export const a = 1\n')

const job: readonly ScriptEntry[] = [
  [toolUse('Grep', { pattern: 'a' }), toolUse('Read', { file_path: 'a.js' })],
  [toolUse('Edit', { file_path: 'a.js', old_string: 'const a', new_string: 'const a ' })],
  [text('Done.')],
]

try {
  const bare = median(() => timed(['-e', '0']))
  report(
    '`--version`, ms',
    median(() => timed([main, '--version'])),
    { bare, target: '<= 2 x bare Node', max: 2 },
  )
  const first = await headless([[text('Hello.')]])
  report('first headless turn, ms over `--version`', first.ms - bare, { target: '<= 500', maxOurs: 500 })
  report('start to first request, ms', first.requestMs, { target: '<= 250', maxOurs: 250 })
  report('first request (system prompt and tools), bytes', first.bytes, {
    target: '<= 20000',
    maxOurs: 20_000,
  })
  report('headless job of three turns, ms', (await headless(job)).ms, {
    bare,
    target: '<= 400',
    maxOurs: 400,
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    report(`${signal} while a command sleeps: exit after, ms`, await signalled(signal), {
      target: '<= 100',
      maxOurs: 100,
    })
  }
  report('size of the bundle, KiB', Math.round(bundleBytes() / 1024), {})
} finally {
  rmSync(cwd, { recursive: true, force: true })
}

interface Beside {
  readonly bare?: number
  readonly target?: string
  /** Greatest ratio. */
  readonly max?: number
  /** Greatest figure of ours. */
  readonly maxOurs?: number
}

function report(figure: string, ours: number, { bare, target, max, maxOurs }: Beside): void {
  const ratio = bare === undefined ? undefined : ours / bare
  const ok =
    max !== undefined && ratio !== undefined
      ? ratio <= max
      : maxOurs === undefined
        ? undefined
        : ours <= maxOurs
  console.log(JSON.stringify({ bench: 'start', figure, ours, bare, ratio, target, ok }))
}

/** All files of the bundle, those that are loaded only when needed too. */
function bundleBytes(): number {
  const folder = dirname(main)
  return readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
}

function timed(args: readonly string[]): number {
  const start = performance.now()
  spawnSync(process.execPath, args, { stdio: 'ignore' })
  return performance.now() - start
}

function median(measure: () => number): number {
  return middle(Array.from({ length: rounds }, measure))
}

function middle(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

/** Runs the job several times; gives the median time, the time to the first request and its size. */
async function headless(script: readonly ScriptEntry[]) {
  const times: number[] = []
  const requestTimes: number[] = []
  let bytes = 0
  for (let round = 0; round < rounds; round++) {
    await using server = await startScriptedServer({ script })
    const began = performance.now()
    const child = launch(server.url, ['-p', 'go', '--permission-mode', 'bypassPermissions'])
    await new Promise((resolve) => child.once('close', resolve))
    times.push(performance.now() - began)
    const [request] = server.requests
    requestTimes.push((request?.arrivedAt ?? began) - began)
    bytes = Buffer.byteLength(JSON.stringify([request?.body.tools, request?.body['system']]))
  }
  return { ms: middle(times), requestMs: middle(requestTimes), bytes }
}

function launch(url: string, args: readonly string[]) {
  return spawn(process.execPath, [main, ...args], {
    cwd,
    env: { ...process.env, X_HOME: join(cwd, '.x'), ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

/** Signals the program while a command sleeps; gives the median time until it has exited. */
async function signalled(signal: 'SIGINT' | 'SIGTERM'): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    await using server = await startScriptedServer({ script: [[toolUse('Bash', { command: 'sleep 30' })]] })
    const args = [
      '-p',
      'go',
      '--output-format',
      'stream-json',
      '--verbose',
      '--permission-mode',
      'bypassPermissions',
    ]
    const child = launch(server.url, args)
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (data: Buffer) => {
        if (data.includes('"phase":"start"')) setTimeout(resolve, 100)
      })
    })
    const began = performance.now()
    child.kill(signal)
    await new Promise((resolve) => child.once('exit', resolve))
    times.push(performance.now() - began)
  }
  return middle(times)
}
