import { createHooks } from '@x/hooks'
import { describe, expect, test } from 'vitest'
import { bash, command, countRuns, runHooks } from './helpers.ts'

const quiet = command('true')

describe('matchers', () => {
  test.each([
    { number: 37, matcher: 'Edit|Write', hits: ['Write', 'Edit'], misses: ['NotebookEdit'] },
    { number: 38, matcher: 'Edit, Write', hits: ['Write', 'Edit'], misses: ['NotebookEdit'] },
    { number: 39, matcher: 'Edit.*', hits: ['NotebookEdit', 'Edit'], misses: ['Write'] },
    { number: 40, matcher: 'bash', hits: [], misses: ['Bash'] },
    { number: 41, matcher: 'mcp__memory', hits: [], misses: ['mcp__memory__read'] },
    { number: 41, matcher: 'mcp__memory__.*', hits: ['mcp__memory__read'], misses: ['mcp__other__read'] },
    { number: 42, matcher: 'mcp__brave-search', hits: [], misses: ['mcp__brave-search__x'] },
    { number: 43, matcher: '', hits: ['Bash', 'Read'], misses: [] },
    { number: 43, matcher: '*', hits: ['Bash', 'Read'], misses: [] },
    { number: 43, matcher: undefined, hits: ['Bash', 'Read'], misses: [] },
    { number: 5.1, matcher: '|', hits: [], misses: ['Bash', ''] },
    { number: 5.1, matcher: 'Edit|', hits: ['Edit'], misses: ['Bash'] },
    { number: 5.1, matcher: '^Edit$', hits: ['Edit'], misses: ['NotebookEdit'] },
  ])('$number. $matcher', async ({ matcher, hits, misses }) => {
    const group = { ...(matcher !== undefined && { matcher }), hooks: [quiet] }
    const runs = (name: string): Promise<number> =>
      countRuns('PreToolUse', { ...bash('ls'), tool_name: name }, [{ hooks: { PreToolUse: [group] } }])
    for (const name of hits) expect(await runs(name)).toBe(1)
    for (const name of misses) expect(await runs(name)).toBe(0)
  })

  test('44. a matcher on Stop is ignored', async () => {
    const sources = [{ hooks: { Stop: [{ matcher: 'Bash', hooks: [quiet] }] } }]
    expect(await countRuns('Stop', { stop_hook_active: false }, sources)).toBe(1)
  })

  test('45. a matcher that is a list costs its group only', async () => {
    const hooks = createHooks([
      { hooks: { PreToolUse: [{ matcher: ['Bash'], hooks: [quiet] }, { hooks: [quiet] }] } },
    ])
    expect(hooks.handlers.length).toBe(1)
    expect(hooks.problems.map(({ message }) => message)).toEqual([
      'hooks.PreToolUse[0].matcher must be a text; the hooks of this entry do not run',
    ])
  })

  test('46. an unknown event is told, the others work', async () => {
    const hooks = createHooks([{ hooks: { PreToolUze: [], Stop: [{ hooks: [quiet] }] } }])
    expect(hooks.problems[0]?.message).toMatch(/^hooks\.PreToolUze is no event that is known/)
    expect(hooks.handlers.length).toBe(1)
  })

  test('an expression that cannot be read blocks a call and skips elsewhere', async () => {
    await using hooks = createHooks({
      PreToolUse: [{ matcher: '(', hooks: [{ type: 'command', command: 'true' }] }],
      PostToolUse: [{ matcher: '(', hooks: [{ type: 'command', command: 'true' }] }],
    })
    expect(hooks.problems.length).toBe(2)
    expect(await hooks.run('PreToolUse', bash('ls'))).toMatchObject({ outcome: 'deny' })
    const after = await hooks.run('PostToolUse', { ...bash('ls'), tool_response: {} })
    expect(after.handlers).toEqual([])
  })

  test('106. the name of a changed file is compared, not its path', async () => {
    const sources = [{ hooks: { FileChanged: [{ matcher: '.envrc|.env', hooks: [quiet] }] } }]
    const runs = (path: string): Promise<number> =>
      countRuns('FileChanged', { file_path: path, event: 'change' }, sources)
    expect(await runs('/project/.env')).toBe(1)
    expect(await runs('/.envrc/other')).toBe(0)
  })

  test('a model is compared without its suffix', async () => {
    const change = {
      from_model: 'a',
      to_model: 'claude-opus-5[1m]',
      requested_model: null,
      source: 'command',
      context_tokens: 0,
      prompt_cache_warm: false,
      cache_ttl: '5m',
      estimated_cache_write_usd: 0,
      pricing: 'default',
    }
    const sources = [{ hooks: { PreModelSwitch: [{ matcher: 'claude-opus-5', hooks: [quiet] }] } }]
    expect(await countRuns('PreModelSwitch', change, sources)).toBe(1)
  })
})

