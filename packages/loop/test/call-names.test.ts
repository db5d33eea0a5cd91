import { describe, expect, test } from 'vitest'
import { play, tool } from './kit.ts'
import { call, message, scriptedModel as model, text } from './scripted-model.ts'

describe('a call that a service would refuse to take back', () => {
  test.each([
    [' Bash', '_Bash'],
    ['', 'unknown'],
    ['Réad 😀', 'R_ad__'],
    ['x'.repeat(300), 'x'.repeat(128)],
  ])('is kept under a name it takes, and its answer names what was called: %j', async (name, kept) => {
    const played = await play(model(message(call('a', name)), message(text('Done.'))), {
      tools: () => [tool('Read')],
    })
    expect(played.log[1]?.content).toMatchObject([{ type: 'tool_use', id: 'a', name: kept }])
    expect(JSON.stringify(played.log[2]?.content)).toContain(`available: ${name.slice(0, 200)}`)
    expect(played.faults).toEqual([])
  })

  test('gets an id of letters it takes, unique and the same on both sides', async () => {
    const calls = ['a:b', 'a/b', 'a_b', '', 'ä'].map((id) => call(id, 'Read'))
    const played = await play(model(message(...calls), message(text('Done.'))), {
      tools: () => [tool('Read')],
    })
    const ids = ['a_b', 'a_b_1', 'a_b_2', 'call_1', '_']
    expect(played.log[1]?.content).toMatchObject(ids.map((id) => ({ id })))
    expect(played.log[2]?.content).toMatchObject(ids.map((id) => ({ tool_use_id: id })))
    expect(played.faults).toEqual([])
  })
})
