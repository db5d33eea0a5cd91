import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { git, makeRepository } from './agent-script.ts'
import { Cli, parseLines } from './cli.ts'

const bash = (command: string) => toolUse('Bash', { command })

function write(cli: Cli, file: string, content: object | string): void {
  const path = cli.path(file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2))
}

describe('settings', () => {
  it.each([
    [['--settings', '{"permissions": {"allow": ["Bash(touch *)"]}}'], true],
    [['--settings', 'flags.json'], true],
    [['--setting-sources', 'user'], true],
    [['--setting-sources', ''], false],
    [['--setting-sources', 'project'], false],
    [[], true],
    [['--settings', '{"permissions": {"deny": ["Bash(touch *)"]}}'], false],
    [['--disallowedTools', 'Bash(touch *)'], false],
  ])('%j lets the user rule count: %s', async (args, isMade) => {
    await using cli = await Cli.start([[bash('touch made')], [text('ok')]])
    const usesFlags = args[0] === '--settings' && !args[1]?.includes('deny')
    if (!usesFlags) write(cli, 'home/.claude/settings.json', { permissions: { allow: ['Bash(touch *)'] } })
    write(cli, 'flags.json', { permissions: { allow: ['Bash(touch *)'] } })
    expect((await cli.run(['-p', 'go', ...args])).code).toBe(0)
    expect(cli.read('made') !== undefined).toBe(isMade)
  })

  it('with a bad entry keep the others, and the warning names file, line and key', async () => {
    await using cli = await Cli.start([[bash('touch made')], [text('ok')]])
    write(
      cli,
      'home/.claude/settings.json',
      '{\n  // mine\n  "permissions": {\n    "allow": [7, "Bash(touch *)"]\n  }\n}\n',
    )
    const { stderr } = await cli.run(['-p', 'go'])
    expect(stderr).toMatch(/settings\.json:4:\d+: permissions\.allow\[0\]/)
    expect(cli.read('made')).toBe('')
  })

  it.each([
    [['--settings', 'nowhere.json'], /nowhere\.json/],
    [['--settings', '{broken'], /Error: /],
    [['--setting-sources', 'team'], /setting sources must be user, project, local/],
  ])('%j is an error before the run', async (args, message) => {
    await using cli = await Cli.start()
    const { stderr, code } = await cli.run(['-p', 'go', ...args])
    expect(stderr).toMatch(message)
    expect(code).toBe(1)
    expect(cli.server.requests).toEqual([])
  })
})

describe('modes', () => {
  it.each([
    [['--dangerously-skip-permissions'], true],
    [['--permission-mode', 'bypassPermissions'], true],
    [['--permission-mode', 'manual'], false],
    [['--allow-dangerously-skip-permissions'], false],
  ])('%j lets a command run: %s', async (args, isMade) => {
    await using cli = await Cli.start([[bash("node -e \"fs.writeFileSync('made', '')\"")], [text('ok')]])
    await cli.run(['-p', 'go', ...args])
    expect(cli.read('made') !== undefined).toBe(isMade)
  })

  it('a denial is a record and an entry of the result, and the run succeeds (cli.md 17)', async () => {
    await using cli = await Cli.start([[bash('npm run build')], [text('I could not.')]])
    const { events, code } = await cli.stream('go')
    const denied = events.filter((event) => event.type === 'system' && event.subtype === 'permission_denied')
    expect(denied).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ subtype: 'success', permission_denials: [{ tool_name: 'Bash' }] })
    expect(code).toBe(0)
  })
})

describe('denials under -p', () => {
  it('are told beside a plain answer: what was not permitted, and why', async () => {
    await using cli = await Cli.start([[bash('npm run build')], [text('I could not.')]])
    const { code, stdout, stderr } = await cli.run(['-p', 'go'])
    expect([code, stdout]).toEqual([0, 'I could not.\n'])
    expect(stderr).toMatch(/^Warning: Bash was not permitted: no rule allows it: .*npm run build.*\n$/)
  })

  it('of a hook are told by the hook alone, and of stream-json by the record', async () => {
    await using cli = await Cli.start([
      [bash('npm run build')],
      [text('No.')],
      [bash('npm run build')],
      [text('No.')],
    ])
    write(cli, '.claude/settings.json', {
      hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'echo "not now" >&2; exit 2' }] }] },
    })
    expect((await cli.run(['-p', 'go'])).stderr).toBe('')
    expect((await cli.stream('go')).stderr).toBe('')
  })
})

