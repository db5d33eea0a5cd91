import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { text, toolUse } from '@x/model-anthropic/testing'
import { loadAgents } from '@x/subagent'
import { loadMcpConfigs } from '@x/tools-mcp'
import { describe, expect, it } from 'vitest'
import { type LoadedPlugins, loadPlugins, loadSessionSettings, type QueryOptions } from '../src/index.ts'
import { answer, configure, load } from './hook-settings.ts'
import { collect, createTalk, Scripted, toolResultsOf } from './scripted.ts'

const server = fileURLToPath(new URL('programs/permission-server.mjs', import.meta.url))

function write(scripted: Scripted, files: Readonly<Record<string, object | string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(scripted.path(name)), { recursive: true })
    writeFileSync(scripted.path(name), typeof content === 'string' ? content : JSON.stringify(content))
  }
}

function open(scripted: Scripted, ...folders: readonly string[]): Promise<LoadedPlugins> {
  return loadPlugins(
    folders.map((folder) => scripted.path(folder)),
    { env: scripted.env },
  )
}

/** What a program that has plugins gives a session. */
async function withPlugins({ cwd, env }: Scripted, plugins: LoadedPlugins): Promise<QueryOptions> {
  const { definitions } = await loadAgents({ cwd, env, plugins: plugins.plugins.map(({ agents }) => agents) })
  const mcp = await loadMcpConfigs({
    cwd,
    home: `${cwd}/home`,
    env,
    plugins: plugins.plugins.flatMap((plugin) => plugin.mcp),
  })
  return { plugins, agentDefinitions: definitions, mcp }
}

