import {
  type AbortKind,
  AbortReason,
  abortReasonOf,
  createAbortController,
  createChildAbortController,
  isAbortReason,
  TimeoutReason,
} from '@x/abort'
import { expect, test } from 'vitest'

const kinds: readonly AbortKind[] = [
  'user-cancel',
  'user-interrupt',
  'sibling-failed',
  'permission-rejected',
  'streaming-fallback',
  'host-stopped',
  'timeout',
]

test.each(kinds)('%s reaches every child unchanged and can be told apart', (kind) => {
  const root = createAbortController()
  const { signal } = createChildAbortController(createChildAbortController(root))
  const reason = new AbortReason(kind)
  root.abort(reason)
  expect(signal.reason).toBe(reason)
  expect(abortReasonOf(signal)?.kind).toBe(kind)
  expect(reason).toBeInstanceOf(Error)
  expect(reason.name).toBe('AbortError')
  expect(reason.message).not.toBe('')
})

test('carries message, facts and cause', () => {
  const cause = new Error('mkdir failed')
  const reason = new AbortReason('sibling-failed', {
    message: 'mkdir failed beside it',
    facts: { toolUseId: 'toolu_1', toolName: 'Bash' },
    cause,
  })
  expect(reason).toMatchObject({
    kind: 'sibling-failed',
    message: 'mkdir failed beside it',
    facts: { toolUseId: 'toolu_1', toolName: 'Bash' },
  })
  expect(reason.cause).toBe(cause)
  expect(new AbortReason('user-cancel')).not.toHaveProperty('cause')
})

test('of a time limit is a TimeoutReason with the limit', () => {
  expect(new TimeoutReason(30)).toBeInstanceOf(AbortReason)
  expect(new TimeoutReason(30)).toMatchObject({ kind: 'timeout', facts: { timeoutMs: 30 } })
})

test('isAbortReason knows its own kind and those of another copy of the package', async () => {
  const url = new URL('../src/abort-reason.ts?second-copy', import.meta.url).href
  const copy: { AbortReason: typeof AbortReason } = await import(url)
  expect(copy.AbortReason).not.toBe(AbortReason)
  expect(isAbortReason(new copy.AbortReason('user-cancel'))).toBe(true)
  expect(isAbortReason(new TimeoutReason(1))).toBe(true)
  for (const other of [
    undefined,
    null,
    'user-cancel',
    {},
    new Error('x'),
    new DOMException('x', 'AbortError'),
  ]) {
    expect(isAbortReason(other)).toBe(false)
  }
})

test('abortReasonOf is undefined for a live signal and for another reason', () => {
  expect(abortReasonOf(new AbortController().signal)).toBe(undefined)
  expect(abortReasonOf(AbortSignal.abort('text'))).toBe(undefined)
})
