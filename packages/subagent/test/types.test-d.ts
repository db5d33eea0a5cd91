import type { RunAgent } from '@x/contract'
import { expectTypeOf, test } from 'vitest'
import {
  type AgentOutput,
  type AgentsOptions,
  type AgentWorktree,
  createAgents,
  createAgentTool,
  type Worktrees,
} from '../src/index.ts'

test('two options are required', () => {
  type Required = {
    [Key in keyof AgentsOptions]-?: object extends Pick<AgentsOptions, Key> ? never : Key
  }[keyof AgentsOptions]
  expectTypeOf<Required>().toEqualTypeOf<'definitions' | 'runAgent'>()
})

test('a loop of a few lines is a loop', () => {
  const runAgent: RunAgent = async ({ prompt }) => ({ reason: 'completed', messages: prompt })
  const tool = createAgentTool(createAgents({ definitions: () => [], runAgent }))
  type Data = Awaited<ReturnType<typeof tool.call>>['data']
  expectTypeOf<Data>().toEqualTypeOf<AgentOutput>()
})

test('the output tells a launch from an end', () => {
  const output: AgentOutput = JSON.parse('{}')
  if (output.status === 'async_launched') expectTypeOf(output.taskId).toEqualTypeOf<string>()
  else expectTypeOf(output.report.lastText).toEqualTypeOf<string>()
})

test('whoever makes worktrees may know more of them', () => {
  type Known = Worktrees<AgentWorktree & { readonly base: string }>
  expectTypeOf<Known>().toExtend<Worktrees>()
})