describe('--permission-prompt-tool stdio', () => {
  const args = [
    '-p',
    '--input-format',
    'stream-json',
    '--output-format',
    'stream-json',
    '--verbose',
    '--permission-prompt-tool',
    'stdio',
  ]
  const user = `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'go' } })}\n`

  it.each([
    [{ behavior: 'allow' }, 'ran'],
    [{ behavior: 'allow', updatedInput: { command: 'echo changed > made' } }, 'changed'],
    [{ behavior: 'deny', message: 'not today' }, undefined],
    [{ behaviour: 'allow' }, undefined],
  ])('asks the host, which answers %j (cli.md 19)', async (answer, content) => {
    await using cli = await Cli.start([[bash('echo ran > made')], [text('ok')]])
    const running = cli.start(args, { stdin: null })
    running.child.stdin?.write(user)
    await running.sees('"can_use_tool"')
    const response = { subtype: 'success', request_id: requestIdIn(running.seen()), response: answer }
    running.child.stdin?.write(`${JSON.stringify({ type: 'control_response', response })}\n`)
    await running.sees('"type":"result"')
    running.child.stdin?.end()
    expect((await running.ended).code).toBe(0)
    expect(cli.read('made')?.trim()).toBe(content)
  })

  it('tells the host which hook wants to be sure', async () => {
    await using cli = await Cli.start([[bash('echo ran > made')], [text('ok')]])
    const answer = { permissionDecision: 'ask', permissionDecisionReason: 'sure?' }
    const handler = { type: 'command', command: `echo '${JSON.stringify(answer)}'` }
    cli.write('.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: [{ hooks: [handler] }] } }))
    const running = cli.start(args, { stdin: null })
    running.child.stdin?.write(user)
    await running.sees('"can_use_tool"')
    running.child.stdin?.end()
    expect(parseLines((await running.ended).stdout)).toContainEqual(
      expect.objectContaining({ request: expect.objectContaining({ decision_reason: '[settings] sure?' }) }),
    )
  })

  it('keeps the file of remembered answers out of the status of the repository', async () => {
    await using cli = await Cli.start([[bash('echo ran > made.pid')], [text('ok')]])
    makeRepository(cli)
    const running = cli.start(args, { stdin: null })
    running.child.stdin?.write(user)
    await running.sees('"can_use_tool"')
    const rules = [{ toolName: 'Bash', ruleContent: 'echo *' }]
    const update = { type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' }
    const answer = { behavior: 'allow', updatedPermissions: [update] }
    const response = { subtype: 'success', request_id: requestIdIn(running.seen()), response: answer }
    running.child.stdin?.write(`${JSON.stringify({ type: 'control_response', response })}\n`)
    running.child.stdin?.end()
    expect((await running.ended).code).toBe(0)
    expect(cli.read('.claude/settings.local.json')).toContain('Bash(echo *)')
    expect(git(cli.cwd, 'status', '--porcelain')).toBe('')
  })

  it('counts a host that closes its input as a no', async () => {
    await using cli = await Cli.start([[bash('echo ran > made')], [text('ok')]])
    const running = cli.start(args, { stdin: null })
    running.child.stdin?.write(user)
    await running.sees('"can_use_tool"')
    running.child.stdin?.end()
    await running.ended
    expect(cli.read('made')).toBeUndefined()
  })
})

/** The id of the question that was asked. */
function requestIdIn(stdout: string): string {
  const records: readonly Record<string, unknown>[] = parseLines(stdout) as never
  const request = records.find(({ type }) => type === 'control_request')
  return String(request?.['request_id'])
}

describe('x permissions', () => {
  it('explains a decision by rule, layer, file and part of the command', async () => {
    await using cli = await Cli.start()
    write(cli, '.claude/settings.json', {
      permissions: { allow: ['Bash(npm test *)'], deny: ['Bash(rm *)'] },
    })
    const { stdout, code } = await cli.run([
      'permissions',
      'explain',
      '--json',
      'Bash',
      'npm test; echo "$(rm -rf x)"',
    ])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      behavior: 'deny',
      rule: 'Bash(rm *)',
      source: 'project',
      file: cli.path('.claude/settings.json'),
      part: 'rm -rf x',
      reason: expect.any(String),
    })
  })

  it.each([
    [['Read', './a.txt'], 'allow'],
    [['Read', '/etc/hosts'], 'ask'],
    [['--mode', 'acceptEdits', 'Write', 'a.txt'], 'allow'],
    [['--mode', 'plan', 'Write', 'a.txt'], 'ask'],
    [['Bash', 'echo $('], 'ask'],
    [['WebFetch', '{"url": "https://example.com"}'], 'ask'],
  ])('explains %j as %s', async (args, behavior) => {
    await using cli = await Cli.start([], { 'a.txt': 'a' })
    const { stdout } = await cli.run(['permissions', 'explain', '--json', ...args])
    expect(JSON.parse(stdout)).toMatchObject({ behavior })
  })

  it.each(['Nope', 'bash'])('says that there is no tool %s', async (name) => {
    await using cli = await Cli.start()
    const { code, stdout, stderr } = await cli.run(['permissions', 'explain', name, '{}'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(new RegExp(`^Error: There is no tool ${name}\\. Upper and lower case count`))
  })

  it.each(['Task', 'mcp__guard__ask', 'WebSearch'])('knows the tool %s', async (name) => {
    await using cli = await Cli.start()
    expect(await cli.run(['permissions', 'explain', name, '{}'])).toMatchObject({ code: 0 })
  })

  it('tells which of the rules wait for the trust of the folder', async () => {
    await using cli = await Cli.start()
    write(cli, '.claude/settings.json', { permissions: { allow: ['Bash(npm test *)'] } })
    const { stdout } = await cli.run(['permissions', 'explain', '--json', 'Bash', 'npm test'])
    expect(JSON.parse(stdout)).toMatchObject({
      behavior: 'allow',
      notices: [expect.stringContaining('has not been trusted')],
    })
  })

  it('tests a file of rules, and exits with 1 when one expectation is not met', async () => {
    await using cli = await Cli.start()
    write(cli, 'good', 'allow Bash(npm test *)\nnpm test -- --ci => allow\nnpm install => ask\n')
    write(cli, 'bad', 'allow Bash(npm test *)\nnpm install => allow\nwhat is this\n')
    expect(await cli.run(['permissions', 'test', 'good'])).toEqual({
      code: 0,
      stdout: '2 passed, 0 failed\n',
      stderr: '',
    })
    const { code, stdout } = await cli.run(['permissions', 'test', 'bad'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/bad:2: npm install: expected allow, got ask/)
    expect(stdout).toMatch(/bad:3: /)
  })

  it.each([
    [],
    ['nope'],
    ['explain'],
    ['explain', 'Mystery', 'x'],
    ['test'],
    ['test', 'nowhere'],
    ['explain', '--mode', 'yolo', 'Read', 'x'],
  ])('refuses %j %j %j %j %j with a message', async (...args) => {
    await using cli = await Cli.start()
    const { code, stderr } = await cli.run(['permissions', ...args])
    expect(code).toBe(1)
    expect(stderr).not.toBe('')
    expect(stderr).not.toContain('    at ')
  })

  it('says which file there is not', async () => {
    await using cli = await Cli.start()
    const { code, stderr } = await cli.run(['permissions', 'test', 'nowhere'])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Error: \/.*\/nowhere does not exist\n$/)])
  })
})

