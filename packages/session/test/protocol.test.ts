import { block, redacted, text, thinking, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { collect, createTalk, resultsOf, Scripted, textOf, toolResultsOf } from './scripted.ts'
import { createTool, isPhase, lastBlocks, refusals, sentCalls, sentResults } from './wire.ts'

const echo = createTool('Echo', ({ say }) => say)

describe('ids', () => {
  it('that a model repeats, or leaves empty, are made unique, and every call gets its own result', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Echo', { say: 'one' }, { id: 'x' }), toolUse('Echo', { say: 'two' }, { id: 'x' })],
      [toolUse('Echo', { say: 'three' }, { id: 'x' }), toolUse('Echo', { say: 'four' }, { id: '' })],
      [text('Done.')],
    ])
    const events = await collect(scripted.ask('Go', { extraTools: [echo] }))
    expect(refusals(scripted)).toEqual([])
    for (const [index, said] of [
      [1, ['one', 'two']],
      [2, ['three', 'four']],
    ] as const) {
      expect(sentResults(scripted, index).map((result) => result.text)).toEqual(said)
      expect(sentResults(scripted, index).map(({ id }) => id)).toEqual(sentCalls(scripted, index))
    }
    const ids = toolResultsOf(events).map(({ tool_use_id: id }) => id)
    expect(new Set(ids).size).toBe(4)
  })

  it('that break the pattern of the service are mended on both sides', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Echo', { say: 'one' }, { id: 'call:1/ä' }), toolUse('Echo', { say: 'two' }, { id: 'a b' })],
      [text('Done.')],
    ])
    await collect(scripted.ask('Go', { extraTools: [echo] }))
    expect(refusals(scripted)).toEqual([])
    expect(sentResults(scripted, 1).map(({ id }) => id)).toEqual(sentCalls(scripted, 1))
  })
})

describe('blocks', () => {
  it('of thought go back byte-equal and in place; empty text does not, an empty thought with a signature does', async () => {
    await using scripted = await Scripted.start([
      [
        thinking('First, look. 😀'),
        redacted('c2VjcmV0'),
        text(''),
        text('Looking.'),
        thinking(''),
        toolUse('Echo', { say: 'seen' }),
      ],
      [toolUse('Echo', { say: 'again' })],
      [text('Done.')],
    ])
    await collect(scripted.ask('Go', { extraTools: [echo] }))
    expect(refusals(scripted)).toEqual([])
    expect(lastBlocks(scripted, 1, 'assistant').map(({ type }) => type)).toEqual([
      'thinking',
      'redacted_thinking',
      'text',
      'thinking',
      'tool_use',
    ])
    const [first, second] = scripted.server.requests
      .slice(1)
      .map(({ body }) => JSON.stringify(body.messages[1]))
    expect(second).toBe(first)
  })

  it('of a kind that is not known go back as they came', async () => {
    const unknown = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } }
    await using scripted = await Scripted.start([
      [block(unknown), toolUse('Echo', { say: 'seen' })],
      [text('Done.')],
    ])
    await collect(scripted.ask('Go', { extraTools: [echo] }))
    expect(refusals(scripted)).toEqual([])
    expect(lastBlocks(scripted, 1, 'assistant')[0]).toMatchObject(unknown)
  })
})

