import type { ToolUseContext } from '@x/contract'
import { expect, test } from 'vitest'
import { play, tool } from './kit.ts'
import { blockSteps, call, message, type Step, scriptedModel, text } from './scripted-model.ts'

test('modifiers of calls side by side count on the batch engine, also beside a call whose input is broken', async () => {
  const move = tool('Move', {
    run: async (input) => ({
      data: 'moved',
      contextModifier: (before: ToolUseContext) => ({ ...before, cwd: `${before.cwd}/${nameOf(input)}` }),
    }),
  })
  const broken: Step[] = blockSteps(call('b', 'Move'), 1).map((event) =>
    event.type === 'block-end' ? { ...event, inputError: 'cut' } : event,
  )
  const story = () =>
    scriptedModel(
      message(call('a', 'Move', { to: 'a' }), broken, call('c', 'Move', { to: 'c' })),
      message(text('Done.')),
    )
  const batch = await play(story(), { engine: 'batch', tools: () => [move] })
  expect(batch.end.context.cwd).toBe('/project/a/c')
  const streaming = await play(story(), { engine: 'streaming', tools: () => [move] })
  expect(streaming.end.context.cwd).toBe('/project')
})

function nameOf(input: unknown): string {
  return String((input as { readonly to?: unknown }).to)
}
