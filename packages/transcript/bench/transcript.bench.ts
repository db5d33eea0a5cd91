// What a record costs beside the bare write of its bytes, and what opening a transcript of 100 MB costs: whole, and where the end is enough.
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Message, repairHistory } from '@x/contract'
import { createSessionStore, openTranscript, readTranscript } from '@x/transcript'

const TURNS = 1_000
const LARGE_BYTES = 100 * 1_024 * 1_024
const LIMIT_TURN_RATIO = 4
const LIMIT_LATE = 1.5
const LIMIT_NOTE_US = 10
const LIMIT_WHOLE = 2
const LIMIT_END_MS = 20
const LIMIT_END_MIB = 32
const sessionId = '00000000-0000-4000-8000-000000000001'

const folder = mkdtempSync(join(tmpdir(), 'x-transcript-bench-'))
try {
  await benchAppend()
  await benchNotes()
  await benchLarge()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** A turn as agents have them: an answer with a call, a result of 1 KB. */
function makeTurn(turn: number): readonly Message[] {
  const id = `toolu_${turn}`
  return [
    {
      role: 'assistant',
      id: `msg_${turn}`,
      content: [
        { type: 'text', text: 'I look at the next file.' },
        { type: 'tool_use', id, name: 'Read', input: { file_path: `/project/${turn}.ts` } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'x'.repeat(1_024) }] },
  ]
}

async function benchAppend(): Promise<void> {
  await appendTurns(join(folder, 'warm-up.jsonl'))
  const path = join(folder, 'turns.jsonl')
  const ours = await appendTurns(path)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const bare = await appendBare(lines)
  const perTurn = median(ours)
  ratio(
    `one turn of three records, ${TURNS} of them (us; bare: one writeSync of the same bytes)`,
    [perTurn, bare.sync],
    {
      limit: LIMIT_TURN_RATIO,
    },
  )
  ratio('the same beside fs.promises.appendFile (us)', [perTurn, bare.async], { limit: 1 })
  ratio(`turn ${TURNS} beside turn 10 (us)`, [median(ours.slice(-50)), median(ours.slice(5, 55))], {
    limit: LIMIT_LATE,
  })
}

/** Appends the turns, each in one call; gives the microseconds of each. */
async function appendTurns(path: string): Promise<readonly number[]> {
  await using transcript = await openTranscript(path, {
    facts: () => ({ cwd: '/project', version: '1', gitBranch: 'main' }),
  })
  await transcript.append([{ role: 'user', content: 'Go' }])
  const times: number[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    const messages = makeTurn(turn)
    const start = performance.now()
    await transcript.append(messages)
    times.push((performance.now() - start) * 1_000)
  }
  return times
}

async function appendBare(lines: readonly string[]): Promise<{ sync: number; async: number }> {
  const descriptor = openSync(join(folder, 'bare.jsonl'), 'a')
  const [sync, async]: [number[], number[]] = [[], []]
  for (let index = 1; index < lines.length; index += 3) {
    const text = `${lines.slice(index, index + 3).join('\n')}\n`
    const start = performance.now()
    writeSync(descriptor, text)
    const middle = performance.now()
    await appendFile(join(folder, 'bare-async.jsonl'), text)
    sync.push((middle - start) * 1_000)
    async.push((performance.now() - middle) * 1_000)
  }
  closeSync(descriptor)
  return { sync: median(sync), async: median(async) }
}

async function benchNotes(): Promise<void> {
  await using transcript = await openTranscript(join(folder, 'notes.jsonl'))
  for (let sequence = 0; sequence < 1_000; sequence += 1) transcript.noteSequence(sequence)
  const start = performance.now()
  for (let sequence = 1_000; sequence < 21_000; sequence += 1) transcript.noteSequence(sequence)
  const us = (performance.now() - start) / 20
  print({
    figure: 'the number of an event that passes by (us)',
    ours: us,
    target: `<= ${LIMIT_NOTE_US}`,
    ok: us <= LIMIT_NOTE_US,
  })
}

async function benchLarge(): Promise<void> {
  const store = createSessionStore({ stateFolder: folder })
  const { path } = await store.place('/project', sessionId)
  await writeLarge(path)
  const end = await measure(async () => {
    await using transcript = await openTranscript(path)
    if (transcript.report.isWhole || transcript.messages.length < 3) throw new Error('not the end')
  })
  const listing = await measure(() => store.latest('/project'))
  limit(`open ${mib(statSync(path).size)} MiB behind a compaction (ms)`, end.ms, { limit: LIMIT_END_MS })
  limit('its memory beyond what the process had (MiB)', end.mib, { limit: LIMIT_END_MIB })
  limit('list it (ms)', listing.ms, { limit: LIMIT_END_MS })
  limit('its memory beyond what the process had (MiB)', listing.mib, { limit: LIMIT_END_MIB })
  const whole = join(folder, 'whole.jsonl')
  writeWhole(whole)
  const [ours, bare] = [await measure(() => readTranscript(whole)), await measure(() => parseBare(whole))]
  ratio(
    `load ${mib(statSync(whole).size)} MiB whole as a valid history (ms; bare: read, split, parse, check)`,
    [ours.ms, bare.ms],
    { limit: LIMIT_WHOLE },
  )
  print({ figure: 'its peak memory beyond what the process had (MiB)', ours: ours.mib })
}

/** A long session, then a compaction and a few turns. */
async function writeLarge(path: string): Promise<void> {
  await using transcript = await openTranscript(path)
  await transcript.append([{ role: 'user', content: 'Go' }])
  for (let turn = 0; statSync(path).size < LARGE_BYTES; turn += 1) {
    await transcript.append([...Array(20).keys()].flatMap((index) => makeTurn(turn * 20 + index)))
  }
  const summary: Message = { role: 'user', content: 'What was done so far.' }
  await transcript.appendCompaction({ trigger: 'auto', preTokens: 100_000, messages: [summary] })
  for (let turn = 0; turn < 20; turn += 1) await transcript.append(makeTurn(1e7 + turn))
}

/** The same without the compaction: all of it is needed. */
function writeWhole(path: string): void {
  const descriptor = openSync(path, 'a')
  let parent: string | null = null
  for (let turn = 0, size = 0; size < LARGE_BYTES; turn += 1) {
    let lines = ''
    for (const message of [
      ...makeTurn(turn),
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'On' },
    ]) {
      const uuid: string = crypto.randomUUID()
      const fields = { isSidechain: false, sessionId, cwd: '/project', timestamp: '2026-01-01T00:00:00.000Z' }
      lines += `${JSON.stringify({ type: message.role, uuid, parentUuid: parent, ...fields, message })}\n`
      parent = uuid
    }
    size += writeSync(descriptor, lines)
  }
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** The least that gives a history which may be sent: the lines as they stand, and the one check that all share. */
async function parseBare(path: string): Promise<unknown> {
  const lines = (await readFile(path, 'utf8')).split('\n')
  const messages = lines.flatMap((line): Message[] => (line === '' ? [] : [JSON.parse(line).message]))
  return repairHistory(messages)
}

/** The least time of some runs, and how far the process's memory grew beyond its peak before. */
async function measure(run: () => Promise<unknown>): Promise<{ ms: number; mib: number }> {
  globalThis.gc?.()
  const before = process.resourceUsage().maxRSS
  const times: number[] = []
  for (let time = 0; time < 3; time += 1) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  return { ms: Math.min(...times), mib: (process.resourceUsage().maxRSS - before) / 1_024 }
}

function ratio(
  figure: string,
  [ours, bare]: readonly [number, number],
  options: { readonly limit: number },
): void {
  const times = ours / bare
  print({ figure, ours, bare, ratio: times, target: `<= ${options.limit} x`, ok: times <= options.limit })
}

function limit(figure: string, ours: number, options: { readonly limit: number }): void {
  print({ figure, ours, target: `<= ${options.limit}`, ok: ours <= options.limit })
}

function print(figure: Record<string, unknown>): void {
  console.log(JSON.stringify({ bench: 'transcript', ...figure }))
}

function mib(bytes: number): number {
  return Math.round(bytes / 1_024 / 1_024)
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
