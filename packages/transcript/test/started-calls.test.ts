import { join } from 'node:path'
import { checkHistory, type Message } from '@x/contract'
import { openTranscript, readTranscript, unknownOutcomeText } from '@x/transcript'
import { describe, expect, test } from 'vitest'
import { assistant, assistantEvent, call, result, sessionId, text, user, userEvent } from './builders.ts'
import { makeFolder } from './world.ts'

function file(): string {
  return join(makeFolder(), `${sessionId}.jsonl`)
}

const said = assistant('msg_1', text('I write.'), call('t1'), call('t2'))

function part(upTo: number): typeof said {
  return { ...said, content: said.content.slice(0, upTo) }
}

describe('a call that was about to begin when the transcript broke off', () => {
  test('is in the conversation with its message, and its outcome is unknown', async () => {
    const path = file()
    const broken = await openTranscript(path)
    await broken.append([user('Go')])
    await broken.beforeCall('t1', part(2))
    await broken.beforeCall('t2', part(3))
    await broken.close()
    const { messages } = await readTranscript(path)
    expect(messages.slice(0, 2)).toEqual([user('Go'), said])
    expect(messages[2]?.content).toMatchObject([
      { tool_use_id: 't1', content: unknownOutcomeText, is_error: true },
      { tool_use_id: 't2', content: unknownOutcomeText, is_error: true },
    ])
    expect(checkHistory(messages)).toEqual([])
  })

  test('is told of once, whatever of its message was on record already', async () => {
    const path = file()
    const broken = await openTranscript(path)
    await broken.append([user('Go')])
    await broken.beforeCall('t1', part(2))
    await broken.appendEvents([
      assistantEvent(0, { ...part(2), stop_reason: null }),
      userEvent(1, { role: 'user', content: [result('t1')] }),
    ])
    await broken.beforeCall('t2', said)
    await broken.close()
    const { messages } = await readTranscript(path)
    expect(messages).toHaveLength(3)
    expect(messages[1]).toEqual(said)
    expect(messages[2]?.content).toMatchObject([
      { tool_use_id: 't1', content: 'done' },
      { tool_use_id: 't2', is_error: true },
    ])
  })

  test('is part of what is written on, and stays where it is', async () => {
    const path = file()
    const broken = await openTranscript(path)
    await broken.append([user('Go')])
    await broken.beforeCall('t1', part(2))
    await broken.close()
    const before = (await readTranscript(path)).messages
    for (const words of ['On', 'And on']) {
      const transcript = await openTranscript(path)
      await transcript.say(user(words) as Extract<Message, { role: 'user' }>)
      await transcript.append([user(words)])
      expect(transcript.messages.slice(0, 2)).toEqual(before.slice(0, 2))
      await transcript.close()
    }
    const { messages } = await readTranscript(path)
    expect(messages[1]).toEqual(before[1])
    expect(JSON.stringify(messages).split(unknownOutcomeText)).toHaveLength(2)
    expect(JSON.stringify(messages)).toMatch(/On.*And on/)
  })

  test('that ended is on record once, as it ended', async () => {
    const path = file()
    const whole = await openTranscript(path)
    await whole.append([user('Go')])
    await whole.beforeCall('t1', part(2))
    await whole.append([part(2), { role: 'user', content: [result('t1')] }])
    await whole.close()
    expect((await readTranscript(path)).messages).toEqual([
      user('Go'),
      part(2),
      { role: 'user', content: [result('t1')] },
    ])
  })

  test('is open but does not wait; one that had not begun waits, and its own result answers it', async () => {
    const path = file()
    const broken = await openTranscript(path)
    await broken.append([user('Go'), said])
    await broken.beforeCall('t1', said)
    expect(broken.waitingCalls).toEqual([])
    await broken.close()
    const transcript = await openTranscript(path)
    expect(transcript.waitingCalls).toEqual(['t2'])
    expect(transcript.messages.at(-1)?.content).toMatchObject([{ tool_use_id: 't1' }, { tool_use_id: 't2' }])
    await transcript.appendEvents([userEvent(0, { role: 'user', content: [result('t2')] })])
    await transcript.close()
    const { messages } = await readTranscript(path)
    expect(messages.at(-1)?.content).toMatchObject([
      { tool_use_id: 't1', content: unknownOutcomeText },
      { tool_use_id: 't2', content: 'done' },
    ])
    const answered = await openTranscript(path)
    expect(answered.waitingCalls).toEqual([])
    await answered.close()
  })
})
