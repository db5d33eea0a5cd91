/**
 * A million children of one parent, beside the other ways to make a child. `--quick` makes a fifth, `--table` prints the
 * whole comparison for the decision page.
 *
 * Each way is measured in a process of its own: dropped (made, polled), listened (listened to, undone, dropped), what is
 * kept of it on the heap and on the parent, and who hears the abort after garbage collection.
 */
import { execFileSync } from 'node:child_process'
import { getEventListeners, setMaxListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createAbortController, createChildAbortController } from '@x/abort'
import { type Child, listenerPerChild, weakController, weakWithRegistry } from './other-ways.ts'

interface Figures {
  readonly droppedNs: number
  readonly listenedNs: number
  readonly keptBytes: number
  readonly listenersLeft: number
  readonly heldController: boolean
  readonly heldSignal: boolean
  readonly heldListener: boolean
}

type MakeChild = (parent: AbortController) => Child

const quick = process.argv.includes('--quick')
const count = quick ? 200_000 : 1_000_000

const ways: Record<string, { readonly count: number; readonly create: MakeChild }> = {
  ours: { count, create: createChildAbortController },
  'AbortSignal.any': { count, create: ({ signal }) => ({ signal: AbortSignal.any([signal]) }) },
  // Quadratic where children are not undone one by one, hence fewer.
  'listener per child': { count: Math.min(count, 10_000), create: listenerPerChild },
  'WeakRef to the controller': { count: Math.min(count, 10_000), create: weakController },
  'WeakRef and FinalizationRegistry': { count: Math.min(count, 200_000), create: weakWithRegistry },
}

const only = process.argv.find((argument) => argument.startsWith('--way='))?.slice('--way='.length)
if (only === undefined) report()
else console.log(JSON.stringify(await measure(only)))

function report(): void {
  const figures = new Map(Object.keys(ways).map((way) => [way, inOwnProcess(way)]))
  const [ours, bare] = [figures.get('ours'), figures.get('AbortSignal.any')]
  if (ours === undefined || bare === undefined) throw new Error('a way was not measured')
  const limits = [
    { figure: `${count} children dropped`, value: 'droppedNs', limit: 500, unit: 'ns of CPU each' },
    {
      figure: `${count} children listened to and dropped`,
      value: 'listenedNs',
      limit: 1_500,
      unit: 'ns of CPU each',
    },
    { figure: 'heap kept of them', value: 'keptBytes', limit: 1_000_000, unit: 'bytes' },
    { figure: 'listeners left on the parent', value: 'listenersLeft', limit: 0, unit: 'listeners' },
  ] as const
  for (const { figure, value, limit, unit } of limits) {
    const [own, other] = [ours[value], bare[value]]
    const ratio = own === other ? 1 : Number((own / other).toFixed(3))
    const target = `<= ${limit} ${unit}`
    console.log(
      JSON.stringify({
        bench: 'abort-tree',
        figure,
        ours: own,
        bare: other,
        ratio,
        target,
        ok: own <= limit,
      }),
    )
  }
  if (process.argv.includes('--table')) console.log(table(figures))
}

function inOwnProcess(way: string): Figures {
  const script = process.argv[1] ?? ''
  const flags = quick ? ['--quick'] : []
  return JSON.parse(
    execFileSync(process.execPath, [...process.execArgv, script, `--way=${way}`, ...flags], {
      encoding: 'utf8',
    }),
  )
}

async function measure(name: string): Promise<Figures> {
  const way = ways[name]
  if (way === undefined) throw new Error(`unknown way: ${name}`)
  const parent = name === 'ours' ? createAbortController() : new AbortController()
  setMaxListeners(0, parent.signal)
  const listener = (): void => {}
  const drop = (): void => void way.create(parent).signal.aborted
  const listen = (): void => {
    const { signal } = way.create(parent)
    signal.addEventListener('abort', listener)
    signal.removeEventListener('abort', listener)
  }
  await time(drop, Math.min(way.count / 5, 20_000))
  await time(listen, Math.min(way.count / 5, 20_000))
  const before = await heapUsed()
  const droppedNs = await time(drop, way.count)
  const listenedNs = await time(listen, way.count)
  return {
    droppedNs,
    listenedNs,
    keptBytes: Math.max(0, (await heapUsed()) - before),
    listenersLeft: getEventListeners(parent.signal, 'abort').length,
    heldController: await hears(way.create, 'child'),
    heldSignal: await hears(way.create, 'signal'),
    heldListener: await hears(way.create, 'nothing'),
  }
}

/** CPU of all threads, the collector's too, so that a busy machine does not show. */
async function time(run: () => void, times: number): Promise<number> {
  const begin = process.cpuUsage()
  for (let done = 0; done < times; done += 1) {
    run()
    // As a real session does, let finalizers and the collector have their turns.
    if (done % 10_000 === 9_999) await setImmediate()
  }
  const { user, system } = process.cpuUsage(begin)
  return Math.round(((user + system) / times) * 1e3)
}

async function heapUsed(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  for (let round = 0; round < 5; round += 1) {
    await setImmediate()
    collect()
  }
  return process.memoryUsage().heapUsed
}

async function hears(create: MakeChild, keep: 'child' | 'signal' | 'nothing'): Promise<boolean> {
  const parent = new AbortController()
  let heard = false
  const kept = (() => {
    const child = create(parent)
    child.signal.addEventListener('abort', () => {
      heard = true
    })
    return { child, signal: child.signal, nothing: undefined }[keep]
  })()
  await heapUsed()
  parent.abort()
  // Reading it afterwards is what keeps it until now.
  return heard && (keep === 'nothing' || kept !== undefined)
}

function table(figures: ReadonlyMap<string, Figures>): string {
  const word = (hears: boolean): string => (hears ? 'hears' : '**deaf**')
  const rows = [...figures].map(([way, figure]) => {
    const { droppedNs, listenedNs, keptBytes, listenersLeft } = figure
    const kept = Math.round(keptBytes / ((ways[way]?.count ?? 1) * 2))
    const ears = [figure.heldController, figure.heldSignal, figure.heldListener].map(word)
    return `| ${[way, droppedNs, listenedNs, kept, listenersLeft, ...ears].join(' | ')} |`
  })
  return [
    '| way | dropped, ns | listened and dropped, ns | kept, bytes a child | listeners left | controller held | signal held | listener left |',
    '| --- | --: | --: | --: | --: | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
