import { checkHistory, type Message, repairHistory } from '@x/contract'
import { describe, expect, test } from 'vitest'
import { assistant, call, half, missing, result, text, user } from './history-builders.ts'

const hi: Message = { role: 'user', content: 'Hi' }

interface Case {
  readonly title: string
  readonly history: readonly unknown[]
  readonly mended: readonly unknown[]
  readonly faults: readonly string[]
}

const cases: readonly Case[] = [
  {
    title: 'text before the results goes behind them',
    history: [hi, assistant(call('a')), user(text('and'), result('a'))],
    mended: [hi, assistant(call('a')), user(result('a'), text('and'))],
    faults: ['misplaced-result 2.1'],
  },
  {
    title: 'an is_error that is no boolean goes',
    history: [hi, assistant(call('a')), user({ ...result('a'), is_error: 'yes' })],
    mended: [hi, assistant(call('a')), user(result('a'))],
    faults: ['malformed-block 2.0'],
  },
  {
    title: 'a call at the end gets its result in a new message',
    history: [hi, assistant(call('a'))],
    mended: [hi, assistant(call('a')), user(missing('a'))],
    faults: ['missing-result 1.0'],
  },
  {
    title: 'a hole in the middle is filled, what was there stays',
    history: [hi, assistant(call('a'), call('b')), user(result('a'), text('go on')), assistant(text('ok'))],
    mended: [
      hi,
      assistant(call('a'), call('b')),
      user(result('a'), missing('b'), text('go on')),
      assistant(text('ok')),
    ],
    faults: ['missing-result 1.1'],
  },
  {
    title: 'a result before its call is dropped',
    history: [user(result('a'), text('x')), assistant(call('a')), user(text('y'))],
    mended: [user(text('x')), assistant(call('a')), user(missing('a'), text('y'))],
    faults: ['misplaced-result 0.0', 'missing-result 1.0'],
  },
  {
    title: 'a result of nobody is dropped, and its message where nothing else is left',
    history: [hi, assistant(text('one')), user(result('zz')), assistant(text('two'))],
    mended: [hi, assistant(text('one'), text('two'))],
    faults: ['empty-message 2', 'foreign-result 2.0', 'role-order 3'],
  },
  {
    title: 'of two results for one call the first stays',
    history: [hi, assistant(call('a')), user(result('a', 'first'), result('a', 'second'))],
    mended: [hi, assistant(call('a')), user(result('a', 'first'))],
    faults: ['duplicate-result 2.1'],
  },
  {
    title: 'results go first and in the order of the calls',
    history: [hi, assistant(call('a'), call('b')), user(text('t'), result('b'), result('a'))],
    mended: [hi, assistant(call('a'), call('b')), user(result('a'), result('b'), text('t'))],
    faults: ['misplaced-result 2.2'],
  },
  {
    title: 'results that follow in messages of their own are gathered',
    history: [hi, assistant(call('a'), call('b')), user(result('b')), user(result('a')), user(text('t'))],
    mended: [hi, assistant(call('a'), call('b')), user(result('a'), result('b'), text('t'))],
    faults: ['misplaced-result 2.0', 'role-order 3', 'misplaced-result 3.0', 'role-order 4'],
  },
  {
    title: 'two calls of one id pair by position and get ids of their own',
    history: [
      hi,
      assistant(call('x', { n: 1 }), call('x', { n: 2 })),
      user(result('x', '1'), result('x', '2')),
    ],
    mended: [
      hi,
      assistant(call('x', { n: 1 }), call('x_2', { n: 2 })),
      user(result('x', '1'), result('x_2', '2')),
    ],
    faults: ['duplicate-id 1.1'],
  },
  {
    title: 'an id of an earlier message is used once only',
    history: [
      hi,
      assistant(call('x')),
      user(result('x')),
      assistant(call('x'), call('x_2')),
      user(result('x'), result('x_2')),
    ],
    mended: [
      hi,
      assistant(call('x')),
      user(result('x')),
      assistant(call('x_2'), call('x_2_2')),
      user(result('x_2'), result('x_2_2')),
    ],
    faults: ['duplicate-id 3.0', 'duplicate-id 3.1'],
  },
  {
    title: 'an empty id is replaced on both sides',
    history: [hi, assistant(call(''), call('')), user(result('', '1'), result('', '2'))],
    mended: [
      hi,
      assistant(call('call_1'), call('call_2')),
      user(result('call_1', '1'), result('call_2', '2')),
    ],
    faults: ['empty-id 1.0', 'empty-id 1.1'],
  },
  {
    title: 'empty text goes, thoughts stay as they are',
    history: [
      hi,
      assistant(
        { type: 'thinking', thinking: '', signature: 's1' },
        { type: 'redacted_thinking', data: half },
        text(''),
        text(' \n'),
        call('a'),
      ),
      user(result('a')),
    ],
    mended: [
      hi,
      assistant(
        { type: 'thinking', thinking: '', signature: 's1' },
        { type: 'redacted_thinking', data: half },
        call('a'),
      ),
      user(result('a')),
    ],
    faults: ['empty-block 1.2', 'empty-block 1.3'],
  },
  {
    title: 'half a character is replaced wherever it is sent',
    history: [
      hi,
      assistant(text(`t${half}`), call('a', { [`k${half}`]: [{ deep: half }] })),
      user(
        { type: 'tool_result', tool_use_id: 'a', content: [text(`r${half}`)] },
        { ...result('b', half), tool_use_id: half },
      ),
    ],
    mended: [
      hi,
      assistant(text('t\ufffd'), call('a', { 'k\ufffd': [{ deep: '\ufffd' }] })),
      user({ type: 'tool_result', tool_use_id: 'a', content: [text('r\ufffd')] }),
    ],
    faults: [
      'malformed-text 1.0',
      'malformed-text 1.1',
      'malformed-text 2.0',
      'malformed-text 2.1',
      'foreign-result 2.1',
    ],
  },
  {
    title: 'neighbours of one role become one message',
    history: [hi, user(text('more')), assistant(text('a')), { role: 'assistant', content: 'b', id: 'm2' }],
    mended: [user(text('Hi'), text('more')), assistant(text('a'), text('b'))],
    faults: ['role-order 1', 'role-order 3'],
  },
  {
    title: 'a message stored in pieces is one message',
    history: [hi, { ...assistant(call('a')), id: 'm1' }, { ...assistant(call('b')), id: 'm1' }],
    mended: [hi, { ...assistant(call('a'), call('b')), id: 'm1' }, user(missing('a'), missing('b'))],
    faults: ['missing-result 1.0', 'role-order 2', 'missing-result 2.0'],
  },
  {
    title: 'a lost user message between two answers of the model is made anew',
    history: [
      hi,
      { ...assistant(call('a')), id: 'm1' },
      { ...assistant(call('b')), id: 'm2' },
      user(result('b')),
    ],
    mended: [
      hi,
      { ...assistant(call('a')), id: 'm1' },
      user(missing('a')),
      { ...assistant(call('b')), id: 'm2' },
      user(result('b')),
    ],
    faults: ['missing-result 1.0', 'role-order 2'],
  },
  {
    title: 'a history without a beginning gets one',
    history: [assistant(text('so'))],
    mended: [user(text('[The beginning of this conversation is missing]')), assistant(text('so'))],
    faults: ['role-order 0'],
  },
  {
    title: 'what has no shape is dropped or gets the nearest one',
    history: [
      null,
      7,
      { role: 'system', content: 'x' },
      { role: 'user' },
      {
        role: 'user',
        content: [null, 'bare', { text: 'no type' }, { type: 'text' }, call('u'), text('kept')],
      },
      assistant({ type: 'tool_use', id: 5, input: 'x' }, result('a'), { type: 'new_block', data: half }),
      user({ type: 'tool_result', content: 5, is_error: 'yes' }),
    ],
    mended: [
      user(text('kept')),
      assistant(
        { type: 'tool_use', id: 'call_1', name: 'unknown', input: {} },
        { type: 'new_block', data: half },
      ),
      user({ type: 'tool_result', tool_use_id: 'call_1' }),
    ],
    faults: [
      'empty-message 0',
      'empty-message 1',
      'role-order 2',
      'empty-message 3',
      ...[0, 1, 2, 3, 4].map((index) => `malformed-block 4.${index}`),
      'malformed-block 5.0',
      'empty-id 5.0',
      'misplaced-result 5.1',
      'malformed-block 6.0',
    ],
  },
]