const hook = (command: string, event = 'PreToolUse') => ({
  hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] },
})
const agent = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: d\n${more}---\nYou are ${name}.\n`

describe('plugins', () => {
  it('bring agents, skills, hooks and servers under their name', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Agent', { description: 'd', prompt: 'Look', subagent_type: 'kit:deep:rev' })],
      [text('Seen.')],
      [toolUse('mcp__plugin_kit_guard__note', { words: 'this' })],
      [text('Done.')],
    ])
    write(scripted, {
      'kit/.claude-plugin/plugin.json': { name: 'kit', version: '1.0.0', agents: './more/extra.md' },
      'kit/agents/deep/rev.md': agent('rev', 'skills: kit:style\npermissionMode: bypassPermissions\n'),
      'kit/more/extra.md': agent('extra'),
      'kit/skills/style/SKILL.md': '---\ndescription: d\n---\nTwo blanks.\n',
      'kit/hooks/hooks.json': {
        description: 'what they do',
        ...hook('echo "$CLAUDE_PLUGIN_ROOT $CLAUDE_PLUGIN_DATA" > "$CLAUDE_PROJECT_DIR/hooked"'),
      },
      'kit/.mcp.json': {
        guard: {
          command: process.execPath,
          args: [server],
          env: { ROOT: `\${CLAUDE_PLUGIN_ROOT}` },
        },
      },
    })
    const plugins = await open(scripted, 'kit')
    expect(plugins.problems).toEqual([])
    const events = await collect(
      scripted.ask('Go', {
        ...(await withPlugins(scripted, plugins)),
        allowedTools: ['mcp__plugin_kit_guard__note'],
      }),
    )
    expect(events[0]).toMatchObject({
      plugins: [{ name: 'kit', path: scripted.path('kit') }],
      agents: expect.arrayContaining(['kit:deep:rev', 'kit:extra']),
      mcp_servers: [{ name: 'plugin:kit:guard', status: 'connected' }],
    })
    expect(JSON.stringify(scripted.server.requests[1]?.body)).toMatch(/You are rev.*Two blanks\./)
    expect(toolResultsOf(events).map(({ is_error: isError }) => isError)).toEqual([undefined, undefined])
    const data = scripted.path('.x/plugins/data/kit')
    expect(scripted.read('hooked')).toBe(`${scripted.path('kit')} ${data}\n`)
    expect(existsSync(data)).toBe(true)
  })

  it('run a hook that the settings and others have too, each its own (hooks.md 35, 36)', async () => {
    await using scripted = await Scripted.start([[toolUse('Glob', { pattern: '*' })], [text('Done.')]])
    const count = 'echo x >> "$CLAUDE_PROJECT_DIR/hooked"'
    write(scripted, { 'one/hooks/hooks.json': hook(count), 'two/hooks/hooks.json': hook(count) })
    configure(scripted, { PreToolUse: [{ command: count }] })
    const plugins = await open(scripted, 'one', 'two')
    await collect(scripted.ask('Go', { plugins, settings: await load(scripted) }))
    expect(scripted.read('hooked')).toBe('x\nx\nx\n')
  })

  it.each([{ disableAllHooks: true }, { allowManagedHooksOnly: true }])(
    'start no hooks where %j turns them off, nor do agents',
    async (switches) => {
      await using scripted = await Scripted.start([[toolUse('Glob', { pattern: '*' })], [text('Done.')]])
      write(scripted, {
        'one/hooks/hooks.json': hook('touch "$CLAUDE_PROJECT_DIR/hooked"'),
        'managed/managed-settings.json': switches,
      })
      const settings = await loadSessionSettings({
        cwd: scripted.cwd,
        home: scripted.path('home'),
        env: scripted.env,
        managedFolder: scripted.path('managed'),
      })
      const own = { description: 'd', prompt: 'p', ...hook('touch "$CLAUDE_PROJECT_DIR/agent"') }
      const plugins = await open(scripted, 'one')
      await collect(scripted.ask('Go', { plugins, settings, agents: { own }, agent: 'own' }))
      expect([scripted.read('hooked'), scripted.read('agent')]).toEqual([undefined, undefined])
    },
  )

  it('and an agent ask the user under their name', async () => {
    await using scripted = await Scripted.start([[toolUse('Glob', { pattern: '*' })], [text('Done.')]])
    const asking = (reason: string) =>
      hook(answer({ permissionDecision: 'ask', permissionDecisionReason: reason }))
    write(scripted, { 'one/hooks/hooks.json': asking('Sure?') })
    const asked: unknown[] = []
    await collect(
      scripted.ask('Go', {
        plugins: await open(scripted, 'one'),
        agents: { own: { description: 'd', prompt: 'p', ...asking('Really?') } },
        agent: 'own',
        canUseTool: async (_name, _input, { decisionReason }) => {
          asked.push(decisionReason)
          return { behavior: 'allow' }
        },
      }),
    )
    expect(asked).toEqual(['[plugin:one] Sure?\n[settings] Really?'])
  })

  it('that are broken are told and hide no other', async () => {
    await using scripted = await Scripted.start([[text('Done.')]])
    write(scripted, {
      'bad/.claude-plugin/plugin.json': '{"name": "bad", secret',
      'odd/.claude-plugin/plugin.json': { name: '../odd' },
      'part/.claude-plugin/plugin.json': {
        name: 'part',
        hooks: ['./gone.json', '../out.json'],
        agents: ['/etc'],
      },
      'part/.mcp.json': 'no json',
      'part two/agents/a.md': agent('a'),
      'same/.claude-plugin/plugin.json': { name: 'part' },
    })
    const folders = ['bad', 'odd', 'part', 'part two', 'same', 'nowhere']
    const plugins = await open(scripted, ...folders)
    expect(plugins.plugins.map(({ name }) => name)).toEqual(['part', 'part-two'])
    const told = plugins.problems.map(({ type, message }) => `${type}: ${message}`).join('\n')
    for (const words of [
      /not-loaded: .*bad.*not valid JSON/,
      /not-loaded: .*odd.*"name" must be/,
      /left-out: .*gone\.json does not exist/,
      /left-out: "\.\.\/out\.json" leads out of the plugin/,
      /left-out: "\/etc" leads out of the plugin/,
      /left-out: .*\.mcp\.json cannot be read: it is not valid JSON/,
      /not-loaded: There is a plugin of this name already/,
      /not-loaded: .*nowhere is no folder/,
    ])
      expect(told).toMatch(words)
    expect(told).not.toContain('secret')
    const events = await collect(scripted.ask('Go', { plugins }))
    expect(events.find(({ type }) => type === 'system')).toMatchObject({
      plugin_errors: expect.arrayContaining([expect.objectContaining({ plugin: 'part' })]),
    })
    expect(JSON.stringify(events)).toContain('The plugin part: ')
  })
})

describe('hooks beside the settings', () => {
  it('go on when the settings change', async () => {
    await using scripted = await Scripted.start([
      [text('One.')],
      [toolUse('Glob', { pattern: '*' })],
      [text('Two.')],
    ])
    write(scripted, { 'one/hooks/hooks.json': hook('touch "$CLAUDE_PROJECT_DIR/plugin"') })
    const settings = await load(scripted)
    const talk = createTalk()
    let change: (() => void) | undefined
    const running = scripted.ask(talk.prompt, {
      plugins: await open(scripted, 'one'),
      agents: { own: { description: 'd', prompt: 'p', ...hook('touch "$CLAUDE_PROJECT_DIR/agent"') } },
      agent: 'own',
      settings: {
        ...settings,
        async watch({ onChange }) {
          change = () => onChange(settings)
          return { async [Symbol.asyncDispose]() {} }
        },
      },
    })
    talk.say('Go')
    for await (const event of running) {
      if (event.type !== 'result') continue
      if (event.result === 'One.') {
        change?.()
        talk.say('On')
      } else talk.end()
    }
    expect([scripted.read('plugin'), scripted.read('agent')]).toEqual(['', ''])
  })
})
