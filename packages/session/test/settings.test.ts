import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text, toolUse } from '@x/model-anthropic/testing'
import type { CanUseToolCallback } from '@x/permissions'
import { describe, expect, it } from 'vitest'
import { loadSessionSettings, type SessionSettingsOptions, trustFolder } from '../src/index.ts'
import { collect, createTalk, Scripted, textOf, toolResultsOf } from './scripted.ts'

/** Writes a settings file; returns its path. */
function write(scripted: Scripted, file: string, content: string): string {
  const path = scripted.path(file)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
  return path
}

function load(scripted: Scripted, options: SessionSettingsOptions = {}) {
  const home = scripted.path('home')
  const env = { ...scripted.env, X_HOME: join(home, '.x'), CLAUDE_CONFIG_DIR: undefined }
  return loadSessionSettings({
    cwd: scripted.cwd,
    env,
    home,
    managedFolder: false,
    isTrusted: true,
    ...options,
  })
}

describe('settings files', () => {
  it.each([
    { title: 'of the user turn automatic memory on', user: true, project: undefined, wanted: true },
    { title: 'of a project do not', user: undefined, project: true, wanted: undefined },
    { title: 'of a project turn it off', user: true, project: false, wanted: false },
    {
      title: 'that say something else about it say nothing',
      user: 'yes',
      project: undefined,
      wanted: undefined,
    },
  ])('$title', async ({ user, project, wanted }) => {
    await using scripted = await Scripted.start([])
    write(scripted, 'home/.claude/settings.json', JSON.stringify({ autoMemoryEnabled: user }))
    write(scripted, '.claude/settings.json', JSON.stringify({ autoMemoryEnabled: project }))
    expect((await load(scripted)).autoMemory).toBe(wanted)
  })

  it('do not move a session: it is looked for before they are read', async () => {
    await using scripted = await Scripted.start([[text('Kept.')], [text('On.')]])
    const moved = { env: { X_HOME: scripted.path('elsewhere') } }
    write(scripted, '.claude/settings.json', JSON.stringify(moved))
    const settings = await load(scripted)
    const [first] = await collect(scripted.ask('Go', { settings }))
    const resume = first?.session_id ?? ''
    await collect(scripted.ask('On', { settings, resume }))
    expect(JSON.stringify(scripted.server.requests[1]?.body.messages)).toContain('Kept.')
    expect(existsSync(scripted.path('elsewhere/projects'))).toBe(false)
  })

  it('allow and deny calls, and the denial names rule and file', async () => {
    await using scripted = await Scripted.start(
      [
        [toolUse('Bash', { command: 'touch made' }), toolUse('Bash', { command: 'rm a.txt' })],
        [text('Done.')],
      ],
      { 'a.txt': 'a' },
    )
    const file = write(
      scripted,
      '.claude/settings.json',
      '{ "permissions": { "allow": ["Bash(touch *)"], "deny": ["Bash(rm *)"] } }',
    )
    const events = await collect(scripted.ask('Go', { settings: await load(scripted) }))
    const [touch, remove] = toolResultsOf(events)
    expect(touch?.is_error).not.toBe(true)
    expect(textOf(remove)).toContain('Bash(rm *)')
    expect(textOf(remove)).toContain(file)
    expect(scripted.read('a.txt')).toBe('a')
  })

  it('of an untrusted folder allow nothing, but their denials count, and the user is told', async () => {
    await using scripted = await Scripted.start(
      [[toolUse('Bash', { command: 'touch made' }), toolUse('Read', { file_path: '.env' })], [text('Done.')]],
      { '.env': 'KEY=1' },
    )
    write(
      scripted,
      '.claude/settings.json',
      '{ "permissions": { "allow": ["Bash(touch *)"], "deny": ["Read(./.env)"] } }',
    )
    const settings = await load(scripted, { isTrusted: false })
    const events = await collect(scripted.ask('Go', { settings }))
    expect(toolResultsOf(events).map((result) => result.is_error)).toEqual([true, true])
    expect(scripted.read('made')).toBeUndefined()
    const notices = events.flatMap((event) =>
      event.type === 'system' && event.subtype === 'informational' ? [event['content']] : [],
    )
    expect(notices.join('\n')).toMatch(/settings\.json/)
  })

  it('count wholly once the folder is trusted', async () => {
    await using scripted = await Scripted.start([])
    write(scripted, '.claude/settings.json', '{ "permissions": { "allow": ["Bash(touch *)"] } }')
    const before = await load(scripted, { isTrusted: false })
    const home = scripted.path('home')
    await trustFolder({ cwd: scripted.cwd, home, env: { ...scripted.env, X_HOME: join(home, '.x') } })
    const after = await load(scripted, { isTrusted: false })
    expect([before.held.length, after.held.length]).toEqual([1, 0])
    expect([before.permissions.rules.length, after.permissions.rules.length]).toEqual([0, 1])
  })

  it('hide files with a Read denial from Grep, Glob and commands that read', async () => {
    await using scripted = await Scripted.start(
      [
        [
          toolUse('Grep', { pattern: 'secret', output_mode: 'content' }),
          toolUse('Glob', { pattern: '*' }),
          toolUse('Bash', { command: 'cat .env' }),
        ],
        [text('Done.')],
      ],
      { '.env': 'secret=1', 'a.txt': 'no secret here' },
    )
    write(scripted, 'home/.claude/settings.json', '{ "permissions": { "deny": ["Read(**/.env)"] } }')
    const events = await collect(scripted.ask('Go', { settings: await load(scripted) }))
    const texts = toolResultsOf(events).map(textOf)
    expect(texts[0]).toContain('a.txt')
    expect(texts.join('\n')).not.toContain('secret=1')
    expect(texts[1]).not.toContain('.env')
  })

  it('name the model and set the environment of commands', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'echo $GREETING' })],
      [text('Done.')],
    ])
    write(scripted, '.claude/settings.json', '{ "model": "tiny-1", "env": { "GREETING": "hello" } }')
    const events = await collect(
      scripted.ask('Go', { settings: await load(scripted), allowedTools: ['Bash(echo *)'] }),
    )
    expect(scripted.server.requests[0]?.body.model).toBe('tiny-1')
    expect(textOf(toolResultsOf(events)[0])).toBe('hello')
  })

  it('take bypassPermissions away', async () => {
    await using scripted = await Scripted.start([])
    write(
      scripted,
      'home/.claude/settings.json',
      '{ "permissions": { "disableBypassPermissionsMode": "disable" } }',
    )
    const settings = await load(scripted)
    expect(() => scripted.ask('Go', { settings, permissionMode: 'bypassPermissions' })).toThrow(
      /disabled by the settings/,
    )
  })

  it('take away a mode that another file names: the session begins in default', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'npm run nothing' })],
      [text('Done.')],
    ])
    write(
      scripted,
      'home/.claude/settings.json',
      '{ "permissions": { "disableBypassPermissionsMode": "disable", "disableAutoMode": "disable" } }',
    )
    write(scripted, '.claude/settings.json', '{ "permissions": { "defaultMode": "bypassPermissions" } }')
    const settings = await load(scripted)
    expect(() => scripted.ask('Go', { settings, permissionMode: 'auto' })).toThrow(/auto is disabled/)
    const [result] = toolResultsOf(await collect(scripted.ask('Go', { settings })))
    expect(result?.is_error).toBe(true)
  })

  it('of the administrator alone: neither --allowedTools nor an answer adds a rule, and nothing is saved', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'touch made' })],
      [toolUse('Bash', { command: 'touch made' })],
      [text('Done.')],
    ])
    write(scripted, 'managed/managed-settings.json', '{ "allowManagedPermissionRulesOnly": true }')
    const rules = [{ toolName: 'Bash', ruleContent: 'touch *' }]
    const canUseTool: CanUseToolCallback = async () => ({
      behavior: 'deny',
      message: 'No.',
      updatedPermissions: [{ type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' }],
    })
    const settings = await load(scripted, { managedFolder: scripted.path('managed') })
    await collect(scripted.ask('Go', { settings, canUseTool, allowedTools: ['Bash(touch *)'] }))
    expect(scripted.read('made')).toBeUndefined()
    expect(scripted.read('.claude/settings.local.json')).toBeUndefined()
  })

  it('never name bypassPermissions, or a mode that does not exist, as the mode to begin with', async () => {
    await using scripted = await Scripted.start([])
    const settings = await load(scripted)
    // oxlint-disable-next-line typescript/no-explicit-any -- answers of hosts may hold anything
    const nonsense: any = 'everything'
    for (const mode of ['bypassPermissions', nonsense, 'acceptEdits'] as const) {
      await settings.remember([{ type: 'setMode', mode, destination: 'localSettings' }])
      const kept = scripted.read('.claude/settings.local.json') ?? ''
      expect([mode, kept.includes('defaultMode')]).toEqual([mode, mode === 'acceptEdits'])
    }
  })

  it('count anew when they change in a conversation, beside the rules of the command line', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'touch first' })],
      [text('Not yet.')],
      [toolUse('Bash', { command: 'touch second' }), toolUse('Bash', { command: 'rm -r second' })],
      [text('Done.')],
    ])
    const talk = createTalk()
    talk.say('Go')
    let results = 0
    const running = scripted.ask(talk.prompt, {
      settings: await load(scripted),
      disallowedTools: ['Bash(rm *)'],
    })
    for await (const event of running) {
      if (event.type === 'result' && ++results === 2) talk.end()
      else if (event.type === 'result') {
        write(
          scripted,
          '.claude/settings.json',
          '{ "permissions": { "allow": ["Bash(touch *)", "Bash(rm *)"] } }',
        )
      }
      if (event.type === 'system' && String(event['content']).startsWith('The settings have changed'))
        talk.say('Again')
    }
    expect([scripted.read('first'), scripted.read('second')]).toEqual([undefined, ''])
  })

  it('keep an answer that should be remembered, comments and all', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'npm run nothing' })],
      [toolUse('Bash', { command: 'npm run nothing' })],
      [text('Done.')],
    ])
    write(scripted, '.claude/settings.local.json', '{\n  // mine\n  "permissions": { "allow": [] }\n}\n')
    let asked = 0
    const canUseTool: CanUseToolCallback = async (_name, _input, { suggestions = [] }) => {
      asked += 1
      return { behavior: 'allow', updatedPermissions: suggestions }
    }
    await collect(scripted.ask('Go', { settings: await load(scripted), canUseTool }))
    expect(asked).toBe(1)
    const kept = scripted.read('.claude/settings.local.json')
    expect(kept).toContain('// mine')
    expect(kept).toContain('npm run nothing')
  })
})
