import {
  type ProcessExit,
  type ProcessHandle,
  type ProcessResult,
  runProcess,
  startProcess,
} from '@x/process'
import { expectTypeOf, test } from 'vitest'

test('an exit tells by its kind which facts it has', () => {
  expectTypeOf<Extract<ProcessExit, { kind: 'exited' }>['code']>().toEqualTypeOf<number>()
  expectTypeOf<Extract<ProcessExit, { kind: 'failed-to-start' }>['code']>().toEqualTypeOf<string>()
  expectTypeOf<ProcessExit>().toHaveProperty('leftovers')
  // @ts-expect-error a code is only there when it exited by itself
  expectTypeOf<ProcessExit>().toHaveProperty('code')
})

test('the calls return a handle and a result', () => {
  expectTypeOf(startProcess).returns.toEqualTypeOf<ProcessHandle>()
  expectTypeOf(runProcess).returns.resolves.toEqualTypeOf<ProcessResult>()
})

test('an output needs what it goes to', () => {
  // @ts-expect-error a file needs its path
  void (() => startProcess('true', [], { output: { to: 'file' } }))
  // @ts-expect-error lines need their receiver
  void (() => startProcess('true', [], { output: { to: 'lines' } }))
})