describe('parallel calls', () => {
  it('that fail in odd ways do not touch the others', async () => {
    const ways = new Map<unknown, () => unknown>([
      [1, () => 'fine'],
      [2, () => thrown(new Error('at once'))],
      [3, () => Promise.reject<unknown>(undefined)],
      [4, () => thrown('only a text')],
      [5, () => ({ toString: () => thrown(new Error('unspeakable')) })],
    ])
    const odd = createTool('Odd', ({ way }) => ways.get(way)?.())
    await using scripted = await Scripted.start([
      [1, 2, 3, 4, 5].map((way) => toolUse('Odd', { way })),
      [text('Done.')],
    ])
    const events = await collect(scripted.ask('Go', { extraTools: [odd] }))
    expect(refusals(scripted)).toEqual([])
    const sent = sentResults(scripted, 1)
    expect(sent.map(({ isError }) => isError)).toEqual([false, true, true, true, true])
    for (const result of sent) expect(result.text).toMatch(/\S/)
    expect(sent.map(({ id }) => id)).toEqual(sentCalls(scripted, 1))
    expect(resultsOf(events)).toMatchObject([{ subtype: 'success', is_error: false }])
  })

  it('give their results in the order of the calls, whatever ends first, and a writing call waits for them', async () => {
    const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<void>())
    const wait = createTool('Wait', async ({ place }) => {
      await gates[Number(place)]?.promise
      return `waited ${String(place)}`
    })
    const write = createTool('Change', () => 'changed', {
      isConcurrencySafe: () => false,
      isReadOnly: () => false,
    })
    const waits = [0, 1, 2, 3].map((place) => toolUse('Wait', { place }))
    await using scripted = await Scripted.start([
      [...waits.slice(0, 2), toolUse('Nope'), ...waits.slice(2), toolUse('Change')],
      [text('Done.')],
    ])
    const order: string[] = []
    let started = 0
    for await (const event of scripted.ask('Go', {
      extraTools: [wait, write],
      permissionMode: 'bypassPermissions',
    })) {
      if (isPhase(event, 'Wait', 'start')) started += 1
      // The fourth begins: the gates open from behind, one after each end.
      if (isPhase(event, 'Wait', 'start') && started === 4) gates[1]?.resolve()
      if (isPhase(event, 'Change', 'start')) order.push('change begins')
      if (!isPhase(event, 'Wait', 'end')) continue
      order.push('wait ends')
      gates[[3, 2, 0][order.length - 1] ?? 0]?.resolve()
    }
    expect(order).toEqual(['wait ends', 'wait ends', 'wait ends', 'wait ends', 'change begins'])
    expect(refusals(scripted)).toEqual([])
    expect(sentResults(scripted, 1).map((result) => result.text)).toEqual([
      'waited 0',
      'waited 1',
      expect.stringContaining('No such tool available: Nope'),
      'waited 2',
      'waited 3',
      'changed',
    ])
    expect(sentResults(scripted, 1).map(({ id }) => id)).toEqual(sentCalls(scripted, 1))
  })

  it('that only read survive the failure of a sibling; those with effects are cancelled and say by whom', async () => {
    await using scripted = await Scripted.start(
      [
        [toolUse('Read', { file_path: 'gone.txt' }), toolUse('Read', { file_path: 'a.txt' })],
        [
          toolUse('Bash', { command: 'touch b.txt; exit 3' }),
          toolUse('Bash', { command: 'touch c.txt' }),
          toolUse('Read', { file_path: 'a.txt' }),
        ],
        [toolUse('Bash', { command: 'grep nothing a.txt' }), toolUse('Bash', { command: 'touch d.txt' })],
        [text('Done.')],
      ],
      { 'a.txt': 'one\n' },
    )
    const events = await collect(scripted.ask('Go', { permissionMode: 'bypassPermissions' }))
    expect(refusals(scripted)).toEqual([])
    expect([1, 2, 3].map((index) => sentResults(scripted, index).map(({ isError }) => isError))).toEqual([
      [true, false],
      [true, true, false],
      [false, false],
    ])
    expect(sentResults(scripted, 2)[1]?.text).toContain('Bash(touch b.txt; exit 3)')
    expect(scripted.read('c.txt')).toBeUndefined()
    expect(scripted.read('d.txt')).toBe('')
    expect(resultsOf(events)).toMatchObject([{ subtype: 'success' }])
  })
})

describe('names', () => {
  it.each([
    'Nope',
    ' Bash',
    'constructor',
    '__proto__',
    'toString',
    'x'.repeat(300),
    'read',
    'mcp__gone__ask',
    '',
    'Réad',
  ])('that no tool has are answered with an error: %j', async (name) => {
    await using scripted = await Scripted.start([
      [toolUse('Echo', { say: 'good' }), toolUse(name, { a: 1 })],
      [text('Done.')],
    ])
    const events = await collect(scripted.ask('Go', { extraTools: [echo] }))
    expect(refusals(scripted)).toEqual([])
    const [good, bad] = sentResults(scripted, 1)
    expect(good).toMatchObject({ text: 'good', isError: false })
    expect(bad).toMatchObject({ isError: true, text: expect.stringContaining(name.slice(0, 100)) })
    expect(resultsOf(events)).toMatchObject([{ subtype: 'success', is_error: false }])
  })
})

describe('long texts', () => {
  it('are cut between characters, in errors and in results, in what is kept and in what is sent', async () => {
    const limits = [100, 200, 1_000, 2_000, 5_000, 10_000].map((limit) => limit / 2)
    const lengths = limits.flatMap((limit) => [limit - 1, limit, limit + 1])
    const smile = (shift: unknown, length: unknown): string =>
      'x'.repeat(Number(shift)) + '😀'.repeat(Number(length))
    const tools = [
      createTool('Fail', ({ shift, length }) => thrown(new Error(smile(shift, length)))),
      createTool('Big', ({ shift, length }) => smile(shift, length), { maxResultSizeChars: 1_000 }),
    ]
    const steps = lengths.flatMap((length) =>
      [0, 1].flatMap((shift) => [toolUse('Fail', { shift, length }), toolUse('Big', { shift, length })]),
    )
    await using scripted = await Scripted.start([
      [...steps, toolUse('Big', { shift: 1, length: 60_000 }), toolUse('😀'.repeat(101))],
      [text('Done.')],
    ])
    const events = await collect(scripted.ask('Go', { extraTools: tools }))
    expect(refusals(scripted)).toEqual([])
    const results = toolResultsOf(events)
    expect(results).toHaveLength(steps.length + 2)
    for (const result of results) expect(textOf(result).isWellFormed()).toBe(true)
    expect(scripted.server.requests[1]?.text.isWellFormed()).toBe(true)
    expect(scripted.server.requests[1]?.text).not.toContain('\ufffd')
  })

  it('that are half a character from the start are mended', async () => {
    const half = createTool('Half', () => 'a\ud83d')
    await using scripted = await Scripted.start([[toolUse('Half')], [text('Done.')]])
    const talk = createTalk()
    talk.say('Say \udc00 it')
    talk.end()
    await collect(scripted.ask(talk.prompt, { extraTools: [half] }))
    expect(refusals(scripted)).toEqual([])
    expect(sentResults(scripted, 1)[0]?.text).toBe('a\ufffd')
  })
})

function thrown(value: unknown): never {
  throw value
}
