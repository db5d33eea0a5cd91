import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkHistory, type Message } from '@x/contract'
import { openTranscript, readTranscript, toRecords } from '@x/transcript'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assistant, assistantEvent, call, event, results, text, thinking, user } from './builders.ts'
import { holdsAll, makeFolder, outline, recordsOf } from './world.ts'

/** A conversation of so many rounds; each is a prompt, a call, its result and an answer: five records. */
function conversation(rounds: number): Message[] {
  return Array.from({ length: rounds }, (_, round) => [
    user(`prompt ${round} ä`),
    assistant(`msg_${round}_a`, thinking(`${round}`), call(`t${round}`)),
    results(`t${round}`),
    assistant(`msg_${round}_b`, text(`answer ${round}`)),
  ]).flat()
}

async function writeConversation(
  rounds: number,
): Promise<{ path: string; lines: Buffer[]; messages: Message[] }> {
  const path = join(makeFolder(), 'chat.jsonl')
  const messages = conversation(rounds)
  await using transcript = await openTranscript(path)
  await transcript.append(messages)
  return { path, lines: linesOf(path), messages }
}

function linesOf(path: string): Buffer[] {
  return readFileSync(path, 'latin1')
    .split('\n')
    .slice(0, -1)
    .map((line) => Buffer.from(line, 'latin1'))
}

function write(path: string, lines: readonly Buffer[], end: string = '\n'): void {
  const parts = lines.flatMap((line, index) => [line, Buffer.from(index === lines.length - 1 ? '' : end)])
  writeFileSync(path, Buffer.concat([...parts, Buffer.from(end)]))
}

describe('a torn last line (SU-09)', () => {
  test('loads all before it, says so, and what comes then is not glued to it', async () => {
    const { path, messages } = await writeConversation(3)
    const whole = readFileSync(path)
    // Inside the two bytes of a character.
    writeFileSync(
      path,
      Buffer.concat([whole, Buffer.from('{"type":"user","message":{"content":"ä').subarray(0, -1)]),
    )
    {
      await using transcript = await openTranscript(path)
      expect(transcript.messages).toEqual(messages)
      expect(transcript.report.skipped).toEqual([{ line: 16, offset: whole.length, reason: 'torn' }])
      await transcript.append([user('again')])
    }
    const { messages: second, report } = await readTranscript(path)
    expect(second).toEqual([...messages, user('again')])
    expect(report.skipped).toEqual([{ line: 16, offset: whole.length, reason: 'not-utf8' }])
  })

  test('that lacks its newline alone counts', async () => {
    const { path, messages } = await writeConversation(1)
    writeFileSync(path, readFileSync(path).subarray(0, -1))
    await using transcript = await openTranscript(path)
    expect(transcript.messages).toEqual(messages)
    expect(transcript.report.skippedCount).toBe(0)
    await transcript.append([user('again')])
    expect((await readTranscript(path)).messages).toEqual([...messages, user('again')])
  })
})

