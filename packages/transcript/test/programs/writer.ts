// Writes a conversation as fast as it can until it is killed. Prints what is safe: first how many messages and numbers it found,
// then for each append the number of messages and the next event number.
import { writeSync } from 'node:fs'
import { openTranscript } from '@x/transcript'
import { assistantEvent, call, event, result, text, thinking, user, userEvent } from '../builders.ts'

const [path = '', bulk = '200'] = process.argv.slice(2)
const transcript = await openTranscript(path)
const say = (line: string): void => void writeSync(1, `${line}\n`)
say(`found ${transcript.messages.length} ${transcript.nextSequence}`)
const filler = 'ä😀'.repeat(Number(bulk))
for (let round = transcript.nextSequence; ; round += 1) {
  const id = `${process.pid}_${round}`
  const next = (): number => transcript.nextSequence
  await transcript.append([user(`prompt ${id} ${filler}`)])
  transcript.noteSequence(next())
  say(`next ${next()}`)
  const message = { role: 'assistant', id: `msg_${id}`, stop_reason: 'tool_use' }
  await transcript.appendEvents([
    assistantEvent(next(), { ...message, content: [thinking(filler), text(filler), call(`toolu_${id}`)] }),
    event(next() + 1, { type: 'stream_event', event: {}, parent_tool_use_id: null }),
  ])
  say(`call toolu_${id} ${next()}`)
  await transcript.appendEvents([
    userEvent(next(), { role: 'user', content: [result(`toolu_${id}`, filler)] }),
  ])
  say(`result toolu_${id} ${next()}`)
  if (round % 20 === 19)
    await transcript.appendCompaction({
      trigger: 'auto',
      preTokens: 1,
      messages: [user(`summary ${id} ${filler}`), user(filler)],
    })
}
