import { PassThrough } from 'node:stream'
import type { AssistantRecord, SessionRecord, ToolProgressRecord, UserRecord } from '@x/contract'
import { expect, it } from 'vitest'
import { createLiveView } from '../src/live/view.ts'

/** A view on a clock that the test sets, and what it has written so far. */
function openView() {
  const stream = new PassThrough()
  const clock = { ms: 0 }
  // oxlint-disable-next-line typescript/no-explicit-any -- a pipe in place of a terminal
  const view = createLiveView({ stream: stream as any, now: () => clock.ms })
  const show = (record: SessionRecord, ms = clock.ms): void => {
    clock.ms = ms
    view.event({ session_id: 's', uuid: 'u', sequence: 0, ...record }, ms)
  }
  return { view, clock, show, written: (): string => String(stream.read() ?? '') }
}

function call(id: string, name: string, input: object): AssistantRecord {
  const block = { type: 'tool_use' as const, id, name, input: { ...input } }
  return {
    type: 'assistant',
    message: { role: 'assistant', content: [block] },
    parent_tool_use_id: null,
  }
}

function phase(id: string, name: string, what: 'start' | 'end'): ToolProgressRecord {
  return {
    type: 'tool_progress',
    tool_use_id: id,
    tool_name: name,
    parent_tool_use_id: null,
    elapsed_time_seconds: 0,
    phase: what,
    ...(what === 'end' && { cause: 'ran' }),
  }
}

function result(id: string, text: string, output?: object): UserRecord {
  const content = [{ type: 'tool_result' as const, tool_use_id: id, content: text }]
  return {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    ...(output !== undefined && { tool_use_result: output }),
  }
}

/** The same, of the agent that the call `a` has started. */
function ofAgent(record: AssistantRecord | ToolProgressRecord | UserRecord): SessionRecord {
  return { ...record, parent_tool_use_id: 'a' }
}

/** Whether a promise has resolved by now. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  return Promise.race([promise.then(() => true), Promise.resolve().then(() => Promise.resolve(false))])
}

/** A command that begins at 0 and ends at `endMs`. */
function runCommand(
  { show }: { readonly show: (record: SessionRecord, ms?: number) => void },
  endMs: number,
) {
  show(call('a', 'Bash', { command: 'make' }), 0)
  show(phase('a', 'Bash', 'start'), 0)
  show(phase('a', 'Bash', 'end'), endMs)
  show(result('a', 'ok'), endMs)
}

it.each([
  [284, '284 ms'],
  [999, '999 ms'],
  [1_000, '1.0 s'],
  [4_797, '4.8 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('a call of %i ms took %s, on its line and on the timeline', (ms, told) => {
  const opened = openView()
  runCommand(opened, ms)
  expect(opened.written()).toContain(`✓ Bash make  ${told}\n`)
  expect(opened.view.timeline().join('\n')).toContain(` ${told}`)
})

it('the time in which a person was asked is not the time of the call', () => {
  const { view, clock, show, written } = openView()
  show(call('a', 'Bash', { command: 'make' }), 0)
  clock.ms = 30_000
  view.answered('a')
  // What came while the question was open is shown behind it, with its own time.
  view.event({ session_id: 's', uuid: 'u', sequence: 0, ...phase('a', 'Bash', 'start') }, 0)
  show(phase('a', 'Bash', 'end'), 32_000)
  show(result('a', 'ok'))
  expect(written()).toContain('✓ Bash make  2.0 s\n')
})

it('a call counts as shown from its own record on', async () => {
  const { view, show } = openView()
  const shown = view.shown('a')
  const before = await isSettled(shown)
  show(call('a', 'Bash', { command: 'make' }))
  expect([before, await isSettled(shown), await isSettled(view.shown('a'))]).toEqual([false, true, true])
})

it('a call that was made in an earlier process goes by the name of its tool', async () => {
  const { view, show, written } = openView()
  show(phase('a', 'Bash', 'start'))
  await view.shown('a')
  expect(written()).toBe('  ▸ Bash\n')
})

it('what agents do stands below their call, beside their own calls only, and of an end the report is shown', () => {
  const { show, written } = openView()
  const input = { description: 'look around', prompt: 'Look at everything.', subagent_type: 'Explore' }
  show({ type: 'system', subtype: 'init', cwd: '/repo' })
  show(call('a', 'Agent', input))
  show(phase('a', 'Agent', 'start'))
  show(ofAgent(call('b', 'Read', { file_path: '/repo/b.ts' })))
  show(ofAgent(phase('b', 'Read', 'start')))
  show(ofAgent(phase('b', 'Read', 'end')), 8)
  show(ofAgent(result('b', 'text')))
  show(phase('a', 'Agent', 'end'), 2_000)
  const content = [{ type: 'text', text: 'All is well.' }]
  show(result('a', 'All is well.\nagentId: 1', { agentId: '1', content, worktreePath: '/repo/w' }))
  expect(written()).toBe(
    [
      '  ▸ Agent look around (Explore)',
      '    ▸ Read b.ts',
      '    ✓ Read b.ts  8 ms',
      '        text',
      '  ✓ Agent look around (Explore)  2.0 s',
      '      All is well.',
      '      its worktree: /repo/w',
      '',
    ].join('\n'),
  )
})

it('of a call that was not permitted is told that it did not run, and not how long that took', () => {
  const { show, written } = openView()
  show(call('a', 'Bash', { command: 'make' }))
  show(phase('a', 'Bash', 'start'))
  show({ ...phase('a', 'Bash', 'end'), cause: 'denied' }, 3)
  show(result('a', 'The user said no.'))
  expect(written()).toContain('Bash make  did not run\n')
})

it('says that a request is tried again, an agent’s too', () => {
  const { show, written } = openView()
  const retry = { attempt: 1, max_retries: 10, retry_delay_ms: 1_500, error: 'overloaded' }
  const { phase: _phase, ...progress } = phase('a', 'Agent', 'start')
  show({ type: 'system', subtype: 'api_retry', ...retry })
  show({ ...progress, subagent_type: 'Explore', subagent_retry: retry })
  const text = 'overloaded; trying again in 1.5 s (1 of 10)'
  expect(written()).toMatch(`  ${text}\n  Agent Explore: ${text}\n`)
})
