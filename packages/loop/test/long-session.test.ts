import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { play, tool } from './kit.ts'
import { call, message, scriptedModel } from './scripted-model.ts'

const tools = () => [tool('Read')]

test('hundreds of calls on one controller leave no listener and cause no warning', async () => {
  const warned = vi.fn()
  process.on('warning', warned)
  const controller = new AbortController()
  const counts = new Set<number>()
  const postSampling = [
    () => void counts.add(EventEmitter.getEventListeners(controller.signal, 'abort').length),
  ]
  for (let query = 0; query < 10; query += 1) {
    const turns = Array.from({ length: 50 }, (_, turn) => message(call(`c${turn}`, 'Read')))
    const played = await play(scriptedModel(...turns), { tools, controller, postSampling })
    expect(played.listeners).toBe(0)
  }
  const parallel = Array.from({ length: 200 }, (_, index) => call(`p${index}`, 'Read'))
  const wide = await play(scriptedModel(message(...parallel)), { tools, controller, postSampling })
  expect(wide.end.messages[2]?.content).toHaveLength(200)
  expect(Math.max(...counts)).toBeLessThan(10)
  expect(wide.listeners).toBe(0)
  expect(warned).not.toHaveBeenCalled()
  process.off('warning', warned)
})
