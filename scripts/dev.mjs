#!/usr/bin/env node
// The launcher behind `npm start`, `npm test`, `npm run check` and `npm run bench`.
// It alone runs on whatever Node the machine has (>= 20) and needs no packages: it installs what the lock file names
// (Node 24 and pnpm come as pinned packages), builds what is out of date and hands over to the pinned Node.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules', '.bin')
const isWindows = process.platform === 'win32'
const pinnedNode = join(root, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node')
const stampDir = join(root, 'node_modules', '.x')

const commands = { start, test, check, bench, install: () => 0 }

const [name = 'start', ...rest] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (command === undefined) {
  console.error(`Unknown command ${name}. There are: ${Object.keys(commands).join(', ')}.`)
  process.exit(2)
}
ensureInstalled()
process.exitCode = await command(rest[0] === '--' ? rest.slice(1) : rest)

/** Runs the CLI: its demo without arguments, else with the arguments as given, in the folder the user stands in. */
function start(args) {
  ensureBuilt()
  const cli = join(root, 'apps', 'cli', 'dist', 'main.mjs')
  const cwd = process.env.INIT_CWD ?? process.cwd()
  return handOver(pinnedNode, [cli, ...(args.length > 0 ? args : ['demo'])], { cwd })
}

/** Runs every test; apps are tested against their built output. */
async function test(args) {
  ensureBuilt()
  return handOver(pinnedNode, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args])
}

/** Runs the checks, all of them or those named. */
function check(args) {
  return handOver(pinnedNode, [join(root, 'tooling', 'checks', 'src', 'run.ts'), ...args])
}

/** Runs the benchmarks, all of them or those named, and writes docs/benchmarks.md when all ran. */
function bench(args) {
  ensureBuilt()
  return handOver(pinnedNode, ['--expose-gc', join(root, 'tooling', 'bench', 'src', 'run.ts'), ...args])
}

function ensureInstalled() {
  const wanted = digest(
    ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'].map((file) => join(root, file)),
  )
  if (existsSync(pinnedNode) && readStamp('install') === wanted) return
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  console.error('Installing what the lock file names (once) ...')
  run('npm', [
    'exec',
    '--yes',
    '--package',
    packageManager,
    '--',
    'pnpm',
    'install',
    '--frozen-lockfile',
    '--reporter=silent',
  ])
  writeStamp('install', wanted)
}

function ensureBuilt() {
  const sources = ['packages', 'apps'].flatMap((folder) => sourceFiles(join(root, folder)))
  const wanted = `${readStamp('install')} ${fingerprint(sources)}`
  if (existsSync(join(root, 'apps', 'cli', 'dist', 'main.mjs')) && readStamp('build') === wanted) return
  console.error('Building ...')
  run(join(bin, 'turbo'), ['run', 'build', '--output-logs=errors-only', '--no-update-notifier'], {
    quiet: true,
  })
  writeStamp('build', wanted)
}

/** All that a build reads, without what a build or a test writes. */
function sourceFiles(folder) {
  const skipped = new Set(['node_modules', 'dist', 'test', 'bench', 'examples', '.turbo'])
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? sourceFiles(path) : [path]
  })
}

function fingerprint(files) {
  const hash = createHash('sha256')
  for (const file of files.sort()) {
    const { mtimeMs, size } = statSync(file)
    hash.update(`${file}\0${mtimeMs}\0${size}\n`)
  }
  return hash.digest('hex')
}

function digest(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(existsSync(file) ? readFileSync(file) : '')
  return hash.digest('hex')
}

function readStamp(stamp) {
  const file = join(stampDir, stamp)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function writeStamp(stamp, text) {
  mkdirSync(stampDir, { recursive: true })
  writeFileSync(join(stampDir, stamp), text)
}

/** Runs a preparing step to its end; its output is shown only when it fails. */
function run(program, args, { quiet = false } = {}) {
  const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit']
  const done = spawnSync(program, args, {
    cwd: root,
    env: environment(),
    stdio,
    shell: isWindows,
    maxBuffer: 1 << 28,
  })
  if (done.status === 0) return
  if (quiet) process.stderr.write(`${done.stdout}${done.stderr}`)
  console.error(
    `${program} ${args.join(' ')} failed${done.error === undefined ? '' : `: ${done.error.message}`}.`,
  )
  process.exit(1)
}

/** Runs the command itself on the pinned Node, with our terminal and our signals; resolves with its exit code. */
function handOver(program, args, { cwd = root } = {}) {
  const child = spawn(program, args, { cwd, env: environment(), stdio: 'inherit' })
  const forward = (signal) => child.kill(signal)
  // The terminal sends Ctrl-C to the whole foreground group; the child answers it, we wait for the child.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, forward)
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)))
  })
}

function environment() {
  const path = [dirname(pinnedNode), bin, process.env.PATH ?? ''].join(delimiter)
  return { ...process.env, PATH: path, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }
}
