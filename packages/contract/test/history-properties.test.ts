import assert from 'node:assert/strict'
import { checkHistory, type Message, repairHistory } from '@x/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { brokenHistory, validHistory } from './random-history.ts'
import { assertAccepted } from './service-rules.ts'

interface Loose {
  readonly [key: string]: unknown
}

const runs = { numRuns: 3_000 }

describe('any history at all', () => {
  test('is one that the service takes, once it is mended', () => {
    holds((history) => {
      const { messages, repaired } = repairHistory(history)
      assertAccepted(messages)
      assert.deepEqual(checkHistory(messages), [])
      assert.deepEqual(repaired, checkHistory(history))
    })
  })

  test('has a fault exactly if mending changes it', () => {
    holds((history) => {
      const { messages } = repairHistory(history)
      const isSame =
        messages.length === history.length && messages.every((message, at) => message === history[at])
      assert.equal(checkHistory(history).length === 0, isSame)
    })
  })

  test('is mended once and for all, and never in place', () => {
    holds((history) => {
      const before = JSON.stringify(history)
      const once = repairHistory(history).messages
      const twice = repairHistory(once).messages
      assert.equal(twice.length, once.length)
      assert.ok(twice.every((message, at) => message === once[at]))
      assert.equal(JSON.stringify(history), before)
    })
  })

  test('keeps its thoughts and foreign blocks, byte by byte and in order', () => {
    holds((history) => {
      const isOpaque = ({ type }: Loose): boolean =>
        ['thinking', 'redacted_thinking', 'server_tool_use'].includes(String(type))
      const opaque = (list: readonly Message[]): unknown => JSON.stringify(blocks(list).filter(isOpaque))
      assert.equal(opaque(repairHistory(history).messages), opaque(history))
    })
  })

  test('keeps every call of the model, in order', () => {
    holds((history) => {
      const calls = (list: readonly Message[]): number => blocks(list, 'assistant').filter(isCall).length
      assert.equal(calls(repairHistory(history).messages), calls(history))
    })
  })

  test('keeps the first result of every call that stands where it belongs', () => {
    holds((history) => {
      const marked = history.map((message, at) => markResults(message, at))
      const kept = blocks(repairHistory(marked).messages, 'user').map((block) => block['content'])
      for (const [at, message] of marked.entries()) {
        const next = marked[at + 1]
        if (roleOf(message) !== 'assistant' || next === undefined || roleOf(next) !== 'user') continue
        if (roleOf(marked[at - 1]) === 'assistant') continue
        const open = blocks([message])
          .filter(isCall)
          .map((block) => keyOf(block['id']))
        for (const result of blocks([next]).filter(isResult)) {
          const call = open.indexOf(keyOf(result['tool_use_id']))
          if (call < 0) continue
          open.splice(call, 1)
          assert.ok(kept.includes(result['content']), 'a real result is gone')
        }
      }
    })
  })

  test('keeps the messages that nothing is wrong with as they are', () => {
    holds((history) => {
      const faulty = new Set(checkHistory(history).flatMap(({ messageIndex: at }) => [at - 1, at, at + 1]))
      const { messages } = repairHistory(history)
      for (const [at, message] of history.entries()) assert.ok(faulty.has(at) || messages.includes(message))
    })
  })

  test('names calls by what came before them alone', () => {
    holds((history) => {
      const ids = (list: readonly Message[]): unknown[] =>
        blocks(repairHistory(list).messages)
          .filter(isCall)
          .map((block) => block['id'])
      const all = ids(history)
      for (const end of history.keys()) {
        const some = ids(history.slice(0, end))
        assert.deepEqual(all.slice(0, some.length), some)
      }
    })
  })
})

test('a valid history has no fault and comes back as it is', () => {
  fc.assert(
    fc.property(validHistory, (history) => {
      assertAccepted(history)
      const { messages, repaired } = repairHistory(history)
      assert.deepEqual(checkHistory(history), [])
      assert.deepEqual(repaired, [])
      assert.ok(
        messages.length === history.length && messages.every((message, at) => message === history[at]),
      )
    }),
    { numRuns: 500 },
  )
})

test('every prefix of the results of a turn needs results and nothing else', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.nat({ max: 8 }), (count, some) => {
      const ids = Array.from({ length: count }, (_, at) => `t${at}`)
      const calls = ids.map((id) => ({ type: 'tool_use' as const, id, name: 'Read', input: {} }))
      const done = ids.slice(0, some).map((id) => ({ type: 'tool_result' as const, tool_use_id: id }))
      const history: Message[] = [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: calls },
      ]
      if (done.length > 0) history.push({ role: 'user', content: done })
      const codes = new Set(checkHistory(history).map(({ code }) => code))
      assert.deepEqual([...codes], some < count ? ['missing-result'] : [])
      assertAccepted(repairHistory(history).messages)
    }),
  )
})

test('checking a long history again looks into no block', () => {
  let reads = 0
  const history = Array.from({ length: 401 }, (_, at): Message => {
    const block = {
      type: 'text' as const,
      get text() {
        reads += 1
        return 'x'
      },
    }
    return { role: at % 2 === 0 ? 'user' : 'assistant', content: [block] }
  })
  checkHistory(history)
  const first = reads
  checkHistory(history)
  repairHistory(history)
  expect(first).toBeGreaterThan(400)
  expect(reads).toBe(first)
})

function holds(promise: (history: readonly Message[]) => void): void {
  fc.assert(fc.property(brokenHistory, promise), runs)
}

function blocks(history: readonly Message[], role?: string): readonly Loose[] {
  return history.flatMap((message) => {
    if (roleOf(message) !== 'user' && roleOf(message) !== 'assistant') return []
    if (role !== undefined && roleOf(message) !== role) return []
    const content: unknown = message.content
    return Array.isArray(content)
      ? content.filter((block: unknown): block is Loose => block instanceof Object)
      : []
  })
}

function roleOf(message: Message | undefined): unknown {
  return message instanceof Object ? message.role : undefined
}

function isCall(block: Loose): boolean {
  return block['type'] === 'tool_use'
}

function isResult(block: Loose): boolean {
  return block['type'] === 'tool_result'
}

function keyOf(id: unknown): string {
  return typeof id === 'string' ? id.toWellFormed() : ''
}

function markResults(message: Message, at: number): Message {
  const content: unknown = message instanceof Object ? message.content : undefined
  if (!Array.isArray(content)) return message
  const marked = content.map((block: Loose | null, index) =>
    block instanceof Object && isResult(block) ? { ...block, content: `${at}.${index}` } : block,
  )
  return JSON.parse(JSON.stringify({ ...message, content: marked }))
}
