import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { agentCall, agentFile, noticesIn, requestsOf, startCli } from './agent-script.ts'

const script = {
  Main: [[agentCall('Look', 'kit:rev')], [text('Done.')]],
  Look: [[toolUse('Glob', { pattern: '*' })], [text('Seen.')]],
}
const hooks = { PreToolUse: [{ matcher: 'Glob', hooks: [{ type: 'command', command: 'touch hooked' }] }] }
const files = {
  'kit/.claude-plugin/plugin.json': { name: 'kit' },
  'kit/agents/rev.md': agentFile('rev', 'You review.'),
  'kit/hooks/hooks.json': { hooks },
  'other/agents/only.md': agentFile('only', 'You look.'),
}
const flags = ['--plugin-dir', 'kit', '--plugin-dir', 'other']

describe('--plugin-dir', () => {
  it('brings the agents and hooks of each plugin, in front of the prompt too', async () => {
    await using cli = await startCli(script, files)
    const { code, stdout, stderr } = await cli.run(['-p', ...flags, 'Main'])
    expect([code, stdout, stderr]).toEqual([0, 'Done.\n', ''])
    expect(JSON.stringify(requestsOf(cli, 'Look')[0]?.body.system)).toContain('You review.')
    expect(JSON.stringify(requestsOf(cli, 'Main')[0]?.body.tools)).toContain('other:only')
    expect(cli.read('hooked')).toBe('')
  })

  it('is heard by the lists of agents and hooks, and by a test of hooks', async () => {
    await using cli = await startCli({}, files)
    const agents = await cli.run(['agents', 'list', ...flags])
    expect(agents.stdout).toMatch(/kit:rev {2}For tests\n {2}from plugin \(/)
    const listed = await cli.run(['hooks', 'list', ...flags])
    expect(listed.stdout).toMatch(
      /PreToolUse Glob\n {2}command: touch hooked\n {2}from plugin \(.*hooks\.json\)\n$/,
    )
    await cli.run(['hooks', 'test', '--event', 'PreToolUse', '--plugin-dir', 'kit', '--input', '-'], {
      stdin: '{"tool_name":"Glob","tool_input":{}}',
    })
    expect(cli.read('hooked')).toBe('')
  })

  it('says what is wrong with a plugin, and goes on', async () => {
    await using cli = await startCli(script, { ...files, 'bad/.claude-plugin/plugin.json': '{' })
    const { code, events } = await cli.stream('Main', ...flags, '--plugin-dir', 'bad')
    expect(code).toBe(0)
    expect(events[0]).toMatchObject({
      plugins: [{ name: 'kit' }, { name: 'other' }],
      plugin_errors: [{ type: 'not-loaded' }],
    })
    expect(noticesIn(events).join('\n')).toContain('plugin.json cannot be read: it is not valid JSON')
  })

  it('is an error for a folder that does not exist', async () => {
    await using cli = await startCli({})
    const { code, stderr } = await cli.run(['-p', '--plugin-dir', 'nowhere', 'Main'])
    expect([code, stderr]).toEqual([1, 'Error: --plugin-dir: nowhere is no folder\n'])
  })
})
