import type { SessionEvent } from '@x/contract'
import { cut, delay, silence, stop, text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import type { QueryOptions } from '../src/session-options.ts'
import { collect, resultsOf, Scripted } from './scripted.ts'
import { isPhase, notesOf, refusals, sentCalls, sentResults } from './wire.ts'

const anything: QueryOptions = { permissionMode: 'bypassPermissions' }
const write = (json: string, isOpen = false) => toolUse('Write', {}, { json, isOpen })

describe.concurrent('a connection lost inside the arguments of a call', () => {
  it.each([
    ['in the middle of them', [write('{"file_path":"a.txt","cont', true), cut()]],
    ['before the first of them', [write('', true), cut()]],
    ['where they could be read by luck', [write('{"file_path":"a.txt","content":""}', true), cut()]],
  ])('never runs it, and the message is asked for again: %s', async (_, steps) => {
    await using scripted = await Scripted.start([steps, [text('Again.')]])
    const events = await collect(scripted.ask('Go', anything))
    expect(refusals(scripted)).toEqual([])
    expect(scripted.read('a.txt')).toBeUndefined()
    expect(events.some((event) => isPhase(event, 'Write', 'start'))).toBe(false)
    expect(notesOf(events)).toContain('api_retry')
    expect(scripted.server.requests).toHaveLength(2)
    expect(scripted.server.requests[1]?.text).toBe(scripted.server.requests[0]?.text)
    expect(resultsOf(events)).toMatchObject([{ result: 'Again.', is_error: false }])
  })

  it('ends the turn, where it may not be tried again, as a lost connection and not as an output limit', async () => {
    await using scripted = await Scripted.start([[write('{"file_path":"a.txt","cont', true), cut()]])
    const env = { ...scripted.env, CLAUDE_CODE_MAX_RETRIES: '0' }
    const [result] = resultsOf(await collect(scripted.ask('Go', { ...anything, env })))
    expect(result).toMatchObject({ is_error: true, terminal_reason: 'api_error' })
    expect(result?.result).not.toMatch(/output limit/i)
    expect(scripted.read('a.txt')).toBeUndefined()
  })
})

describe.concurrent('the output limit inside the arguments of a call', () => {
  it('answers the cut call with an error that names the limit; a complete one before it runs', async () => {
    await using scripted = await Scripted.start([
      [
        toolUse('Write', { file_path: 'a.txt', content: 'whole' }),
        write('{"file_path":"b.txt","content":"ha'),
        stop('max_tokens'),
      ],
      [text('Done.')],
    ])
    const events = await collect(scripted.ask('Go', anything))
    expect(refusals(scripted)).toEqual([])
    expect([scripted.read('a.txt'), scripted.read('b.txt')]).toEqual(['whole', undefined])
    expect(sentResults(scripted, 1)).toMatchObject([
      { isError: false },
      { isError: true, text: expect.stringMatching(/output limit/i) },
    ])
    expect(sentResults(scripted, 1).map(({ id }) => id)).toEqual(sentCalls(scripted, 1))
    expect(resultsOf(events)).toMatchObject([{ subtype: 'success', result: 'Done.' }])
  })

  it('does not run a call whose block never ended, even where its input could be read, and says so', async () => {
    await using scripted = await Scripted.start([
      [write('{"file_path":"a.txt","content":"x"}', true), stop('max_tokens')],
      [text('Done.')],
    ])
    await collect(scripted.ask('Go', anything))
    expect(refusals(scripted)).toEqual([])
    expect(scripted.read('a.txt')).toBeUndefined()
    expect(JSON.stringify(scripted.server.requests[1]?.body.messages.at(-1))).toMatch(/output limit/i)
  })

  it('ends the query when several messages in a row are cut so', async () => {
    const lost = [write('{"file_path":"a.txt","content":"ha'), stop('max_tokens')]
    await using scripted = await Scripted.start([lost, lost, lost, lost, [text('Never.')]])
    const [result] = resultsOf(await collect(scripted.ask('Go', anything)))
    expect(refusals(scripted)).toEqual([])
    expect(scripted.server.requests).toHaveLength(4)
    expect(result).toMatchObject({ is_error: true, result: expect.stringMatching(/output limit/i) })
  })
})

describe.concurrent('a text that was delivered in part', () => {
  it('is withdrawn before it is said again, and kept once', async () => {
    await using scripted = await Scripted.start([
      [text('One two three four five', { isOpen: true }), cut()],
      [text('One two three four five six.'), toolUse('Glob', { pattern: '*' })],
      [text('Done.')],
    ])
    const events = await collect(scripted.ask('Go', { includePartialMessages: true }))
    expect(refusals(scripted)).toEqual([])
    expect(notesOf(events).slice(0, 2)).toEqual(['message_withdrawn', 'api_retry'])
    const said = events.flatMap((event) => (event.type === 'assistant' ? [event.message.content] : []))
    expect(said).toMatchObject([
      [{ text: 'One two three four five six.' }, { name: 'Glob' }],
      [{ text: 'Done.' }],
    ])
    expect(scripted.server.requests[2]?.text.match(/One two three/g)).toHaveLength(1)
  })
})

describe.concurrent('silence with the connection open', () => {
  it.each([
    ['before the headers', [silence()]],
    ['after the first events', [text('Well', { isOpen: true }), silence()]],
  ])('%s is ended by the idle limit and tried again', async (_, steps) => {
    await using scripted = await Scripted.start([steps, [text('Here.')]])
    const env = { ...scripted.env, CLAUDE_STREAM_IDLE_TIMEOUT_MS: '150' }
    const events = await collect(scripted.ask('Go', { env }))
    expect(notesOf(events)).toContain('api_retry')
    expect(scripted.server.requests[0]?.isClosedByClient).toBe(true)
    expect(resultsOf(events)).toMatchObject([{ result: 'Here.', is_error: false }])
  })

  it('that comes twice is an error', async () => {
    await using scripted = await Scripted.start([[silence()], [silence()], [text('Never.')]])
    const env = { ...scripted.env, CLAUDE_STREAM_IDLE_TIMEOUT_MS: '150' }
    const events = await collect(scripted.ask('Go', { env }))
    expect(resultsOf(events)).toMatchObject([{ subtype: 'success', is_error: true }])
    expect(scripted.server.requests).toHaveLength(2)
  })

  it.for([
    ['before the headers', false, [delay(1), silence()]],
    ['after the first events', true, [text('Well', { isOpen: true }), silence()]],
  ] as const)('%s ends with an interrupt at once', async ([, hasBegun, steps], { expect }) => {
    await using scripted = await Scripted.start([steps])
    const running = scripted.ask('Go', { includePartialMessages: true })
    const events: SessionEvent[] = []
    const reading = (async () => {
      for await (const event of running) events.push(event)
    })()
    await expect.poll(() => scripted.server.requests).toHaveLength(1)
    await expect.poll(() => events.some(({ type }) => type === 'stream_event')).toBe(hasBegun)
    running.interrupt()
    await reading
    expect(resultsOf(events)).toMatchObject([{ terminal_reason: 'aborted_streaming' }])
    await scripted.server.requests[0]?.ended
    expect(scripted.server.requests[0]?.isClosedByClient).toBe(true)
  })
})
