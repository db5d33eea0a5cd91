import { EventEmitter } from 'node:events'
import { AbortReason } from '@x/abort'
import { checkHistory, repairHistory } from '@x/contract'
import { describe, expect, test } from 'vitest'
import { play, setUp, tool, types } from './kit.ts'
import { blockSteps, call, end, fails, message, scriptedModel, start, text } from './scripted-model.ts'

const cancel = new AbortReason('user-cancel')

/** A tool that never ends by itself. */
function endless(isReadOnly = true): ReturnType<typeof tool> {
  return tool('Wait', {
    isReadOnly,
    run: (_input, { abortController }) =>
      new Promise((_resolve, reject) => {
        abortController.signal.addEventListener('abort', () => reject(abortController.signal.reason))
      }),
  })
}

const silence = {
  type: 'wait' as const,
  until: ({ signal }: { signal: AbortSignal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
}

/** Silence of a service that does not even notice the abort. */
const deafness = { type: 'wait' as const, until: () => new Promise(() => undefined) }

describe('an abort', () => {
  test('before the query keeps the prompt and asks nobody', async () => {
    const controller = new AbortController()
    controller.abort(cancel)
    const scripted = scriptedModel()
    const played = await play(scripted, { controller })
    expect(scripted.requests).toEqual([])
    expect(played.result).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'aborted_streaming',
    })
    expect(played.log).toEqual(played.end.messages)
  })

  test.each([
    ['an obedient', silence],
    ['a deaf', deafness],
  ])('while %s model is silent ends at once; what is complete is kept', async (_name, wait) => {
    const scripted = scriptedModel([start(), ...blockSteps(text('Part.'), 0), wait])
    const { query, controller, log } = setUp(scripted, { includePartialMessages: true })
    setImmediate(() => controller.abort(cancel))
    const records = await Array.fromAsync(query)
    expect(records).toContainEqual(expect.objectContaining({ type: 'assistant', aborted: true }))
    expect(records.at(-1)).toMatchObject({ type: 'result', terminal_reason: 'aborted_streaming' })
    expect(log.slice(1)).toMatchObject([
      { role: 'assistant', content: [text('Part.')] },
      { role: 'user', content: [text('[Request interrupted by user]')] },
    ])
    expect(scripted.requests[0]?.signal.aborted).toBe(true)
    expect(EventEmitter.getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  test.each(['streaming', 'batch'] as const)(
    'while calls run answers each of them in order (%s)',
    async (engine) => {
      const scripted = scriptedModel(
        message(call('a', 'Read'), call('b', 'Wait'), call('c', 'Edit')),
        message(text('Going on')),
      )
      const tools = () => [tool('Read'), endless(), tool('Edit', { isReadOnly: false })]
      const played = await play(scripted, { tools, engine }, (record, { controller }) => {
        const isWaiting =
          record.type === 'tool_progress' && record.tool_use_id === 'b' && record.phase === 'start'
        if (isWaiting) setImmediate(() => controller.abort(cancel))
      })
      expect(played.result).toMatchObject({
        subtype: 'error_during_execution',
        terminal_reason: 'aborted_tools',
      })
      expect(played.end.messages.at(-1)?.content).toMatchObject([
        { tool_use_id: 'a', content: 'Read ran' },
        { tool_use_id: 'b', is_error: true },
        { tool_use_id: 'c', is_error: true },
        text('[Request interrupted by user for tool use]'),
      ])
      expect([played.faults, played.listeners, scripted.requests.length]).toEqual([[], 0, 1])
      const next = await play(scripted, { messages: played.end.messages })
      expect([next.faults, next.result.result]).toEqual([[], 'Going on'])
    },
  )

  test('answers a hundred calls at once, though their tool does not listen', async () => {
    const deaf = tool('Deaf', { run: () => new Promise(() => undefined) })
    const calls = Array.from({ length: 100 }, (_, index) => call(`c${index}`, 'Deaf'))
    const played = await play(
      scriptedModel(message(...calls)),
      { tools: () => [deaf], endGraceMs: 1, maxConcurrency: 100 },
      (record, { controller }) => {
        if (record.type === 'tool_progress' && record.tool_use_id === 'c99') controller.abort(cancel)
      },
    )
    expect(played.end.messages.at(-1)?.content).toHaveLength(101)
    expect([played.faults, played.listeners, played.end.reason]).toEqual([[], 0, 'aborted_tools'])
  })

  test('by the host leaves no word of the user', async () => {
    const { query, controller, log } = setUp(scriptedModel([start(), silence]))
    setImmediate(() => controller.abort(new AbortReason('host-stopped')))
    await Array.fromAsync(query)
    expect(JSON.stringify(log)).not.toContain('interrupted by user')
  })

  test('by a bare No of the user ends the turn as one during tools', async () => {
    const played = await play(scriptedModel(message(call('a', 'Read'))), {
      tools: () => [tool('Read')],
      authorize: async () => ({
        behavior: 'deny',
        message: 'No.',
        interrupt: true,
        reason: { type: 'user', detail: 'the user said no' },
      }),
    })
    expect(played.result.terminal_reason).toBe('aborted_tools')
    expect(played.result.permission_denials).toMatchObject([{ tool_name: 'Read', tool_use_id: 'a' }])
    expect(played.end.messages.at(-1)?.content).toMatchObject([
      { tool_use_id: 'a', is_error: true },
      text('[Request interrupted by user for tool use]'),
    ])
  })

  test('during the wait for a retry ends it', async () => {
    const played = await play(scriptedModel([fails('overloaded')]), {}, (record, { controller }) => {
      if (record.type === 'system') controller.abort(cancel)
    })
    expect(types(played.records)).toEqual(['system/api_retry', 'user', 'result'])
    expect(played.end.reason).toBe('aborted_streaming')
    expect(played.listeners).toBe(0)
  })

  test('after the last message has ended changes nothing', async () => {
    const played = await play(scriptedModel(message(text('Hi'))), {}, (record, { controller }) => {
      if (record.type === 'assistant') controller.abort(cancel)
    })
    expect(played.result).toMatchObject({ subtype: 'success', result: 'Hi' })
  })

  test.each(['streaming', 'batch'] as const)(
    'at any record leaves a valid history and no listener (%s)',
    async (engine) => {
      const script = () => [
        message(text('One'), call('a', 'Read'), call('b', 'Edit')),
        [start(), ...blockSteps(call('c', 'Read'), 0), ...blockSteps(call('d', 'Edit'), 1), end('tool_use')],
        [fails('overloaded')],
        message(text('Done')),
      ]
      const tools = () => [tool('Read'), tool('Edit', { isReadOnly: false })]
      const whole = await play(scriptedModel(...script()), { tools, engine, includePartialMessages: true })
      for (let stopAt = 0; stopAt < whole.records.length; stopAt += 1) {
        let seen = -1
        const played = await play(
          scriptedModel(...script()),
          { tools, engine, includePartialMessages: true },
          (_record, { controller }) => {
            seen += 1
            if (seen === stopAt) controller.abort(cancel)
          },
        )
        expect([stopAt, played.faults, played.listeners]).toEqual([stopAt, [], 0])
        expect(repairHistory(played.log).messages).toEqual(played.end.messages)
      }
    },
  )
})

describe('leaving early', () => {
  test('at any record cancels what runs and leaves a valid, logged history', async () => {
    const tools = () => [tool('Read'), endless(false)]
    for (let count = 1; count <= 5; count += 1) {
      const scripted = scriptedModel(message(text('One'), call('a', 'Read'), call('b', 'Wait')))
      const { query, controller, log } = setUp(scripted, { tools })
      for (let taken = 0; taken < count; taken += 1) await query.next()
      await query.return({} as never)
      await new Promise((resolve) => setImmediate(resolve))
      expect([count, checkHistory(log)]).toEqual([count, []])
      expect(JSON.stringify(log)).toContain('tool_use')
      expect([count, EventEmitter.getEventListeners(controller.signal, 'abort').length]).toEqual([count, 0])
      expect(controller.signal.aborted).toBe(false)
    }
  })
  test('ends the request that still streams', async () => {
    const scripted = scriptedModel([start(), ...blockSteps(call('a', 'Read'), 0), silence])
    const { query } = setUp(scripted, { tools: () => [tool('Read')] })
    await query.next()
    await query.return({} as never)
    expect(scripted.requests[0]?.signal.aborted).toBe(true)
  })

  test('keeps the results of calls that had ended, and waits for the end of the others', async () => {
    let hasEnded = false
    const slow = tool('Slow', {
      run: async (_input, { abortController: { signal } }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve))
        hasEnded = true
        return { data: 'late' }
      },
    })
    const scripted = scriptedModel([
      start(),
      ...blockSteps(call('a', 'Slow'), 0),
      ...blockSteps(call('b', 'Read'), 1),
      silence,
    ])
    const { query, log } = setUp(scripted, {
      tools: () => [slow, tool('Read')],
      clock: { now: () => 0, setTimeout: () => undefined, clearTimeout: () => undefined },
    })
    await query.next()
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve))
    await query.return({} as never)
    expect(hasEnded).toBe(true)
    expect(log.at(-1)?.content).toMatchObject([{ is_error: true }, { content: 'Read ran' }])
  })
})
