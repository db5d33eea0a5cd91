import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionEvent } from '@x/contract'
import { type RecordedRequest, startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'
import { createSessionStore, readEvents, readTranscript } from '@x/transcript'
import { expect, it } from 'vitest'
import { Cli, parseLines, type Running } from './cli.ts'

/** A job of so many steps, each of which leaves one line in a file. */
const steps = 8
const kills = 200
/** Runs at the same time: the machine of a check has two cores. */
const lanes = 3

interface Block {
  readonly type: string
  readonly id?: string
  readonly tool_use_id?: string
  readonly is_error?: boolean
  readonly input?: { readonly command?: string }
}

function blocksOf({ body }: RecordedRequest): readonly Block[] {
  return body.messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content,
  ) as readonly Block[]
}

/** The model goes by the conversation alone: a step that it has asked for is not asked for again. */
function respond(request: RecordedRequest) {
  const asked = blocksOf(request).filter(({ type }) => type === 'tool_use').length
  if (asked >= steps) return [text('All done.')]
  const two = asked % 3 === 2 && asked + 1 < steps
  const call = (step: number) => toolUse('Bash', { command: `echo ${step} >> log` })
  return [text(`Step ${asked}.`), call(asked), ...(two ? [call(asked + 1)] : [])]
}

/** Numbers that a failing run can be repeated with. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

interface Story {
  kills: number
  readonly seen: SessionEvent[]
  readonly requests: readonly RecordedRequest[]
}

/** Runs the job, killing the program again and again, until it is done; checks what came of it. */
async function tell(next: () => number, mayKill: () => boolean): Promise<number> {
  await using server = await startScriptedServer({ respond, eventDelayMs: 2 })
  await using cli = new Cli(server, {})
  const store = createSessionStore({ stateFolder: cli.path('.x') })
  const id = randomUUID()
  const place = await store.place(cli.cwd, id)
  const story: Story = { kills: 0, seen: [], requests: server.requests }
  for (;;) {
    const session = existsSync(place.path) ? ['--resume', id] : ['--session-id', id]
    const run = cli.start([
      '-p',
      'Go on',
      '--output-format=stream-json',
      '--verbose',
      '--allowedTools=Bash',
      ...session,
    ])
    const isKilled = mayKill() && (await Promise.race([run.ended.then(() => false), atRandom(run, next)]))
    if (isKilled) story.kills += run.child.kill('SIGKILL') ? 1 : 0
    const { stdout, stderr, code } = await run.ended
    const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1)
    story.seen.push(...parseLines(whole))
    if (isKilled) continue
    expect([code, stderr]).toEqual([0, ''])
    break
  }
  await check(story, cli, place.path)
  return story.kills
}

/** Some time after the session has begun: its whole work takes about as long. */
async function atRandom(run: Running, next: () => number): Promise<true> {
  await run.sees('"init"')
  await sleep(next() * 450)
  return true
}

async function check({ kills, seen, requests }: Story, cli: Cli, path: string): Promise<void> {
  expect(requests.map(({ status }) => status)).not.toContain(400)
  const { messages, report } = await readTranscript(path)
  expect(JSON.stringify(messages.at(-1))).toContain('All done.')
  expect(report.skippedCount).toBeLessThanOrEqual(kills)
  const last = requests.at(-1)
  const blocks = last === undefined ? [] : blocksOf(last)
  const lines = (cli.read('log') ?? '').split('\n').filter((line) => line !== '')
  for (const { type, id, input } of blocks) {
    if (type !== 'tool_use') continue
    const result = blocks.find((block) => block.tool_use_id === id)
    const step = input?.command?.split(' ')[1]
    const times = lines.filter((line) => line === step).length
    // A call whose outcome is unknown may have run; none has run twice.
    expect(times).toBeLessThanOrEqual(1)
    if (result?.is_error !== true) expect(times).toBe(1)
  }
  await checkNumbers({ kills, seen, path })
}

/** No number was given out twice, and none is missing but what was about to go out when the program was killed. */
async function checkNumbers({
  kills,
  seen,
  path,
}: Pick<Story, 'kills' | 'seen'> & { readonly path: string }) {
  const named = new Map<number, string>()
  const kept: SessionEvent[] = []
  for await (const event of readEvents(path)) kept.push(event)
  for (const { sequence, uuid } of [...seen, ...kept]) {
    expect(named.get(sequence) ?? uuid).toBe(uuid)
    named.set(sequence, uuid)
  }
  const highest = Math.max(...named.keys())
  expect(highest + 1 - named.size).toBeLessThanOrEqual(kills)
  expect(seen.map(({ sequence }) => sequence)).toEqual(
    seen.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
  )
}

it(`killed ${kills} times at random moments, a session goes on: valid, in order, nothing done twice`, {
  timeout: 600_000,
}, async () => {
  const seed = Number(process.env['FC_SEED'] ?? 17)
  const next = random(seed)
  const budget = { left: kills }
  const mayKill = () => budget.left > 0 && (budget.left -= 1) >= 0
  const lane = async () => {
    while (budget.left > 0) await tell(next, mayKill)
  }
  try {
    await Promise.all(Array.from({ length: lanes }, lane))
  } catch (error) {
    throw new Error(`seed ${seed}`, { cause: error })
  }
})
