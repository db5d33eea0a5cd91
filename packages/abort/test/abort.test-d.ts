import {
  type AbortKind,
  type AbortReason,
  abortReasonOf,
  anySignal,
  createAbortController,
  createChildAbortController,
  createTimeoutAbortController,
  isAbortReason,
  type TimeoutReason,
} from '@x/abort'
import { expectTypeOf, test } from 'vitest'

test('every controller goes where an AbortController goes, and into using', () => {
  expectTypeOf(createAbortController()).toExtend<AbortController & Disposable>()
  expectTypeOf(createChildAbortController(new AbortController().signal)).toExtend<
    AbortController & Disposable
  >()
  expectTypeOf(createTimeoutAbortController(1)).toExtend<AbortController & Disposable>()
  expectTypeOf(anySignal([])).toExtend<Disposable>()
  expectTypeOf(anySignal([undefined]).signal).toEqualTypeOf<AbortSignal>()
})

test('a reason is narrowed', () => {
  const reason: unknown = undefined
  if (isAbortReason(reason)) expectTypeOf(reason.kind).toEqualTypeOf<AbortKind>()
  expectTypeOf(abortReasonOf(AbortSignal.abort())).toEqualTypeOf<AbortReason | undefined>()
  expectTypeOf<TimeoutReason['facts']['timeoutMs']>().toEqualTypeOf<number>()
})

test('what is no parent, kind or option does not compile', () => {
  // @ts-expect-error a parent is a controller or a signal
  createChildAbortController({})
  // @ts-expect-error an unknown option
  createAbortController({ limit: 1 })
  expectTypeOf<'because'>().not.toExtend<AbortKind>()
})
