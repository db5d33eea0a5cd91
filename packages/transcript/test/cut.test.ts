import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkHistory, isContinuation, type Message } from '@x/contract'
import { openTranscript, readTranscript } from '@x/transcript'
import { expect, test } from 'vitest'
import {
  assistant,
  assistantEvent,
  call,
  result,
  results,
  text,
  thinking,
  user,
  userEvent,
} from './builders.ts'
import { holdsAll, makeFolder } from './world.ts'

/** So many files are read at a time. */
const lanes = 16

/** Writes a sample with everything in it, and remembers after each append how long the file is and what would be sent. */
async function writeSample(
  path: string,
): Promise<{ bytes: Buffer; steps: { size: number; sent: readonly Message[] }[] }> {
  const steps: { size: number; sent: readonly Message[] }[] = [{ size: 0, sent: [] }]
  await using transcript = await openTranscript(path)
  const step = async (append: Promise<void>): Promise<void> => {
    await append
    steps.push({ size: readFileSync(path).length, sent: transcript.messages })
  }
  await step(transcript.append([user('instructions é')], { isMeta: true }))
  await step(transcript.append([user('Grüße 😀 日本')]))
  const message = { role: 'assistant', id: 'msg_1', stop_reason: null }
  await step(
    transcript.appendEvents([assistantEvent(0, { ...message, content: [thinking('思考'), call('t1')] })]),
  )
  await step(transcript.appendEvents([userEvent(1, { role: 'user', content: [result('t1', 'ß')] })]))
  await step(transcript.appendEvents([assistantEvent(2, { ...message, content: [call('t2')] })]))
  await step(transcript.append([results('t2')]))
  await step(transcript.appendMetadata({ type: 'ai-title', aiTitle: 'Größe' }))
  await step(transcript.append([assistant('msg_2', text('gut')), user('weiter')]))
  const shorter = [user('Summary €'), assistant('msg_2', thinking('x'), call('t3')), results('t3')]
  await step(transcript.appendCompaction({ trigger: 'auto', preTokens: 7, messages: shorter }))
  await step(transcript.append([assistant('msg_3', text('end ✓'), call('t4'))]))
  return { bytes: readFileSync(path), steps }
}

test('a transcript cut at any byte loads as a valid request and goes on (P8, example 37)', async () => {
  const folder = makeFolder()
  const { bytes, steps } = await writeSample(join(folder, 'sample.jsonl'))
  expect(bytes.length).toBeGreaterThan(4_000)
  const load = async (cut: number, lane: number): Promise<void> => {
    const path = join(folder, `cut-${lane}.jsonl`)
    writeFileSync(path, bytes.subarray(0, cut))
    const { messages, report } = await readTranscript(path)
    expect(checkHistory(messages)).toEqual([])
    const isWhole = cut === 0 || bytes[cut - 1] === 0x0a || bytes[cut] === 0x0a
    expect(report.skipped.map(({ reason }) => reason)).toEqual(isWhole ? [] : ['torn'])
    // All that was appended as a whole is there; of the cut append there may be more, or all that counts.
    const done = steps.findLast(({ size }) => size <= cut)
    const next = steps.find(({ size }) => size > cut)
    expect(holdsAll(messages, done?.sent ?? []) || isSame(messages, next?.sent ?? [])).toBe(true)
  }
  for (let cut = 0; cut <= bytes.length; cut += lanes) {
    const cuts = Array.from({ length: lanes }, (_, lane) => cut + lane).filter((each) => each <= bytes.length)
    await Promise.all(cuts.map(load))
  }
})

test('and what is appended behind a cut is there the next time', async () => {
  const folder = makeFolder()
  const { bytes } = await writeSample(join(folder, 'sample.jsonl'))
  const path = join(folder, 'cut.jsonl')
  // Every 13th byte: a prime, so that all places of a line and of its characters come up.
  for (let cut = 0; cut <= bytes.length; cut += 13) {
    writeFileSync(path, bytes.subarray(0, cut))
    const before = (await readTranscript(path)).messages
    const transcript = await openTranscript(path)
    await transcript.append([user('after the crash')])
    const sent = transcript.messages
    await transcript.close()
    const after = await readTranscript(path)
    expect(isContinuation(sent, after.messages)).toBe(true)
    expect(after.messages).toEqual(sent)
    expect(JSON.stringify(sent)).toContain('after the crash')
    expect(holdsAll(sent, before)).toBe(true)
    expect(checkHistory(sent)).toEqual([])
  }
})

function isSame(one: readonly Message[], other: readonly Message[]): boolean {
  return holdsAll(one, other) && holdsAll(other, one)
}
