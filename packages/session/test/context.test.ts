import { defineTool, type ToolUseContext } from '@x/contract'
import { text, toolUse } from '@x/model-anthropic/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, startByPrompt } from './places.ts'
import { collect } from './scripted.ts'

it('tools find in their context what the session was made with, in agents too (A5)', async () => {
  await using scripted = await startByPrompt({
    MAIN: [toolUse('Look', {}), agent('LEAF'), text('Done.')],
    LEAF: [toolUse('Look', {}), text('Seen.')],
  })
  const contexts: ToolUseContext[] = []
  const look = defineTool({
    name: 'Look',
    description: 'Looks.',
    inputSchema: z.strictObject({}),
    isReadOnly: () => true,
    call: async (_input, context) => (contexts.push(context), { data: '' }),
    mapResult: (_output, id) => ({ type: 'tool_result', tool_use_id: id, content: 'seen' }),
  })
  const lines: string[] = []
  await collect(
    scripted.ask('MAIN', {
      extraTools: [look],
      systemPrompt: 'Be brief.',
      appendSystemPrompt: 'Be kind.',
      maxBudgetUsd: 5,
      debug: (line) => lines.push(line),
    }),
  )
  expect(contexts.map(({ agent: who }) => who?.type)).toEqual([undefined, 'general-purpose'])
  for (const { options } of contexts) {
    expect(options).toMatchObject({
      customSystemPrompt: 'Be brief.',
      appendSystemPrompt: 'Be kind.',
      maxBudgetUsd: 5,
      debug: true,
    })
    expect(options.refreshTools?.().map(({ name }) => name)).toContain('Look')
  }
})
