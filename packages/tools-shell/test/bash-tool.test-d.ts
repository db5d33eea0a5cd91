import type { TaskRegistry, ToolResult } from '@x/contract'
import {
  type BashProgress,
  type BashResult,
  type BashTool,
  createBashTool,
  readBashEnvironment,
} from '@x/tools-shell'
import { expectTypeOf, test } from 'vitest'

test('the tool’s input, output and progress are inferred', () => {
  const bash = createBashTool()
  expectTypeOf(bash).toEqualTypeOf<BashTool>()
  expectTypeOf<ReturnType<BashTool['call']>>().toEqualTypeOf<Promise<ToolResult<BashResult>>>()
  expectTypeOf<Parameters<BashTool['call']>[0]['command']>().toEqualTypeOf<string>()
  expectTypeOf<Parameters<BashTool['call']>[4]>().toEqualTypeOf<(progress: BashProgress) => void>()
})

test('what the environment says fits into the options', (): void => {
  const tasks: TaskRegistry = {} as TaskRegistry
  createBashTool({ tasks, ...readBashEnvironment(process.env) })
  // @ts-expect-error -- an option of this name does not exist
  createBashTool({ timeoutMs: 1 })
})