describe('a bad line in the middle of 200 (SU-10, example 41)', () => {
  const at = 101
  const bad: Record<string, [line: Buffer, reason: string | undefined]> = {
    'NUL bytes': [Buffer.alloc(300), 'nul'],
    'half a line': [Buffer.from('{"type":"user","uuid":"x","mess'), 'not-json'],
    'an empty line': [Buffer.alloc(0), 'empty'],
    'a carriage return alone': [Buffer.from('\r'), 'empty'],
    'no text': [Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'not-utf8'],
    'half a character in a record': [Buffer.from('{"type":"user","x":"\xc3"}', 'latin1'), 'not-utf8'],
    'a list': [Buffer.from('[1]'), 'foreign'],
    'a number': [Buffer.from('12'), 'foreign'],
    null: [Buffer.from('null'), 'foreign'],
    'an object without a type': [Buffer.from('{"uuid":"x"}'), 'foreign'],
    'a message without a message': [Buffer.from('{"type":"user","uuid":"x","parentUuid":null}'), 'foreign'],
    'a message without a name': [
      Buffer.from('{"type":"user","message":{"role":"user","content":"x"}}'),
      'foreign',
    ],
    'a record of another type': [Buffer.from('{"type":"never-seen","x":1}'), undefined],
  }

  test.each(Object.entries(bad))(
    '%s, put between: nothing is missing, and it is reported',
    async (_name, [line, reason]) => {
      const { path, lines, messages } = await writeConversation(40)
      write(path, lines.toSpliced(at, 0, line))
      const { messages: found, report } = await readTranscript(path)
      expect(found).toEqual(messages)
      expect(report.skipped.map(({ line, reason }) => ({ line, reason }))).toEqual(
        reason === undefined ? [] : [{ line: at + 1, reason }],
      )
    },
  )

  test.each(Object.entries(bad))(
    '%s, in the place of a record: that record alone is missing',
    async (_name, [line]) => {
      const { path, lines, messages } = await writeConversation(40)
      write(path, lines.with(at, line))
      const { messages: found, report } = await readTranscript(path)
      expect(report.relinked).toBe(1)
      expect(checkHistory(found)).toEqual([])
      expect(blockCount(found)).toBe(blockCount(messages) - 1)
      expect(holdsAll(messages, found)).toBe(true)
    },
  )

  test('a byte order mark, NUL bytes before a record, CRLF: nothing is missing', async () => {
    const { path, lines, messages } = await writeConversation(40)
    const marked = lines.with(0, Buffer.concat([Buffer.from('\uFEFF'), lines[0] ?? Buffer.alloc(0)]))
    write(path, marked.with(at, Buffer.concat([Buffer.alloc(9), lines[at] ?? Buffer.alloc(0)])), '\r\n')
    const { messages: found, report } = await readTranscript(path)
    expect(found).toEqual(messages)
    expect(report.skippedCount).toBe(0)
  })

  test('a result that is lost is made up; all else stays', async () => {
    const { path, lines, messages } = await writeConversation(40)
    const index = recordsOf(path).findLastIndex(
      ({ toolUseResult, message }) => toolUseResult ?? isResult(message),
    )
    write(path, lines.toSpliced(index, 1))
    const { messages: found } = await readTranscript(path)
    expect(outline(found)).toEqual(outline(messages).map((line) => line.replace('result t39', 'failed t39')))
  })

  test('doubled lines count once', async () => {
    const { path, lines, messages } = await writeConversation(3)
    write(path, [...lines.slice(0, 9), ...lines.slice(4), ...lines.slice(0, 2)])
    const { messages: found, report } = await readTranscript(path)
    expect(found).toEqual(messages)
    expect(report.skipped.map(({ line, reason }) => `${line} ${reason}`)).toEqual(
      [10, 11, 12, 13, 14, 21, 22].map((line) => `${line} double`),
    )
  })
})

test('a name that stands twice is the first record, also where the second makes a straight line', async () => {
  const path = join(makeFolder(), 'chat.jsonl')
  const record = (uuid: string, parentUuid: string | null, text: string): Buffer =>
    Buffer.from(JSON.stringify({ type: 'user', uuid, parentUuid, message: { role: 'user', content: text } }))
  write(path, [record('a', null, 'one'), record('a', 'a', 'other'), record('b', 'a', 'two')])
  const { messages } = await readTranscript(path)
  expect(JSON.stringify(messages)).not.toContain('other')
})

