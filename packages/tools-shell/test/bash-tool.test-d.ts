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
  expectTypeOf(bash.call).returns.toEqualTypeOf<Promise<ToolResult<BashResult>>>()
  expectTypeOf(bash.call).parameter(0).toHaveProperty('command').toEqualTypeOf<string>()
  expectTypeOf(bash.call).parameter(4).toEqualTypeOf<(progress: BashProgress) => void>()
})

test('what the environment says fits into the options', (): void => {
  const tasks: TaskRegistry = {} as TaskRegistry
  createBashTool({ tasks, ...readBashEnvironment(process.env) })
  // @ts-expect-error -- an option of this name does not exist
  createBashTool({ timeoutMs: 1 })
})