describe('a history with faults', () => {
  test.each(cases)('$title', ({ history, mended, faults }) => {
    const messages = history as readonly Message[]
    const before = JSON.stringify(messages)

    const outcome = repairHistory(messages)

    expect(outcome.messages).toEqual(mended)
    expect(checkHistory(messages).map(show)).toEqual(faults)
    expect(outcome.repaired).toEqual(checkHistory(messages))
    expect(checkHistory(outcome.messages)).toEqual([])
    expect(JSON.stringify(messages)).toBe(before)
  })

  test('the text of a missing result can be chosen', () => {
    const { messages } = repairHistory([hi, assistant(call('a'))], { missingResultText: 'interrupted' })
    expect(messages[2]).toEqual(user({ ...missing('a'), content: 'interrupted' }))
  })

  test('nesting without end is cut, not followed', () => {
    const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown
    const history = [hi, { role: 'assistant', content: [call('a', { deep })] }] as readonly Message[]
    const { messages } = repairHistory(history)
    expect(checkHistory(history).map(show)).toContain('malformed-text 1.0')
    expect(checkHistory(messages)).toEqual([])
    expect(JSON.stringify(messages).length).toBeLessThan(3_000)
  })
})

describe('a history without faults', () => {
  const cached = {
    role: 'assistant',
    content: [{ type: 'server_tool_use', id: half }, text('a'), call('a')],
  }
  const history = [hi, cached, user(result('a', ''), text('b'))] as readonly Message[]

  test('comes back with the same messages in a new array', () => {
    const { messages, repaired } = repairHistory(history)
    expect(repaired).toEqual([])
    expect(messages).not.toBe(history)
    expect(messages.every((message, index) => message === history[index])).toBe(true)
  })

  test('an empty one is valid', () => {
    expect(checkHistory([])).toEqual([])
    expect(repairHistory([])).toEqual({ messages: [], repaired: [] })
  })

  test('a block that was added to a message already checked is noticed', () => {
    const blocks = [text('a')]
    const grown: Message = { role: 'assistant', content: blocks }
    expect(checkHistory([hi, grown])).toEqual([])
    blocks.push(text(''))
    expect(checkHistory([hi, grown]).map(show)).toEqual(['empty-block 1.1'])
  })
})

function show(fault: {
  readonly code: string
  readonly messageIndex: number
  readonly blockIndex?: number
}): string {
  const place = fault.blockIndex === undefined ? '' : `.${fault.blockIndex}`
  return `${fault.code} ${fault.messageIndex}${place}`
}