describe('links', () => {
  const rewrite = (path: string, change: (record: Record<string, unknown>, index: number) => object): void =>
    writeFileSync(
      path,
      recordsOf(path)
        .map((record, index) => `${JSON.stringify(change(record, index))}\n`)
        .join(''),
    )

  test('that lead in a circle are cut once', async () => {
    const { path, messages } = await writeConversation(3)
    const last = recordsOf(path).at(-1)
    rewrite(path, (record, index) => (index === 7 ? { ...record, parentUuid: last?.['uuid'] } : record))
    const { messages: found, report } = await readTranscript(path)
    expect(found).toEqual(messages)
    expect(report.relinked).toBe(1)
  })

  test('that all lead to themselves give the order of the file', async () => {
    const { path, messages } = await writeConversation(3)
    rewrite(path, (record) => ({ ...record, parentUuid: record['uuid'] }))
    expect((await readTranscript(path)).messages).toEqual(messages)
  })

  test('that are missing, or no names, give the order of the file', async () => {
    const { path, messages } = await writeConversation(3)
    rewrite(path, (record, index) => ({ ...record, parentUuid: index % 2 === 0 ? undefined : 7 }))
    const { messages: found } = await readTranscript(path)
    expect(found).toEqual(messages)
  })

  test('pass through records of other kinds', async () => {
    const { path, messages } = await writeConversation(2)
    const told = toRecords(event(5, { type: 'system', subtype: 'informational', content: 'x' }), {
      parentUuid: String(recordsOf(path).at(-1)?.['uuid']),
      timestamp: '',
      cwd: '',
      version: '',
      gitBranch: '',
    })
    const progress = { type: 'progress', uuid: 'p', parentUuid: told[0]?.uuid }
    appendFileSync(path, [...told, progress].map((record) => `${JSON.stringify(record)}\n`).join(''))
    await using transcript = await openTranscript(path)
    expect(transcript.messages).toEqual(messages)
    expect(transcript.head).toBe('p')
    await transcript.append([user('on')])
    expect((await readTranscript(path)).messages).toEqual([...messages, user('on')])
  })
})

test('a compaction whose end is lost does not count; one that was gone on from does', async () => {
  const path = join(makeFolder(), 'chat.jsonl')
  const old = conversation(2)
  const shorter = [user('summary'), assistant('s', text('kept'))]
  {
    await using transcript = await openTranscript(path)
    await transcript.append(old)
    await transcript.appendCompaction({ trigger: 'auto', preTokens: 1, messages: shorter })
    await transcript.append([user('on')])
  }
  const lines = linesOf(path)
  write(path, lines.slice(0, -2))
  expect((await readTranscript(path)).messages).toEqual(old)
  write(path, lines.toSpliced(-2, 1))
  expect(outline((await readTranscript(path)).messages)).toEqual(['user: summary, on'])
})

test('a line of more than 50 MB loads', async () => {
  const path = join(makeFolder(), 'chat.jsonl')
  const messages = [user('x'.repeat(51_000_000)), assistant('m', text('long'))]
  await using transcript = await openTranscript(path)
  await transcript.append(messages)
  const { messages: found } = await readTranscript(path)
  expect(outline(found).map((line) => line.length)).toEqual([51_000_006, 15])
})

