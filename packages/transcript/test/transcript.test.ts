import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkHistory, isContinuation, type Message } from '@x/contract'
import {
  openTranscript,
  readEvents,
  readLastRecord,
  readTranscript,
  type Transcript,
  unknownOutcomeText,
} from '@x/transcript'
import { describe, expect, test } from 'vitest'
import {
  assistant,
  assistantEvent,
  call,
  event,
  result,
  results,
  sessionId,
  text,
  thinking,
  user,
  userEvent,
} from './builders.ts'
import { makeFolder, outline, recordsOf } from './world.ts'

const turn: readonly Message[] = [
  user('Look at ä 😀'),
  assistant('msg_1', thinking('Hm\n'), text('I look.'), call('t1'), call('t2')),
  results('t1', 't2'),
  assistant('msg_2', text('It is fine.')),
]

function file(): string {
  return join(makeFolder(), 'projects', 'p', `${sessionId}.jsonl`)
}

async function withTranscript<Value>(
  path: string,
  work: (transcript: Transcript) => Promise<Value> | Value,
  options: Parameters<typeof openTranscript>[1] = {},
): Promise<Value> {
  await using transcript = await openTranscript(path, options)
  return await work(transcript)
}

describe('a log of messages', () => {
  test('gives back what was appended, as a continuation of what was sent', async () => {
    const path = file()
    await withTranscript(path, (transcript) => transcript.append(turn))
    await withTranscript(path, async (transcript) => {
      expect(transcript.messages).toEqual(turn)
      await transcript.append([user('On')])
      expect(isContinuation(turn, transcript.messages)).toBe(true)
    })
    expect((await readTranscript(path)).messages).toEqual([...turn, user('On')])
  })

  test('keeps plain text as it is', async () => {
    const path = file()
    const plain: Message[] = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ]
    await withTranscript(path, (transcript) => transcript.append(plain))
    expect((await readTranscript(path)).messages).toEqual(plain)
  })

  test('writes one record a block, chained, with the documented fields, type first and a newline last', async () => {
    const path = file()
    const facts = () => ({ cwd: '/work place', version: '1.2.3', gitBranch: 'main' })
    await withTranscript(path, (transcript) => transcript.append(turn), { facts, now: () => 0 })
    const records = recordsOf(path)
    expect(readFileSync(path, 'utf8').endsWith('\n')).toBe(true)
    expect(records.map((record) => Object.keys(record)[0])).toEqual(records.map(() => 'type'))
    expect(records.map(({ type }) => type).join(' ')).toBe(
      'user assistant assistant assistant assistant user assistant',
    )
    expect(records.map(({ parentUuid }) => parentUuid)).toEqual([
      null,
      ...records.slice(0, -1).map(({ uuid }) => uuid),
    ])
    expect(records[3]).toEqual({
      type: 'assistant',
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      parentUuid: records[2]?.['uuid'],
      isSidechain: false,
      userType: 'external',
      sessionId,
      cwd: '/work place',
      version: '1.2.3',
      gitBranch: 'main',
      timestamp: '1970-01-01T00:00:00.000Z',
      message: { role: 'assistant', id: 'msg_1', content: [call('t1')] },
    })
  })

  test('keeps apart two messages that a service gave one id', async () => {
    const path = file()
    const messages = [
      user('a'),
      assistant('same', call('t1')),
      results('t1'),
      assistant('same', call('t2')),
      results('t2'),
      assistant('same', text('b')),
    ]
    await withTranscript(path, (transcript) => transcript.append(messages))
    expect(outline((await readTranscript(path)).messages)).toEqual(outline(messages))
  })

  test('holds messages that people do not see, also as the last', async () => {
    const path = file()
    await withTranscript(path, async (transcript) => {
      await transcript.append([user('instructions')], { isMeta: true })
      await transcript.append([user('prompt')])
      await transcript.append([assistant('msg_1', call('t1'))])
      await transcript.append([{ role: 'user', content: [result('t1')] }])
      await transcript.append([user('reminder')], { isMeta: true })
    })
    const { messages } = await readTranscript(path)
    expect(outline(messages)).toEqual([
      'user: instructions, prompt',
      'assistant: call t1',
      'user: result t1, reminder',
    ])
    expect(recordsOf(path).map(({ isMeta }) => isMeta)).toEqual([true, undefined, undefined, undefined, true])
  })

  test('makes nothing on disk before the first append', async () => {
    const path = file()
    await withTranscript(path, ({ messages }) => expect(messages).toEqual([]))
    expect(readdirSync(join(path, '..'))).toEqual([])
  })

  test('refuses to append once closed, and closing twice is harmless', async () => {
    const transcript = await openTranscript(file())
    await transcript.close()
    await transcript.close()
    await expect(transcript.append(turn)).rejects.toMatchObject({ name: 'TranscriptError', code: 'closed' })
  })

  test('has written when the call returns', async () => {
    const path = file()
    await withTranscript(path, (transcript) => {
      const promise = transcript.append(turn)
      expect(recordsOf(path)).toHaveLength(7)
      return promise
    })
  })

  test('sync waits for the disk', async () => {
    const path = file()
    await withTranscript(path, (transcript) => transcript.append(turn), { sync: true })
    expect((await readTranscript(path)).messages).toEqual(turn)
  })

  test('stops opening with the reason of the signal, and leaves no lock', async () => {
    const path = file()
    const reason = new Error('enough')
    await expect(openTranscript(path, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  test('says that a folder stands in the way of the file', async () => {
    const folder = makeFolder()
    await expect(openTranscript(folder)).rejects.toMatchObject({ code: 'unreadable', file: folder })
    expect(existsSync(`${folder}.lock`)).toBe(false)
  })
})

describe('calls that were open when the transcript broke off', () => {
  const broken: readonly Message[] = [user('a'), assistant('msg_1', call('t1'), call('t2')), results('t1')]

  test('are answered: the call may have run, its outcome is unknown, check before repeating', async () => {
    const path = file()
    await withTranscript(path, (transcript) => transcript.append(broken))
    const { messages } = await readTranscript(path)
    expect(messages.at(-1)?.content).toEqual([
      result('t1'),
      { type: 'tool_result', tool_use_id: 't2', content: unknownOutcomeText, is_error: true },
    ])
    expect(checkHistory(messages)).toEqual([])
  })

  test('have their answer on disk before the next message, so that no later load can change it', async () => {
    const path = file()
    await withTranscript(path, (transcript) => transcript.append(broken))
    const sent = await withTranscript(path, async (transcript) => {
      await transcript.append([user('Go on')])
      return transcript.messages
    })
    expect(outline(sent).at(-1)).toBe('user: result t1, failed t2, Go on')
    const { messages } = await readTranscript(path, { missingResultText: 'another text' })
    expect(messages).toEqual(sent)
  })

  test('take the text that was asked for, and a result that comes late all the same', async () => {
    const path = file()
    await withTranscript(path, (transcript) => transcript.append(broken))
    expect(JSON.stringify((await readTranscript(path, { missingResultText: 'Lost.' })).messages)).toContain(
      'Lost.',
    )
    await withTranscript(path, (transcript) => transcript.append([results('t2')]))
    expect(outline((await readTranscript(path)).messages).at(-1)).toBe('user: result t1, result t2')
  })
})

describe('session events', () => {
  const message = { role: 'assistant', id: 'msg_1', model: 'm', usage: {}, stop_reason: null }
  const events = [
    event(0, { type: 'system', subtype: 'init', cwd: '/p', model: 'm' }),
    userEvent(1, { role: 'user', content: [text('Go')] }, { isReplay: true }),
    event(2, { type: 'stream_event', event: {}, parent_tool_use_id: null }),
    assistantEvent(3, { ...message, content: [thinking('hm'), call('t1')] }),
    event(4, { type: 'tool_progress', tool_use_id: 't1', tool_name: 'Read', parent_tool_use_id: null }),
    userEvent(5, { role: 'user', content: [result('t1')] }, { tool_use_result: { lines: 3 } }),
    assistantEvent(6, { ...message, content: [text('more'), call('t2')] }),
    userEvent(7, { role: 'user', content: [result('t2')] }),
    assistantEvent(8, { ...message, id: 'msg_2', content: [text('Done')], stop_reason: 'end_turn' }),
    event(9, { type: 'result', subtype: 'success', is_error: false }),
  ]

  test('make the history: pieces of a message join, whatever results came between them', async () => {
    const path = file()
    await withTranscript(path, (transcript) => transcript.appendEvents(events))
    expect(outline((await readTranscript(path)).messages)).toEqual([
      'user: Go',
      'assistant: thinking, call t1, more, call t2',
      'user: result t1, result t2',
      'assistant: Done',
    ])
  })

  test('of which the passing ones are not written, but counted', async () => {
    const path = file()
    await withTranscript(path, async (transcript) => {
      await transcript.appendEvents(events.slice(0, 5))
      expect(transcript.nextSequence).toBe(5)
    })
    expect(recordsOf(path).map(({ type }) => type)).toEqual([
      'system',
      'user',
      'assistant',
      'assistant',
      'sequence',
    ])
    await withTranscript(path, ({ nextSequence }) => expect(nextSequence).toBe(5))
  })

  test('are not written again when the loop logs its history', async () => {
    const path = file()
    await withTranscript(path, async (transcript) => {
      await transcript.append([user('Go')])
      await transcript.appendEvents(events.slice(3, 8))
      await transcript.append([
        assistant('msg_1', thinking('hm'), call('t1'), text('more'), call('t2'), text('not shown')),
        { role: 'user', content: [result('t1'), result('t2'), text('reminder')] },
      ])
    })
    expect(outline((await readTranscript(path)).messages)).toEqual([
      'user: Go',
      'assistant: thinking, call t1, more, call t2, not shown',
      'user: result t1, result t2, reminder',
    ])
    expect(recordsOf(path)).toHaveLength(1 + 6 + 2)
  })

  test('withdrawn messages leave the history, with their results', async () => {
    const path = file()
    await withTranscript(path, (transcript) =>
      transcript.appendEvents([
        ...events.slice(1, 6),
        event(6, { type: 'system', subtype: 'message_withdrawn', message_id: 'msg_1', reason: 'retry' }),
        assistantEvent(7, { ...message, id: 'msg_2', content: [text('again')] }),
      ]),
    )
    expect(outline((await readTranscript(path)).messages)).toEqual(['user: Go', 'assistant: again'])
  })

  test('what the program shows in the model’s place is not in the history', async () => {
    const path = file()
    const shown = { role: 'assistant', model: '<synthetic>', content: [text('API Error')], stop_reason: null }
    await withTranscript(path, (transcript) =>
      transcript.appendEvents([...events.slice(1, 2), assistantEvent(2, shown, { error: 'overloaded' })]),
    )
    expect(outline((await readTranscript(path)).messages)).toEqual(['user: Go'])
  })

  test('of agents stand beside the conversation, not in it', async () => {
    const path = file()
    const place = { parent_tool_use_id: 't1' }
    await withTranscript(path, (transcript) =>
      transcript.appendEvents([
        ...events.slice(1, 4),
        userEvent(4, { role: 'user', content: 'agent prompt' }, place),
        assistantEvent(5, { ...message, id: 'msg_a', content: [text('agent')] }, place),
        userEvent(6, { role: 'user', content: [result('t1')] }),
      ]),
    )
    expect(outline((await readTranscript(path)).messages)).toEqual([
      'user: Go',
      'assistant: thinking, call t1',
      'user: result t1',
    ])
    const agent = recordsOf(path).filter(({ isSidechain }) => isSidechain === true)
    expect(agent.map(({ parentUuid }) => parentUuid)).toEqual([null, agent[0]?.['uuid']])
  })
})

test('reading events stops with the reason of the signal', async () => {
  const path = file()
  await withTranscript(path, (transcript) =>
    transcript.appendEvents(
      Array.from({ length: 20 }, (_, sequence) =>
        userEvent(sequence, { role: 'user', content: 'x'.repeat(20_000) }),
      ),
    ),
  )
  const controller = new AbortController()
  const reason = new Error('enough')
  const read = async (): Promise<void> => {
    for await (const { sequence } of readEvents(path, { signal: controller.signal }))
      if (sequence === 1) controller.abort(reason)
  }
  await expect(read()).rejects.toBe(reason)
})

describe('numbers of events', () => {
  test('are kept by a close, and never go down', async () => {
    const path = file()
    await withTranscript(path, (transcript) => {
      transcript.noteSequence(41)
      transcript.noteSequence(7)
      expect(transcript.nextSequence).toBe(42)
    })
    await withTranscript(path, ({ nextSequence }) => expect(nextSequence).toBe(42))
    await withTranscript(path, ({ nextSequence }) => expect(nextSequence).toBe(42))
    expect(recordsOf(path)).toEqual([{ type: 'sequence', sessionId, sequence: 41 }])
  })
})

describe('going on at a message', () => {
  test('goes on from there, and the later branch wins (example 42)', async () => {
    const path = file()
    await withTranscript(path, (transcript) =>
      transcript.append([...turn, user('wrong way'), assistant('msg_3', text('no'))]),
    )
    const at = String(recordsOf(path)[6]?.['uuid'])
    await withTranscript(
      path,
      async (transcript) => {
        expect(transcript.messages).toEqual(turn)
        await transcript.append([user('right way')])
        expect(transcript.messages).toEqual([...turn, user('right way')])
      },
      { resumeAt: at },
    )
    await withTranscript(path, ({ messages }) => expect(messages).toEqual([...turn, user('right way')]))
    expect(outline((await readTranscript(path, { resumeAt: at })).messages)).toEqual(outline(turn))
  })

  test('inside a message with calls ends valid', async () => {
    const path = file()
    await withTranscript(path, (transcript) => transcript.append(turn))
    const at = String(recordsOf(path)[3]?.['uuid'])
    const { messages } = await readTranscript(path, { resumeAt: at })
    expect(outline(messages)).toEqual([
      'user: Look at ä 😀',
      'assistant: thinking, I look., call t1',
      'user: failed t1',
    ])
  })

  test('says that there is no such message', async () => {
    const path = file()
    await withTranscript(path, (transcript) => transcript.append(turn))
    await expect(openTranscript(path, { resumeAt: 'x' })).rejects.toMatchObject({ code: 'not-found' })
    await withTranscript(path, ({ messages }) => expect(messages).toEqual(turn))
  })
})

describe('compaction', () => {
  test('keeps the numbers of the events before it, which a load does not see', async () => {
    const path = file()
    await withTranscript(path, async (transcript) => {
      await transcript.appendEvents([userEvent(6, user('Hi'))])
      await transcript.appendCompaction({ trigger: 'auto', preTokens: 1, messages: [user('So far')] })
    })
    await withTranscript(path, ({ nextSequence }) => expect(nextSequence).toBe(7))
  })

  const shorter = [user('Summary: ä'), assistant('msg_9', thinking('t'), text('kept'))]

  test('the history starts at the boundary (example 43), the old one is read no more', async () => {
    const path = file()
    await withTranscript(path, async (transcript) => {
      await transcript.append(turn)
      await transcript.appendCompaction({ trigger: 'manual', preTokens: 1234, messages: shorter })
      expect(transcript.messages).toEqual(shorter)
      await transcript.append([user('On')])
    })
    const { messages, report } = await readTranscript(path)
    expect(messages).toEqual([...shorter, user('On')])
    expect(report.isWhole).toBe(false)
    const records = recordsOf(path)
    expect(records[7]).toMatchObject({
      type: 'system',
      subtype: 'compact_boundary',
      parentUuid: null,
      logicalParentUuid: records[6]?.['uuid'],
      compactMetadata: { trigger: 'manual', preTokens: 1234 },
    })
    expect(records.map(({ isCompactSummary }) => isCompactSummary === true).indexOf(true)).toBe(8)
  })

  test('takes the event that tells of it', async () => {
    const path = file()
    const told = event(5, {
      type: 'system',
      subtype: 'compact_boundary',
      compact_metadata: { trigger: 'auto', pre_tokens: 9 },
    })
    await withTranscript(path, async (transcript) => {
      await transcript.append(turn)
      await transcript.appendCompaction({ trigger: 'auto', preTokens: 9, messages: shorter, event: told })
      expect(transcript.nextSequence).toBe(6)
    })
    expect(recordsOf(path)[7]).toMatchObject({ uuid: told.uuid, sequence: 5, parentUuid: null })
  })

  test('to nothing is the beginning, not the old history', async () => {
    const path = file()
    await withTranscript(path, async (transcript) => {
      await transcript.append(turn)
      await transcript.appendCompaction({ trigger: 'manual', preTokens: 0, messages: [], hasSummary: false })
      expect(transcript.messages).toEqual([])
    })
    await withTranscript(path, async (transcript) => {
      expect(transcript.messages).toEqual([])
      await transcript.append([user('On')])
    })
    expect((await readTranscript(path)).messages).toEqual([user('On')])
  })

  test('as an event alone cuts nothing', async () => {
    const path = file()
    await withTranscript(path, async (transcript) => {
      await transcript.append(turn)
      await transcript.appendEvents([event(0, { type: 'system', subtype: 'compact_boundary' })])
      await transcript.append([user('On')])
    })
    expect((await readTranscript(path)).messages).toEqual([...turn, user('On')])
  })

  test('keeps metadata near the end', async () => {
    const path = file()
    await withTranscript(path, async (transcript) => {
      await transcript.append(turn)
      await transcript.appendMetadata({ type: 'permission-mode', mode: 'acceptEdits' })
      await transcript.appendCompaction({ trigger: 'auto', preTokens: 9, messages: shorter })
    })
    const { metadata, report } = await readTranscript(path)
    expect(metadata.get('permission-mode')).toMatchObject({ mode: 'acceptEdits' })
    expect(report.isWhole).toBe(false)
  })
})

describe('metadata', () => {
  test('has no place in the chain; the last of each kind counts', async () => {
    const path = file()
    await withTranscript(path, async (transcript) => {
      await transcript.append(turn.slice(0, 1))
      await transcript.appendMetadata({ type: 'tag', tag: 'a' })
      await transcript.append([assistant('msg_1', text('b'))])
      await transcript.appendMetadata({ type: 'tag', tag: 'b' })
      expect(transcript.metadata.get('tag')).toEqual({ type: 'tag', sessionId, tag: 'b' })
    })
    await withTranscript(path, (transcript) => {
      expect(transcript.metadata.get('tag')).toEqual({ type: 'tag', sessionId, tag: 'b' })
      expect(outline(transcript.messages)).toEqual(['user: Look at ä 😀', 'assistant: b'])
    })
  })

  test('refuses the types of the conversation', async () => {
    await withTranscript(file(), (transcript) =>
      expect(transcript.appendMetadata({ type: 'user' })).rejects.toThrow(TypeError),
    )
  })
})

describe('the last record of a kind', () => {
  test('is found behind much that came later, and is the later one', async () => {
    const path = file()
    expect(await readLastRecord(path, 'tag')).toBeUndefined()
    await withTranscript(path, async (transcript) => {
      await transcript.appendMetadata({ type: 'tag', tag: 'first' })
      await transcript.appendMetadata({ type: 'tag', tag: 'second' })
      for (let turns = 0; turns < 40; turns += 1)
        await transcript.append([user('x'.repeat(50_000)), assistant(`msg_${turns}`, text('ok'))])
    })
    expect(await readLastRecord(path, 'tag')).toMatchObject({ tag: 'second' })
    expect(await readLastRecord(path, 'other')).toBeUndefined()
  })
})
