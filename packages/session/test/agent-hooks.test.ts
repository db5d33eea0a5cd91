import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import type { QueryOptions } from '../src/index.ts'
import { agent, startByPrompt } from './places.ts'
import { collect, textOf, toolResultsOf } from './scripted.ts'

const glob = toolUse('Glob', { pattern: '*' })

/** Hooks in code that note what they are told. */
function listen(...events: readonly string[]) {
  const told: Record<string, unknown>[] = []
  const note = (input: object) => void told.push({ ...input })
  return { told, hooks: Object.fromEntries(events.map((event) => [event, [{ hooks: [note] }]])) }
}

/** Of each event, what it was told of these fields. */
function pick(told: readonly Record<string, unknown>[], ...names: readonly string[]): readonly unknown[] {
  return told.map((input) => [input['hook_event_name'], ...names.map((name) => input[name])])
}

describe('the hooks of a session that is an agent', () => {
  it('are told its type, and those of its agents theirs (hooks.md 2.1, E6)', async () => {
    await using scripted = await startByPrompt({ MAIN: [agent('LEAF'), text('Done.')], LEAF: [glob] })
    const { told, hooks } = listen('SessionStart', 'UserPromptSubmit', 'PreToolUse', 'SubagentStop', 'Stop')
    const agents = { boss: { description: 'b', prompt: 'You are the boss.' } }
    await collect(scripted.ask('MAIN', { agents, agent: 'boss', hooks }))
    expect(pick(told, 'agent_type', 'agent_id')).toEqual([
      ['SessionStart', 'boss', undefined],
      ['UserPromptSubmit', 'boss', undefined],
      ['PreToolUse', 'boss', undefined],
      ['PreToolUse', 'general-purpose', expect.any(String)],
      ['SubagentStop', 'general-purpose', expect.any(String)],
      ['Stop', 'boss', undefined],
    ])
  })
})

describe('the hooks of an agent', () => {
  const rev = (more: object): QueryOptions => ({
    agents: { rev: { description: 'd', prompt: 'You review.', ...more } },
  })
  const callRev = agent('LEAF', { subagent_type: 'rev' })

  it('are told its own permission mode, where they are told one (hooks.md 2.1)', async () => {
    await using scripted = await startByPrompt({ MAIN: [callRev, text('Done.')], LEAF: [glob] })
    const events = ['SubagentStart', 'PreToolUse', 'PostToolUse', 'SubagentStop', 'Stop']
    const { told, hooks } = listen(...events)
    await collect(scripted.ask('MAIN', { ...rev({ permissionMode: 'dontAsk' }), hooks }))
    expect(pick(told, 'permission_mode')).toEqual([
      ['PreToolUse', 'default'],
      ['SubagentStart', undefined],
      ['PreToolUse', 'dontAsk'],
      ['PostToolUse', 'dontAsk'],
      ['SubagentStop', 'dontAsk'],
      ['PostToolUse', 'default'],
      ['Stop', 'default'],
    ])
  })

  it('that its definition brings answer its requests for permission, and no others', async () => {
    const ask = toolUse('Bash', { command: 'node -e 0 > made' })
    const allow = { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } }
    const command = `cat > asked.json; echo '${JSON.stringify({ hookSpecificOutput: allow })}'`
    const hooks = { PermissionRequest: [{ hooks: [{ type: 'command', command }] }] }
    await using scripted = await startByPrompt({
      MAIN: [callRev, agent('OTHER'), text('Done.')],
      LEAF: [ask],
      OTHER: [toolUse('Bash', { command: 'node -e 0 > more' })],
    })
    const own = rev({ hooks, permissionMode: 'acceptEdits' })
    const events = await collect(scripted.ask('MAIN', own))
    expect([scripted.read('made'), scripted.read('more')]).toEqual([expect.any(String), undefined])
    expect(JSON.parse(scripted.read('asked.json') ?? '')).toMatchObject({
      agent_type: 'rev',
      permission_mode: 'acceptEdits',
      tool_name: 'Bash',
    })
    expect(toolResultsOf(events).map(textOf).join('\n')).toContain('node -e 0')
  })

  it('name the type of agents among the background tasks (hooks.md E13, E16)', async () => {
    const gate = Promise.withResolvers<void>()
    await using scripted = await startByPrompt({
      MAIN: [agent('LEAF', { run_in_background: true }), text('Done.')],
      LEAF: [glob],
    })
    const told: unknown[] = []
    const hold = { matcher: 'Glob', hooks: [() => gate.promise] }
    const note = (input: object) => {
      told.push(Object(input)['background_tasks'])
      gate.resolve()
    }
    const hooks = { PreToolUse: [hold], Stop: [{ hooks: [note] }] }
    await collect(scripted.ask('MAIN', { hooks }))
    expect(told[0]).toEqual([
      {
        id: expect.any(String),
        type: 'local_agent',
        status: 'running',
        description: 'a task',
        agent_type: 'general-purpose',
      },
    ])
  })
})
