import { describe, expect, test } from 'vitest'
import { play, tool, types } from './kit.ts'
import { call, message, scriptedModel as model, text } from './scripted-model.ts'

describe('a query', () => {
  test('ends with the text of a message without calls', async () => {
    const played = await play(model(message(text('Hello'))))
    expect(types(played.records)).toEqual(['assistant', 'result'])
    expect(played.result).toMatchObject({
      subtype: 'success',
      is_error: false,
      result: 'Hello',
      num_turns: 1,
    })
    expect(played.end.reason).toBe('completed')
    expect(played.log).toEqual(played.end.messages)
    expect([played.faults, played.listeners]).toEqual([[], 0])
  })

  test('hands the results of a turn to the next request, in call order', async () => {
    const scripted = model(
      message(text('Looking'), call('a', 'Read'), call('b', 'Read')),
      message(text('Done.')),
    )
    const played = await play(scripted, { tools: () => [tool('Read')] })
    expect(scripted.requests[1]?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Go' }] },
      expect.objectContaining({
        role: 'assistant',
        content: [text('Looking'), call('a', 'Read'), call('b', 'Read')],
      }),
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'Read ran' },
          { type: 'tool_result', tool_use_id: 'b', content: 'Read ran' },
        ],
      },
    ])
    expect(played.result).toMatchObject({ result: 'Done.', num_turns: 2 })
    expect([played.faults, played.listeners]).toEqual([[], 0])
  })
})