describe('which handlers', () => {
  const same = { PreToolUse: [{ hooks: [quiet] }] }

  test('34. one command in two settings files runs once', async () => {
    const sources = [
      { hooks: same, origin: 'user' as const },
      { hooks: same, origin: 'project' as const },
    ]
    expect(await countRuns('PreToolUse', bash('ls'), sources)).toBe(1)
  })

  test('35. in settings and a plugin it runs twice', async () => {
    const sources = [
      { hooks: same, origin: 'project' as const },
      { hooks: same, origin: 'plugin' as const, plugin: { name: 'p', root: '/p' } },
    ]
    expect(await countRuns('PreToolUse', bash('ls'), sources)).toBe(2)
  })

  test('36. two plugins with the same command both run, each from its folder', async () => {
    const hooks = { PreToolUse: [{ hooks: [command('echo "${CLAUDE_PLUGIN_ROOT}"')] }] }
    await using both = createHooks(
      ['/p1', '/p2'].map((root) => ({ hooks, origin: 'plugin' as const, plugin: { name: root, root } })),
    )
    const { handlers } = await both.run('PreToolUse', bash('ls'))
    expect(handlers.map(({ stdout }) => stdout)).toEqual(['/p1', '/p2'])
  })

  test.each([
    [47, 'Bash(git *)', true],
    [47, 'Bash(git *)', false],
  ])('%d. "if" asks the rule function (%s: %s)', async (_, rule, answer) => {
    const asked: unknown[] = []
    const result = await runHooks('PreToolUse', bash('FOO=1 git push'), [command('true', { if: rule })], {
      common: () => ({ cwd: '/' }),
      // oxlint-disable-next-line max-params -- the shape of the port
      matchRule: (...call) => {
        asked.push(call)
        return answer
      },
    })
    expect(asked).toEqual([[rule, 'Bash', { command: 'FOO=1 git push' }, '/']])
    expect(result.handlers.length).toBe(answer ? 1 : 0)
  })

  test('50. "if" on Stop never runs, and is told', async () => {
    await using hooks = createHooks([{ hooks: { Stop: [{ hooks: [command('true', { if: 'Bash' })] }] } }])
    expect(hooks.problems[0]?.message).toMatch(/never true at Stop/)
    expect((await hooks.run('Stop', { stop_hook_active: false })).handlers).toEqual([])
  })

  test('an "if" that is no rule runs the handler, and is told', async () => {
    const matchRule = (): boolean => false
    await using hooks = createHooks(
      [{ hooks: { PreToolUse: [{ hooks: [command('true', { if: 'Bash(a) && Bash(b' })] }] } }],
      { matchRule },
    )
    expect(hooks.problems[0]?.message).toMatch(/not one permission rule/)
    expect((await hooks.run('PreToolUse', bash('ls'))).handlers.length).toBe(1)
  })

  test('both spellings stand in one list', async () => {
    const sources = [
      {
        hooks: {
          PreToolUse: [command('true', { matcher: 'Bash' }), { matcher: 'Bash', hooks: [command('false')] }],
        },
      },
    ]
    expect(await countRuns('PreToolUse', bash('ls'), sources)).toBe(2)
  })

  test('a wrong handler costs itself, with its place', () => {
    const hooks = createHooks([
      {
        hooks: {
          PreToolUse: [
            { hooks: ['echo', { type: 'shell' }, { type: 'command' }, quiet, { command: 'no type' }] },
            'text',
            {},
            null,
          ],
          Stop: {},
        },
        origin: 'project',
        file: '/p/settings.json',
      },
    ])
    expect(hooks.handlers.length).toBe(1)
    expect(hooks.problems.map(({ path }) => path)).toEqual([
      'hooks.PreToolUse[0].hooks[0]',
      'hooks.PreToolUse[0].hooks[1]',
      'hooks.PreToolUse[0].hooks[2]',
      'hooks.PreToolUse[0].hooks[4]',
      'hooks.PreToolUse[1]',
      'hooks.PreToolUse[2]',
      'hooks.PreToolUse[3]',
      'hooks.Stop',
    ])
    expect(hooks.problems[0]).toMatchObject({ origin: 'project', file: '/p/settings.json' })
  })

  test('69. a prompt at SessionStart is told and does not run', async () => {
    await using hooks = createHooks(
      [{ hooks: { SessionStart: [{ hooks: [{ type: 'prompt', prompt: 'ok?' }] }] } }],
      { askModel: () => Promise.resolve('{"ok":true}') },
    )
    expect(hooks.problems[0]?.message).toMatch(/takes no handlers of the type prompt/)
    expect((await hooks.run('SessionStart', { source: 'startup' })).handlers).toEqual([])
  })

  test('a timeout that is no time is told, and the default counts', () => {
    const timeouts = [0, -1, '5', null, 60_000, 90_000]
    const hooks = createHooks([
      {
        hooks: { Stop: [{ hooks: timeouts.map((timeout, index) => command(`true ${index}`, { timeout })) }] },
      },
    ])
    expect(hooks.handlers.map(({ timeoutSeconds }) => timeoutSeconds)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      60_000,
      90_000,
    ])
    expect(hooks.problems.length).toBe(5)
  })
})
