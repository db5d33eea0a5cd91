// A conversation of 200 turns with five calls of 1 KB each over real HTTP: what a late turn costs beside an early one, in CPU of this
// process (the scripted service runs in another), and how much memory it takes. The bare thing: the history made into text each turn.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { defineTool, type Message } from '@x/contract'
import { startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'
import { query } from '@x/session'
import { z } from 'zod'

const turns = 200
const callsPerTurn = 5
const resultText = 'x'.repeat(1_000)

if (process.argv[2] === 'server') await serve()
else await measure()

/** The service: asks for five notes in each turn but the last. */
async function serve(): Promise<void> {
  let turn = 0
  const server = await startScriptedServer({
    pieceLength: 1_000,
    respond: () =>
      ++turn > turns
        ? [text('Done.')]
        : Array.from({ length: callsPerTurn }, () => toolUse('Note', { turn })),
  })
  process.send?.(server.url)
}

async function measure(): Promise<void> {
  const service = fork(fileURLToPath(import.meta.url), ['server'], { execArgv: ['--conditions=@x/source'] })
  const url = await new Promise<string>((resolve) =>
    service.once('message', (message: string) => resolve(message)),
  )
  try {
    const costs = await converse(url)
    const early = average(costs.slice(5, 15))
    const late = average(costs.slice(-10))
    const bare = { early: stringifyCost(10), late: stringifyCost(turns) }
    report('CPU of turn 10, ms', early, { bare: bare.early, target: '<= 2.5', ok: early <= 2.5 })
    report('CPU of turn 200, ms', late, { bare: bare.late, target: '<= 5', ok: late <= 5 })
    const peak = process.resourceUsage().maxRSS / 1024
    report('peak memory, MiB', peak, { target: '<= 130', ok: peak <= 130 })
  } finally {
    service.kill()
  }
}

/** CPU of this process in each turn, in milliseconds. */
async function converse(url: string): Promise<readonly number[]> {
  const note = defineTool({
    name: 'Note',
    description: 'Takes a note.',
    inputSchema: z.strictObject({ turn: z.number() }),
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    call: async () => ({ data: resultText }),
    mapResult: (output, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId, content: output }),
  })
  const costs: number[] = []
  let results = 0
  let before = process.cpuUsage()
  const env = { ANTHROPIC_BASE_URL: url, PATH: process.env['PATH'] }
  for await (const event of query({ prompt: 'Go.', options: { env, extraTools: [note], tools: [] } })) {
    if (event.type !== 'user' || ++results % callsPerTurn !== 0) continue
    const { user, system } = process.cpuUsage(before)
    costs.push((user + system) / 1_000)
    before = process.cpuUsage()
  }
  return costs
}

/** The least that a client does which makes its history into text for each request. */
function stringifyCost(count: number): number {
  const content = Array.from({ length: callsPerTurn }, () => ({ type: 'text' as const, text: resultText }))
  const history = Array.from({ length: count * 2 }, (): Message => ({ role: 'user', content }))
  const before = process.cpuUsage()
  for (let round = 0; round < 10; round++) JSON.stringify(history)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 10_000
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

interface Beside {
  readonly bare?: number
  readonly target: string
  readonly ok: boolean
}

function report(figure: string, ours: number, { bare, target, ok }: Beside): void {
  const ratio = bare === undefined ? undefined : ours / bare
  console.log(JSON.stringify({ bench: 'long-conversation', figure, ours, bare, ratio, target, ok }))
}
