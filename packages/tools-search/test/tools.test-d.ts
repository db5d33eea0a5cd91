import {
  type createGlobTool,
  type createGrepTool,
  type GlobToolResult,
  type GrepToolResult,
  readSearchEnvironment,
} from '@x/tools-search'
import { expectTypeOf, test } from 'vitest'

test('the result of a call is typed', () => {
  type GlobAnswer = Awaited<ReturnType<ReturnType<typeof createGlobTool>['call']>>
  type GrepAnswer = Awaited<ReturnType<ReturnType<typeof createGrepTool>['call']>>

  expectTypeOf<GlobAnswer['data']>().toEqualTypeOf<GlobToolResult>()
  expectTypeOf<GrepAnswer['data']>().toEqualTypeOf<GrepToolResult>()
})

test('the input is what the schema takes', () => {
  type GrepInput = Parameters<ReturnType<typeof createGrepTool>['call']>[0]

  expectTypeOf<{ pattern: string; '-i': true; output_mode: 'count' }>().toExtend<GrepInput>()
  expectTypeOf<{ pattern: string; output_mode: 'lines' }>().not.toExtend<GrepInput>()
  expectTypeOf<{ path: string }>().not.toExtend<GrepInput>()
})

test('options from the environment fit both tools', () => {
  expectTypeOf(readSearchEnvironment({})).toExtend<Parameters<typeof createGlobTool>[0]>()
  expectTypeOf(readSearchEnvironment({})).toExtend<Parameters<typeof createGrepTool>[0]>()
})
