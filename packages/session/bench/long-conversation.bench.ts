// A conversation of 200 turns with five calls of 1 KB each over real HTTP: what a late turn costs beside an early one in CPU, and how
// much memory it takes at its peak, from the start of the process. Three processes: the scripted service, our client, and beside it the
// least code that can hold the same conversation. Both clients run as users run them, as JavaScript on the built packages: run from the
// sources, Node's stripping of types would count as theirs. Rounds of the two take turns; medians.
import { fork, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'

const turns = 200
const callsPerTurn = 5
const rounds = 3

interface Costs {
  /** CPU of each turn, in milliseconds. */
  readonly costs: readonly number[]
  readonly peakMiB: number
}

if (process.argv[2] === 'server') await serve()
else await measure()

/** The service: asks for five notes in each turn but the last of a conversation. */
async function serve(): Promise<void> {
  const server = await startScriptedServer({
    pieceLength: 1_000,
    respond: ({ body }) => {
      const turn = (body.messages.length + 1) / 2
      return turn > turns
        ? [text('Done.')]
        : Array.from({ length: callsPerTurn }, () => toolUse('Note', { turn }))
    },
  })
  process.send?.(server.url)
}

async function measure(): Promise<void> {
  const ours: Costs[] = []
  const bare: Costs[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await withService((url) => converse('ours', url)))
    bare.push(await withService((url) => converse('bare', url)))
  }
  const early = ({ costs }: Costs): number => average(costs.slice(5, 15))
  const late = ({ costs }: Costs): number => average(costs.slice(-10))
  const peak = ({ peakMiB }: Costs): number => peakMiB
  const compare = (figure: string, pick: (costs: Costs) => number, most: number): void =>
    report(figure, { ours: median(ours.map(pick)), bare: median(bare.map(pick)), most })
  compare('CPU of turn 10, ms', early, 2.5)
  compare('CPU of turn 200, ms', late, 5)
  compare('peak memory, MiB', peak, 130)
}

async function withService(use: (url: string) => Promise<Costs>): Promise<Costs> {
  const service = fork(fileURLToPath(import.meta.url), ['server'], { execArgv: ['--conditions=@x/source'] })
  const url = await new Promise<string>((resolve) =>
    service.once('message', (message: string) => resolve(message)),
  )
  try {
    return await use(url)
  } finally {
    service.kill()
  }
}

/** Holds the conversation in a process of its own. */
async function converse(client: 'ours' | 'bare', url: string): Promise<Costs> {
  const folder = new URL('long-conversation/', import.meta.url)
  const code = stripTypeScriptTypes(readFileSync(new URL(`${client}.ts`, folder), 'utf8'))
  const args = ['--input-type=module', '-e', code, url, String(callsPerTurn)]
  const child = spawn(process.execPath, args, {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = await child.stdout.setEncoding('utf8').toArray()
  const costs: Costs = JSON.parse(output.join(''))
  if (costs.costs.length !== turns) throw new Error(`${client}: ${costs.costs.length} turns of ${turns}`)
  return costs
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

function report(figure: string, { ours, bare, most }: { ours: number; bare: number; most: number }): void {
  const ratio = ours / bare
  console.log(
    JSON.stringify({
      bench: 'long-conversation',
      figure,
      ours,
      bare,
      ratio,
      target: `<= ${most}`,
      ok: ours <= most,
    }),
  )
}
