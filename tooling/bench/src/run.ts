// Runs the benchmarks one after the other, each in a process of its own, and writes docs/benchmarks.md when all were asked for.
// Arguments name the ones to run (`overlap`, `abort-tree`); none means all.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Figure, parseFigures } from './figure.ts'
import { renderPage } from './table.ts'

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
const files = listBenchmarks()
const wanted = process.argv.slice(2)
const chosen = files.filter((file) => wanted.length === 0 || wanted.includes(basename(file, '.bench.ts')))
if (chosen.length === 0) {
  console.error(
    `No such benchmark. There are: ${files.map((file) => basename(file, '.bench.ts')).join(', ')}.`,
  )
  process.exit(2)
}
const figures = chosen.flatMap(runBenchmark)
const page = renderPage(figures)
console.log(page)
if (wanted.length === 0) writeFileSync(join(root, 'docs', 'benchmarks.md'), page)
const missed = figures.filter(({ ok }) => ok === false)
for (const { bench, figure, ours, target } of missed)
  console.log(`missed: ${bench}: ${figure}: ${ours}, wanted ${target}`)
process.exitCode = missed.length > 0 ? 1 : 0

function listBenchmarks(): readonly string[] {
  return ['packages', 'apps']
    .flatMap((group) => readdirSync(join(root, group)).map((folder) => join(root, group, folder, 'bench')))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.bench.ts'))
    .sort((one, other) => basename(one).localeCompare(basename(other)))
}

function runBenchmark(file: string): readonly Figure[] {
  console.error(`running ${basename(file, '.bench.ts')} ...`)
  const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', '--conditions=@x/source', file]
  const done = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const found = parseFigures(done.stdout)
  if (done.status === 0 && found.length > 0) return found
  console.error(`${file} failed with ${done.status ?? done.signal}:\n${done.stdout}`)
  return [{ bench: basename(file, '.bench.ts'), figure: 'did not run', ours: 0, ok: false }]
}
