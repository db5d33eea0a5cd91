import { join } from 'node:path'
import { checkHistory, type Message } from '@x/contract'
import { openTranscript } from '@x/transcript'
import { expect, test } from 'vitest'
import { crash, runProgram } from './processes.ts'
import { makeFolder } from './world.ts'

const lanes = 4
const killsPerLane = 10

/** What the writer told before it died. */
interface Told {
  /** The next event number that it knew. */
  next: number
  /** Calls that were made and answered since the last compaction could have been. */
  calls: string[]
  answered: string[]
  found: { messages: number; next: number } | undefined
}

/** Lets a writer go on with a transcript and kills it at a random moment; gives what it told before. */
async function killOnce(path: string, bulk: number): Promise<Told> {
  const told: Told = { next: 0, calls: [], answered: [], found: undefined }
  const started = Promise.withResolvers<void>()
  const child = runProgram('writer', [path, String(bulk)], (line) => {
    const [kind, first = '', second = ''] = line.split(' ')
    if (kind === 'found') told.found = { messages: Number(first), next: Number(second) }
    if (kind === 'next') told.next = Number(first)
    if (kind === 'call') told.calls.push(first)
    if (kind === 'result') told.answered.push(first)
    if (kind === 'call' || kind === 'result') told.next = Number(second)
    started.resolve()
  })
  await started.promise
  // A random moment is what is tested here.
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
  crash(child)
  expect(await child.exited).toMatchObject({ kind: 'signalled', signal: 'SIGKILL' })
  return told
}

test(`${lanes * killsPerLane} writers killed at random moments: nothing that was told is missing, numbers have no gap`, async () => {
  const folder = makeFolder()
  const runLane = async (lane: number): Promise<void> => {
    const path = join(folder, `lane-${lane}.jsonl`)
    let next = 0
    for (let kill = 0; kill < killsPerLane; kill += 1) {
      // From small records to some of 3 MB, whose write takes long enough to be hit.
      const told = await killOnce(path, kill % 3 === 2 ? 200_000 : 200)
      expect(told.found?.next).toBe(next)
      const transcript = await openTranscript(path)
      expect(checkHistory(transcript.messages)).toEqual([])
      // The death may fall between the write and the word of it: one event, two for the call with its passing one.
      expect(transcript.nextSequence).toBeGreaterThanOrEqual(Math.max(told.next, told.found?.next ?? 0))
      expect(transcript.nextSequence).toBeLessThanOrEqual(Math.max(told.next, told.found?.next ?? 0) + 2)
      expectAnswered(transcript.messages, told)
      next = transcript.nextSequence
      await transcript.close()
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)))
})

/** The last call that was told of is there, with the result it got or one that says that nothing is known of it. */
function expectAnswered(messages: readonly Message[], { calls, answered }: Told): void {
  const last = calls.at(-1)
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  const results = blocks.flatMap((block) =>
    block.type === 'tool_result' && 'tool_use_id' in block ? [block] : [],
  )
  const isCompacted = JSON.stringify(messages[0] ?? '').includes('summary')
  if (last === undefined || (isCompacted && !JSON.stringify(messages).includes(last))) return
  const found = results.find((block) => block.tool_use_id === last)
  expect(found).toBeDefined()
  if (answered.includes(last)) expect(found?.is_error).toBeUndefined()
}