describe('fuzz', () => {
  const damage = fc.record({
    at: fc.nat(),
    kind: fc.constantFrom('flip', 'cut', 'drop', 'nul', 'glue', 'junk'),
    where: fc.nat(),
    byte: fc.integer({ min: 0, max: 255 }),
  })

  test('whatever happens to lines, the history is valid and no intact record is missing', async () => {
    const { path, lines } = await writeConversation(8)
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { maxLength: 6 }), async (damages) => {
        const damaged = [...lines]
        const hit = new Set<number>()
        for (const each of damages) applyDamage(damaged, hit, each)
        write(path, damaged)
        const { messages } = await readTranscript(path)
        expect(checkHistory(messages)).toEqual([])
        expect(
          hasBlocksOf(
            messages,
            lines.filter((_, index) => !hit.has(index)),
          ),
        ).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('lines in any order, some of them twice, give the same history', async () => {
    const { path, lines, messages } = await writeConversation(5)
    const order = fc
      .shuffledSubarray(lines, { minLength: lines.length })
      .chain((all) => fc.array(fc.constantFrom(...lines), { maxLength: 5 }).map((more) => [...all, ...more]))
    await fc.assert(
      fc.asyncProperty(order, async (shuffled) => {
        write(path, shuffled)
        expect((await readTranscript(path)).messages).toEqual(messages)
      }),
      { numRuns: 200 },
    )
  })

  test('records of any content and links load, as a request that is valid', async () => {
    const path = join(makeFolder(), 'chat.jsonl')
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const anything = fc.json({ maxDepth: 3 }).map((value): unknown => JSON.parse(value))
    const block = fc.oneof(
      anything,
      fc.record({
        type: fc.constant('tool_use'),
        id: name,
        name: fc.constant('Read'),
        input: fc.constant({}),
      }),
      fc.record({ type: fc.constant('tool_result'), tool_use_id: name, content: anything }),
      fc.record({ type: fc.constant('text'), text: fc.string() }),
    )
    const content = fc.oneof(anything, fc.array(block, { maxLength: 3 }))
    const record = fc.record(
      {
        type: fc.constantFrom('user', 'assistant', 'system', 'progress', 'tag'),
        uuid: fc.oneof({ weight: 6, arbitrary: name }, anything),
        parentUuid: fc.oneof({ weight: 6, arbitrary: name }, fc.constant(null), anything),
        subtype: fc.constantFrom('compact_boundary', 'message_withdrawn'),
        message_id: fc.constantFrom('m1', null, 3),
        compactMetadata: fc.oneof(anything, fc.record({ lastUuid: name })),
        isSidechain: fc.boolean(),
        isMeta: fc.oneof(fc.boolean(), anything),
        sequence: fc.oneof(fc.nat(), anything),
        message: fc.record({ id: fc.constantFrom('m1', 'm2', 3), content }, { requiredKeys: ['content'] }),
      },
      { requiredKeys: ['type'] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 8 }), async (records) => {
        writeFileSync(path, records.map((each) => `${JSON.stringify(each)}\n`).join(''))
        expect(checkHistory((await readTranscript(path)).messages)).toEqual([])
        await using transcript = await openTranscript(path)
        await transcript.append([user('on')])
        await transcript.appendEvents([assistantEvent(transcript.nextSequence, assistant('m9', call('z')))])
        expect(checkHistory(transcript.messages)).toEqual([])
        const again = (await readTranscript(path)).messages
        expect(checkHistory(again)).toEqual([])
        // Who reads back to a compaction only does not see that its name stands further ahead, too.
        const names = records.map(({ uuid }) => uuid).filter((uuid) => typeof uuid === 'string')
        if (new Set(names).size === names.length) expect(again).toEqual(transcript.messages)
      }),
      { numRuns: 300 },
    )
  })
})

interface Damage {
  readonly at: number
  readonly kind: string
  readonly where: number
  readonly byte: number
}

/** Hurts one line; the ones that may then be unreadable are noted. */
function applyDamage(lines: Buffer[], hit: Set<number>, { at, kind, where, byte }: Damage): void {
  const index = at % lines.length
  const line = lines[index] ?? Buffer.alloc(0)
  const place = line.length === 0 ? 0 : where % line.length
  hit.add(index)
  if (kind === 'flip') lines[index] = flip(line, place, byte === 0x0a ? 0 : byte)
  else if (kind === 'cut') lines[index] = line.subarray(0, place)
  else if (kind === 'drop') lines[index] = Buffer.alloc(0)
  else if (kind === 'nul') lines[index] = Buffer.alloc(place)
  else if (kind === 'junk') lines[index] = Buffer.from(`{"type":"${byte}"}`)
  else {
    // Two programs that write without a lock.
    const next = (index + 1) % lines.length
    hit.add(next)
    lines[index] = Buffer.concat([line.subarray(0, place), lines[next] ?? Buffer.alloc(0)])
    lines[next] = Buffer.alloc(0)
  }
}

function flip(line: Buffer, place: number, byte: number): Buffer {
  const copy = Buffer.from(line)
  if (copy.length > 0) copy[place] = byte
  return copy
}

function hasBlocksOf(messages: readonly Message[], lines: readonly Buffer[]): boolean {
  const found = new Set(
    messages.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.map((block) => JSON.stringify(block)),
    ),
  )
  return lines.every((line) => {
    const record: { message?: { content: object[] } } = JSON.parse(line.toString())
    return (record.message?.content ?? []).every(
      (block) => isLostCall(block) || found.has(JSON.stringify(block)),
    )
  })
}

/** A result goes where its call went: nobody asked for it any more. */
function isLostCall(block: object): boolean {
  return 'type' in block && block.type === 'tool_result'
}

function blockCount(messages: readonly Message[]): number {
  return messages.reduce((count, { content }) => count + content.length, 0)
}

function isResult(message: unknown): boolean {
  return JSON.stringify(message).includes('tool_result')
}
