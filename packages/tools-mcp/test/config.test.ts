import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type LoadMcpConfigsOptions, loadMcpConfigs, readMcpConfig, readMcpLimits } from '@x/tools-mcp'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from './helpers.ts'

const env = { HOME: '/home/ada', EMPTY: '', TOKEN: 'secret' }
const read = (mcpServers: unknown, more = {}) =>
  readMcpConfig({ mcpServers }, { scope: 'user', env, ...more })

describe('reading one configuration', () => {
  test('stdio without a type, http, sse; unknown keys are ignored', () => {
    const { servers, problems } = read({
      'my server/@x': {
        command: 'node',
        args: ['a.js', 1],
        env: { PORT: 3000, DEBUG: true },
        description: 'mine',
        autoApprove: [],
      },
      http: { type: 'http', url: 'https://example.com/mcp', headers: { a: 'b' }, timeout: 5000 },
      old: { type: 'sse', url: 'http://localhost:1/sse', alwaysLoad: true, headersHelper: './headers.sh' },
      alias: { type: 'streamable-http', url: 'https://example.com/mcp' },
    })
    expect(problems).toEqual([])
    expect(servers.map(({ name, config }) => [name, config])).toEqual([
      [
        'my server/@x',
        { type: 'stdio', command: 'node', args: ['a.js', '1'], env: { PORT: '3000', DEBUG: 'true' } },
      ],
      ['http', { type: 'http', url: 'https://example.com/mcp', headers: { a: 'b' }, timeoutMs: 5000 }],
      [
        'old',
        {
          type: 'sse',
          url: 'http://localhost:1/sse',
          headers: {},
          headersHelper: './headers.sh',
          alwaysLoad: true,
        },
      ],
      ['alias', { type: 'http', url: 'https://example.com/mcp', headers: {} }],
    ])
  })

  test.each([
    ['example 33: url without a type', { url: 'https://x/' }, 'invalid-config', /"url" without "type"/],
    ['nothing', {}, 'invalid-config', /command/],
    ['a list', [], 'invalid-config', /must be a name and an object/],
    ['an unknown type', { type: 'pipe' }, 'invalid-config', /got "pipe"/],
    ['ws', { type: 'ws', url: 'ws://x' }, 'invalid-config', /"ws" is not supported/],
    ['a url that is none', { type: 'http', url: 'nowhere' }, 'invalid-config', /http or https URL/],
    [
      'a url of another kind',
      { type: 'http', url: 'file:///etc/passwd' },
      'invalid-config',
      /http or https URL/,
    ],
    ['arguments that are no list', { command: 'x', args: 'a b' }, 'invalid-config', /args/],
    [
      'an unset variable',
      { command: 'x', args: ['--key=${UNSET}'] },
      'missing-variable',
      /variable UNSET is not set/,
    ],
  ])('%s is reported, skipped, and hides no other', (...[, entry, type, message]) => {
    const { servers, problems } = read({ bad: entry, good: { command: 'x' } }, { file: '/f' })
    expect(servers.map(({ name }) => name)).toEqual(['good'])
    expect(problems).toEqual([
      { name: 'bad', type, message: expect.stringMatching(message), scope: 'user', file: '/f' },
    ])
  })

  test.each([
    ['a time limit that was meant in seconds', { command: 'x', timeout: 30 }, /"timeout" must be/],
    [
      'a variable of another program',
      { command: 'x', args: ['${input:token}'] },
      /\$\{input:token\} is no variable/,
    ],
  ])('%s is a warning', (_, entry, message) => {
    const { servers, problems } = read({ it: entry })
    expect(servers[0]?.config).not.toHaveProperty('timeoutMs')
    expect(problems).toMatchObject([{ name: 'it', type: 'warning', message: expect.stringMatching(message) }])
  })

  test.each([
    ['${HOME}', '/home/ada'],
    ['a ${TOKEN} b ${TOKEN}', 'a secret b secret'],
    ['${UNSET:-def}', 'def'],
    ['${UNSET:-}', ''],
    ['${EMPTY:-def}', 'def'],
    ['${EMPTY}', ''],
    ['${UNSET:-a b:-c}', 'a b:-c'],
    ['$5', '$5'],
    ['$$', '$$'],
    ['$HOME', '$HOME'],
    ['with blanks "and quotes"', 'with blanks "and quotes"'],
  ])('case MC-08: %s becomes %s in command, args, env, url and headers', (text, expanded) => {
    const { servers } = read({
      stdio: { command: `/bin/${text}`, args: [text], env: { KEY: text } },
      http: { type: 'http', url: `http://x/?${text}`, headers: { h: text } },
    })
    expect(servers.map(({ config }) => config)).toEqual([
      { type: 'stdio', command: `/bin/${expanded}`, args: [expanded], env: { KEY: expanded } },
      { type: 'http', url: `http://x/?${expanded}`, headers: { h: expanded } },
    ])
  })

  // Anything worse than proportional time would take minutes.
  test('many variables without an end stay before the test runs out of time', () => {
    const text = '${'.repeat(500_000)
    const { servers } = read({ a: { command: `\${HOME}/${text}` } })
    expect(servers[0]?.config).toMatchObject({ command: `/home/ada/${text}` })
  })

  test('what was filled in is not looked at again', () => {
    const { servers } = readMcpConfig(
      { mcpServers: { a: { command: '${A}' } } },
      { scope: 'user', env: { A: '${B}', B: 'b' } },
    )
    expect(servers[0]?.config).toMatchObject({ command: '${B}' })
  })

  test('a map without the wrapper counts for plugins only, whose servers are named after them', () => {
    const bare = { db: { command: '${ROOT}/db' } }
    expect(readMcpConfig(bare, { scope: 'plugin', plugin: 'p', env: { ROOT: '/p' } }).servers).toMatchObject([
      { name: 'plugin:p:db', config: { command: '/p/db' } },
    ])
    expect(readMcpConfig(bare, { scope: 'user', env }).problems).toMatchObject([
      { name: '', type: 'invalid-config' },
    ])
  })

  test('never throws, whatever stands there', () => {
    let nested: unknown = []
    for (let depth = 0; depth < 100_000; depth += 1) nested = [nested]
    expect(
      read({ a: { type: nested }, b: { command: nested }, c: { command: 'c', x: nested } }).servers,
    ).toHaveLength(1)
    const entry = fc.record(
      {
        type: fc.jsonValue(),
        command: fc.jsonValue(),
        args: fc.jsonValue(),
        env: fc.jsonValue(),
        url: fc.jsonValue(),
        headers: fc.jsonValue(),
        timeout: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    const value = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.string(), fc.oneof(entry, fc.jsonValue())).map((mcpServers) => ({ mcpServers })),
    )
    fc.assert(
      fc.property(value, (value) => {
        const { servers, problems } = readMcpConfig(value, { scope: 'user', env })
        expect(servers.length + problems.length).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe('all configurations of a project', () => {
  function world(files: Record<string, unknown>) {
    const folder = temporaryFolder()
    for (const [name, value] of Object.entries(files)) {
      const path = join(folder.path, name)
      mkdirSync(dirname(path), { recursive: true })
      const text = typeof value === 'string' ? value : JSON.stringify(value).replaceAll('@', folder.path)
      writeFileSync(path, text)
    }
    const load = (more: Partial<LoadMcpConfigsOptions> = {}) =>
      loadMcpConfigs({
        cwd: join(folder.path, 'p'),
        home: join(folder.path, 'h'),
        env,
        isProjectAllowed: () => true,
        ...more,
      })
    return { folder, load }
  }
  const server = (command: string) => ({ command })
  const mcp = (servers: Record<string, unknown>) => ({ mcpServers: servers })
  const commands = ({ servers }: Awaited<ReturnType<typeof loadMcpConfigs>>) =>
    Object.fromEntries(
      servers.map(({ name, scope, config }) => [
        name,
        `${scope} ${'command' in config ? config.command : ''}`,
      ]),
    )

  test('of servers of one name: flag, local, project, user, plugin', async () => {
    const { folder, load } = world({
      'h/.claude.json': {
        ...mcp({
          a: server('user'),
          b: server('user'),
          c: server('user'),
          d: server('user'),
          u: server('user'),
        }),
        projects: {
          '@/p': mcp({ a: server('local'), b: server('local') }),
          '@/other': mcp({ z: server('other') }),
        },
      },
      'h/.x/mcp.json': mcp({ u: server('own') }),
      'p/.mcp.json': mcp({
        a: server('project'),
        b: server('project'),
        c: server('project'),
        x: server('shared'),
      }),
      'p/.x/mcp.json': mcp({ x: server('own') }),
      'p/flags.json': mcp({ a: server('file') }),
    })
    using _ = folder
    const plugins = [{ plugin: 'q', value: { a: server('${P}') }, env: { P: 'plugged' } }]
    const loaded = await load({
      flagConfigs: ['flags.json', JSON.stringify(mcp({ a: server('json') }))],
      plugins,
    })
    expect(loaded.problems).toEqual([])
    expect(commands(loaded)).toEqual({
      a: 'flag json',
      b: 'local local',
      c: 'project project',
      d: 'user user',
      u: 'user own',
      x: 'project own',
      'plugin:q:a': 'plugin plugged',
    })
    const strict = await load({ flagConfigs: ['flags.json'], strict: true, plugins })
    expect(commands(strict)).toEqual({ a: 'flag file' })
  })

  test('servers of the project start only where that is allowed and not rejected', async () => {
    const { folder, load } = world({
      'p/.mcp.json': mcp({ a: server('1'), b: server('2') }),
      'h/.claude.json': mcp({ a: server('user') }),
    })
    using _ = folder
    const untrusted = await loadMcpConfigs({ cwd: join(folder.path, 'p'), home: join(folder.path, 'h'), env })
    expect(commands(untrusted)).toEqual({ a: 'user user' })
    expect(untrusted.held.map(({ name }) => name)).toEqual(['a', 'b'])
    const rejected = await load({ disabledServers: ['b'] })
    expect(commands(rejected)).toEqual({ a: 'project 1' })
    expect(rejected.held.map(({ name }) => name)).toEqual(['b'])
    expect(commands(await load({ isProjectAllowed: (name) => name === 'b' }))).toEqual({
      a: 'user user',
      b: 'project 2',
    })
  })

  test('a broken file is told without its content and costs only itself; a missing flag file is told, too', async () => {
    const { folder, load } = world({
      'p/.mcp.json': '{"mcpServers": {"a": {"env": {"KEY": "s3cret"',
      'h/.claude.json': `\uFEFF${JSON.stringify(mcp({ good: server('x') }))}`,
    })
    using _ = folder
    const loaded = await load({ flagConfigs: ['missing.json', '{"mcpServers": s3cret'] })
    expect(commands(loaded)).toEqual({ good: 'user x' })
    expect(loaded.problems.map(({ type, scope, file }) => [type, scope, file])).toEqual([
      ['unreadable', 'flag', undefined],
      ['unreadable', 'flag', join(folder.path, 'p', 'missing.json')],
      ['unreadable', 'project', join(folder.path, 'p', '.mcp.json')],
    ])
    expect(JSON.stringify(loaded.problems)).not.toContain('s3cret')
  })

  test('what is no file, or too large for one of these, is not read', async () => {
    const { folder, load } = world({ 'p/.x/mcp.json': '', 'h/.claude.json': '{}' })
    using _ = folder
    symlinkSync('/dev/zero', join(folder.path, 'p', '.mcp.json'))
    truncateSync(join(folder.path, 'p', '.x', 'mcp.json'), 2 ** 30)
    expect((await load()).problems.map(({ message }) => message.replace(folder.path, ''))).toEqual([
      'The MCP configuration cannot be read (larger than 64 MiB): /p/.x/mcp.json.',
      'The MCP configuration cannot be read (no regular file): /p/.mcp.json.',
    ])
  })

  test('without any file there is nothing', async () => {
    const { folder, load } = world({})
    using _ = folder
    expect(await load()).toEqual({ servers: [], problems: [], held: [] })
  })
})

test('limits come from the environment, where it holds positive numbers', () => {
  expect(
    readMcpLimits({ MCP_TIMEOUT: '5000', MCP_TOOL_TIMEOUT: '99999999999', MAX_MCP_OUTPUT_TOKENS: '50000' }),
  ).toEqual({
    startMs: 5000,
    callMs: 2_147_483_647,
    maxResultChars: 200_000,
  })
  expect(readMcpLimits({ MCP_TIMEOUT: '0', MCP_TOOL_TIMEOUT: '1s', MAX_MCP_OUTPUT_TOKENS: '-5' })).toEqual({})
})
