import type { ToolUseContext } from '@x/contract'
import { describe, expect, test } from 'vitest'
import { play, tool } from './kit.ts'
import { broken, call, fails, message, scriptedModel, text } from './scripted-model.ts'

const fallbackModels = ['other']
/** A message whose call is complete when the service gives up. */
const withdrawn = broken(call('a', 'Look'), [
  { type: 'wait', until: () => new Promise((resolve) => setImmediate(resolve)) },
  fails('overloaded', { status: 529 }),
])

describe('a withdrawn message', () => {
  test('leaves its call ids to the next one', async () => {
    const scripted = scriptedModel(withdrawn, message(call('a', 'Look')), message(text('Done.')))
    const played = await play(scripted, { fallbackModels, tools: () => [tool('Look')] })
    expect(played.end.messages[1]?.content).toEqual([call('a', 'Look')])
  })

  test('is paid for', async () => {
    const scripted = scriptedModel(withdrawn, message(text('Done.')))
    const played = await play(scripted, { fallbackModels, tools: () => [tool('Look')] })
    expect(played.end.usage).toMatchObject({ input_tokens: 20, output_tokens: 6 })
  })

  test('leaves what its calls changed in the context', async () => {
    const move = {
      ...tool('Look', {
        run: async () => ({
          data: 'moved',
          contextModifier: (before: ToolUseContext) => ({ ...before, cwd: '/moved' }),
        }),
      }),
      isConcurrencySafe: () => false,
    }
    const scripted = scriptedModel(withdrawn, message(text('Done.')))
    const played = await play(scripted, { fallbackModels, tools: () => [move] })
    expect(played.end.context.cwd).toBe('/moved')
  })

  test('holds calls with effects back until its own have ended', async () => {
    const log: string[] = []
    const look = tool('Look', {
      run: async () => {
        for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve))
        log.push('Look ended')
        return { data: 'late' }
      },
    })
    const edit = tool('Edit', {
      isReadOnly: false,
      run: async () => {
        log.push('Edit entered')
        return { data: 'edited' }
      },
    })
    const scripted = scriptedModel(withdrawn, message(call('b', 'Edit')), message(text('Done.')))

    await play(scripted, {
      fallbackModels,
      tools: () => [look, edit],
      // No grace ever ends.
      clock: { now: () => 0, setTimeout: () => undefined, clearTimeout: () => undefined },
    })
    expect(log).toEqual(['Look ended', 'Edit entered'])
  })
})

test('each fallback model has its own tries', async () => {
  const down = [fails('overloaded', { status: 529 })]
  const scripted = scriptedModel(down, down, down, message(text('Hi')))
  const played = await play(scripted, { fallbackModels, retry: { maxRetries: 1 } })
  expect(scripted.requests.map(({ model }) => model)).toEqual(['main', 'main', 'other', 'other'])
  expect(played.result).toMatchObject({ is_error: false, result: 'Hi' })
})
