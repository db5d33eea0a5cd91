import type { SessionEvent } from '@x/contract'
import { text, toolUse } from '@x/model-anthropic/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { agent, startByPrompt } from './places.ts'
import { createTool, isPhase } from './wire.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('tells of each call every 30 s while it is at work, an agent’s too (cli.md 3.3)', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await using scripted = await startByPrompt({
    MAIN: [agent('LEAF'), text('Done.')],
    LEAF: [toolUse('Slow', {}), text('Seen.')],
  })
  const isShown = Promise.withResolvers<void>()
  const slow = createTool('Slow', async () => {
    await isShown.promise
    vi.advanceTimersByTime(60_000)
    return 'slow'
  })
  const events: SessionEvent[] = []
  for await (const event of scripted.ask('MAIN', { extraTools: [slow] })) {
    events.push(event)
    if (isPhase(event, 'Slow', 'start')) isShown.resolve()
  }
  vi.advanceTimersByTime(60_000)
  const beats = events.flatMap((event) =>
    event.type === 'tool_progress' && event.heartbeat === true
      ? [[event.tool_name, event.subagent_type, event.phase, typeof event.elapsed_time_seconds]]
      : [],
  )
  const [outer, inner] = [
    ['Agent', undefined, undefined, 'number'],
    ['Slow', 'general-purpose', undefined, 'number'],
  ]
  expect(beats).toEqual([outer, inner, outer, inner])
  expect(vi.getTimerCount()).toBe(0)
})
