import type { Message } from '@x/contract'
import { describe, expect, test } from 'vitest'
import type { Compact } from '../src/index.ts'
import { play, tool } from './kit.ts'
import { call, end, fails, message, scriptedModel, start, text, usage } from './scripted-model.ts'

const tools = () => [tool('Read')]
const summary: Message[] = [{ role: 'user', content: 'Summary: they said Go' }]

function noting(): { reasons: string[]; compact: Compact } {
  const reasons: string[] = []
  return {
    reasons,
    compact: async (_messages, { reason }) => {
      reasons.push(reason)
      return summary
    },
  }
}

describe('a history that outgrows the window', () => {
  test('ends the query where nobody makes it shorter', async () => {
    const scripted = scriptedModel([fails('prompt_too_long', { status: 400 })])
    const played = await play(scripted)
    expect(played.result).toMatchObject({
      subtype: 'success',
      is_error: true,
      api_error_status: 400,
      terminal_reason: 'prompt_too_long',
    })
  })

  test('is made shorter after a request that was too long, once', async () => {
    const { reasons, compact } = noting()
    const scripted = scriptedModel([fails('prompt_too_long')], message(text('Hi')))
    const played = await play(scripted, { compact })
    expect([reasons, scripted.requests[1]?.messages]).toEqual([['prompt-too-long'], summary])
    expect(played.result).toMatchObject({ is_error: false, result: 'Hi' })
    expect(played.end.added).toEqual(played.end.messages)

    const again = await play(scriptedModel([fails('prompt_too_long')], [fails('prompt_too_long')]), {
      compact,
    })
    expect(again.result.terminal_reason).toBe('prompt_too_long')
  })

  test('is made shorter before the window is full', async () => {
    const { reasons, compact } = noting()
    const big = message(call('a', 'Read')).slice(0, -1)
    const scripted = scriptedModel([...big, { ...end('tool_use'), usage: usage(185_000, 10) } as never])
    await play(scripted, { tools, compact })
    expect(reasons).toEqual(['near-limit'])
    expect(scripted.requests[1]?.messages).toEqual(summary)
  })

  test('is made shorter again when it has grown again', async () => {
    const { reasons, compact } = noting()
    const big = (id: string) => [
      ...message(call(id, 'Read')).slice(0, -1),
      { ...end('tool_use'), usage: usage(185_000, 10) } as never,
    ]
    await play(scriptedModel(big('a'), big('b')), { tools, compact })
    expect(reasons).toEqual(['near-limit', 'near-limit'])
  })

  test('is made shorter after a message that met the end of the window', async () => {
    const { reasons, compact } = noting()
    await play(scriptedModel(message(call('a', 'Read'), 'model_context_window_exceeded')), { tools, compact })
    expect(reasons).toEqual(['cut-off'])
  })

  test('is logged before it is made shorter', async () => {
    const order: string[] = []
    const compact: Compact = async (messages) => {
      order.push(`compact ${messages.length}`)
      return summary
    }
    const history = {
      append: async (messages: readonly Message[]) => void order.push(`log ${messages.length}`),
    }
    await play(scriptedModel([fails('prompt_too_long')]), { compact, history })
    expect(order).toEqual(['log 1', 'compact 1', 'log 1'])
  })

  test('is logged with the last results before it is made shorter', async () => {
    const logged: Message[] = []
    const seen: boolean[] = []
    const compact: Compact = async (messages) => {
      seen.push(messages.every((message) => logged.includes(message)))
      return summary
    }
    const history = { append: async (messages: readonly Message[]) => void logged.push(...messages) }
    const big = message(call('a', 'Read')).slice(0, -1)
    const scripted = scriptedModel([...big, { ...end('tool_use'), usage: usage(185_000, 10) } as never])
    await play(scripted, { tools, compact, history })
    expect(seen).toEqual([true])
  })

  test('whose shortening fails or is aborted ends the query', async () => {
    const failing = await play(scriptedModel([fails('prompt_too_long')]), {
      compact: () => Promise.reject(new Error('no summary')),
    })
    expect(failing.result).toMatchObject({ subtype: 'error_during_execution', errors: ['no summary'] })
    const controller = new AbortController()
    const aborted = await play(scriptedModel([start(), fails('prompt_too_long')]), {
      controller,
      compact: () => {
        setImmediate(() => controller.abort())
        return new Promise(() => undefined)
      },
    })
    expect([aborted.result.terminal_reason, aborted.listeners]).toEqual(['aborted_streaming', 0])
  })
})