describe('an MCP server', () => {
  const program = fileURLToPath(
    new URL('../../../packages/session/test/programs/permission-server.mjs', import.meta.url),
  )
  const config = { mcpServers: { guard: { command: process.execPath, args: [program] } } }

  it('of the command line answers permission questions (cli.md 18)', async () => {
    await using cli = await Cli.start([[bash('touch one')], [bash('touch two')], [text('ok')]])
    const { events, code } = await cli.stream(
      'go',
      '--permission-prompt-tool',
      'mcp__guard__ask',
      '--mcp-config',
      JSON.stringify(config),
    )
    expect([code, cli.read('one'), cli.read('two')]).toEqual([0, '', undefined])
    expect(events.at(-1)).toMatchObject({ permission_denials: [{ tool_input: { command: 'touch two' } }] })
  })

  it('of .mcp.json is connected with -p, unless the settings reject it or only --mcp-config counts', async () => {
    const connected = async (args: readonly string[]) => {
      await using cli = await Cli.start([[text('ok')]])
      write(cli, '.mcp.json', config)
      const { events } = await cli.stream('go', ...args)
      return events[0]
    }
    const server = { mcp_servers: [{ name: 'guard', status: 'connected' }] }
    expect(await connected([])).toMatchObject(server)
    expect(await connected(['--strict-mcp-config'])).toMatchObject({ mcp_servers: [] })
    expect(await connected(['--settings', '{"disabledMcpjsonServers":["guard"]}'])).toMatchObject({
      mcp_servers: [],
    })
  })

  it.each([
    [['gone.json'], 'MCP config file not found: CWD/gone.json.'],
    [['good.json', 'gone.json'], 'MCP config file not found: CWD/gone.json.'],
    [['.'], 'The MCP configuration cannot be read (no regular file): CWD.'],
    [['{"mcpServers":'], 'The MCP configuration is not valid JSON.'],
    [['{"servers":{}}'], '"mcpServers" is missing; expected { "mcpServers": { ... } }.'],
  ])(
    'of --mcp-config %j that is not there or cannot be read is an error, and nothing begins',
    async (files, why) => {
      await using cli = await Cli.start()
      write(cli, 'good.json', { mcpServers: {} })
      const result = await cli.run(['-p', 'go', '--mcp-config', ...files])
      const stderr = `Error: --mcp-config: ${why.replace('CWD', cli.cwd)}\n`
      expect([result, cli.server.requests.length]).toEqual([{ code: 1, stdout: '', stderr }, 0])
    },
  )

  it('with a bad entry in --mcp-config is left out, the others connect (cli.md 33)', async () => {
    await using cli = await Cli.start([[text('ok')]])
    const mcpServers = { ...config.mcpServers, bad: { url: 'http://127.0.0.1:1/' } }
    const { code, events } = await cli.stream('go', '--mcp-config', JSON.stringify({ mcpServers }))
    expect([code, events[0]]).toMatchObject([
      0,
      { mcp_servers: [{ name: 'guard', status: 'connected' }], mcp_server_errors: [{ name: 'bad' }] },
    ])
  })

  it.each([['everything'], ['mcp__guard']])('%s is no tool that could be asked', async (name) => {
    await using cli = await Cli.start()
    const { code, stderr } = await cli.run(['-p', 'go', '--permission-prompt-tool', name])
    expect([code, cli.server.requests.length]).toEqual([1, 0])
    expect(stderr).toContain('mcp__server__tool')
  })
})
