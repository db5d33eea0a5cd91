import { setImmediate as nextTurn } from 'node:timers/promises'
import { defineTool } from '@x/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { play } from './kit.ts'
import { call, message, scriptedModel as model, text } from './scripted-model.ts'

test('what a call reports is shown at once, although the model is silent and the call goes on', async () => {
  const seen = Promise.withResolvers<void>()
  const report = defineTool({
    name: 'Report',
    description: 'Reports.',
    inputSchema: z.strictObject({}),
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    // oxlint-disable-next-line max-params -- the shape of every tool
    async call(_input, _context, _canUseTool, _message, onProgress: (progress: string) => void) {
      // By then nobody has anything to do but to wait.
      for (let turn = 0; turn < 5; turn += 1) await nextTurn()
      onProgress('half')
      await seen.promise
      return { data: 'whole' }
    },
    mapResult: (output, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId, content: output }),
  })
  const silent = { type: 'wait', until: () => seen.promise } as const
  const scripted = model(message(call('a', 'Report'), [silent], text('Well.')), message(text('Done.')))
  const played = await play(scripted, { tools: () => [report] }, (record) => {
    if (record.type === 'tool_progress' && record.phase === 'progress') seen.resolve()
  })
  const phases = played.records.flatMap((record) => (record.type === 'tool_progress' ? [record.phase] : []))
  expect(phases).toEqual(['start', 'progress', 'end'])
})
