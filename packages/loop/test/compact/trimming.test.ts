import { checkHistory, isContinuation } from '@x/contract'
import { describe, expect, test } from 'vitest'
import { text } from '../scripted-model.ts'
import { assistant, call, compact, history, result, summarizer, turn, user } from './compact-kit.ts'

// A window of 10,000 tokens: 9,000 make a history too long, 6,750 are enough.
const old = history(
  turn('a', 12_000),
  turn('b', 12_000),
  turn('c', 4_000),
  turn('d', 4_000),
  turn('e', 4_000),
)

describe('old results', () => {
  test('are removed where that is enough, and nothing else changes', async () => {
    const model = summarizer()
    const { end, messages, records, logged } = await compact(old, model, {
      onPreCompact: () => Promise.reject(),
    })
    expect(end.type).toBe('shorter')
    expect(model.requests).toEqual([])
    expect(checkHistory(messages)).toEqual([])
    const changed = messages.flatMap((message, index) => (message === old[index] ? [] : [index]))
    expect(changed).toEqual([2, 4])
    expect(messages[2]).toEqual(
      user(
        result(
          'a',
          '[The result of this old call was removed to save space: Read {"file_path":"/a.ts"}, about 3014 tokens. Make the call again if you need it.]',
        ),
      ),
    )
    expect(logged).toEqual([[{ kind: 'trim', trigger: 'auto', preTokens: expect.any(Number) }, messages]])
    expect(records).toMatchObject([
      {
        subtype: 'informational',
        level: 'info',
        content: expect.stringMatching(/^Old tool results, about \d+/),
      },
    ])
  })

  test('that were removed stay byte-equal when more of them are', async () => {
    const once = await compact(old, summarizer())
    const again = await compact(structuredClone(old), summarizer())
    expect(JSON.stringify(again.messages)).toBe(JSON.stringify(once.messages))
    const grown = [...once.messages, ...turn('f', 12_000), ...turn('g', 12_000), ...turn('h', 4_000)]
    const longer = [...grown, ...turn('i', 4_000), ...turn('j', 4_000)]
    const twice = await compact(longer, summarizer(), { keepTurns: 2 })
    expect(twice.end.type).toBe('shorter')
    expect(twice.logged[0]?.[0].kind).toBe('trim')
    expect(twice.messages.slice(0, 5)).toEqual(once.messages.slice(0, 5))
    expect(isContinuation(once.messages.slice(0, 5), twice.messages)).toBe(true)
    expect(twice.messages[2]).toBe(once.messages[2])
  })

  test('of calls that are better not made again stay, but for those that lie in a file', async () => {
    const stored = `<persisted-output>\nThe output is 90000 characters long, too long to show. All of it is in: /results/a.txt\n\n${'x'.repeat(12_000)}\n</persisted-output>`
    const started = [assistant(call('s', 'Bash')), user(result('s', stored))]
    const { messages } = await compact(
      history(started, turn('b', 8_000, 'Bash'), ...['c', 'd', 'e'].map((id) => turn(id, 4_000))),
      summarizer(),
    )
    expect(messages[2]?.content).toEqual([
      result(
        's',
        expect.stringMatching(
          /^\[The result of this old call was removed .* All of it is in: \/results\/a\.txt\]$/,
        ) as never,
      ),
    ])
    expect(messages[4]).toEqual(turn('b', 8_000, 'Bash')[1])
  })

  test('that load tools, and small ones, stay', async () => {
    const loads = [
      assistant(call('s')),
      user(result('s', [text('x'.repeat(9_000)), { type: 'tool_reference', tool_name: 'Web' } as never])),
    ]
    const rest = [turn('a', 1_000), turn('b', 12_000), ...['c', 'd', 'e'].map((id) => turn(id, 2_000))]
    const { messages } = await compact(history(loads, ...rest), summarizer())
    expect(messages[2]).toEqual(loads[1])
    expect(messages[4]).toEqual(turn('a', 1_000)[1])
    expect(messages[6]).not.toEqual(turn('b', 12_000)[1])
  })

  test('of pictures go too, and of several calls each for itself', async () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
    } as const
    const parallel = [
      assistant(call('p'), call('q', 'Edit'), call('r')),
      user(result('p', [image, image]), result('q', 'x'.repeat(4_000)), result('r', 'x'.repeat(20_000))),
    ]
    const { messages } = await compact(
      history(parallel, ...['c', 'd', 'e'].map((id) => turn(id, 2_000))),
      summarizer(),
    )
    expect(messages[2]?.content).toEqual([
      result('p', expect.stringContaining('about 3200 tokens') as never),
      result('q', 'x'.repeat(4_000)),
      result('r', expect.stringContaining('/r.ts') as never),
    ])
  })

  test('of calls with long inputs leave a short note, without half a character', async () => {
    const input = { pp: '\u{1F600}'.repeat(500) }
    const asked = [assistant({ ...call('a'), input }), user(result('a', 'x'.repeat(24_000)))]
    const { messages } = await compact(
      history(asked, ...['c', 'd', 'e'].map((id) => turn(id, 4_000))),
      summarizer(),
    )
    expect(checkHistory(messages)).toEqual([])
    expect(JSON.stringify(messages[2]).length).toBeLessThan(500)
  })

  test('are not removed where the user asks for a summary, or where it would not be enough', async () => {
    const manual = await compact(old, summarizer(), { request: { reason: 'manual' } })
    expect(manual.logged[0]?.[0]).toMatchObject({ kind: 'summary', trigger: 'manual' })
    const full = await compact(old, summarizer(), { request: { contextTokens: 100_000 } })
    expect(full.logged[0]?.[0]).toMatchObject({ kind: 'summary', preTokens: 100_000 })
  })
})
