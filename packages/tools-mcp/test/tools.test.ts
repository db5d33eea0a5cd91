import { tmpdir } from 'node:os'
import { declareCall } from '@x/contract'
import {
  createMcpConnections,
  type McpConnections,
  type McpConnectionsOptions,
  type McpServer,
} from '@x/tools-mcp'
import * as fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { type FakeServer, fakeServer, listed, ProtocolFault } from './fake-server.ts'
import { callTool, statusOf, temporaryFolder, toolOf } from './helpers.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let open: McpConnections[] = []
afterEach(async () => {
  await Promise.all(open.map((connections) => connections.close()))
  open = []
})

async function connect(servers: readonly McpServer[], options: Partial<McpConnectionsOptions> = {}) {
  const connections = createMcpConnections(servers, { cwd: tmpdir(), ...options })
  open.push(connections)
  await connections.connect()
  return connections
}

const connectOne = (fake: FakeServer, options: Partial<McpConnectionsOptions> = {}) =>
  connect([fakeServer('s', fake)], options)

const namesOf = (connections: McpConnections): string[] => connections.tools().map(({ name }) => name)

describe('names', () => {
  test('example 72: a tool of `my.srv` is mcp__my_srv__tool', async () => {
    expect(namesOf(await connect([fakeServer('my.srv', { tools: [listed('tool')] })]))).toEqual([
      'mcp__my_srv__tool',
    ])
  })

  test('a server of a plugin is named after it', async () => {
    const connections = await connect([fakeServer('plugin:tools:db', { tools: [listed('get')] })])
    expect(namesOf(connections)).toEqual(['mcp__plugin_tools_db__get'])
  })

  test('case MC-05: odd names become valid ones that reach the original tool', async () => {
    const long = 'l'.repeat(90)
    const call = ({ name }: Record<string, unknown>) => ({ content: [{ type: 'text', text: name }] })
    const odd = { tools: ['a.b/c', 'näme', long, 'ok'].map((name) => listed(name)), call }
    const servers = [fakeServer('my.server', odd), fakeServer('two', { tools: [listed('ok2')], call })]
    const connections = await connect(servers)
    const names = namesOf(connections)
    expect(names).toEqual([
      'mcp__my_server__a_b_c',
      'mcp__my_server__n_me',
      expect.stringMatching(/^mcp__my_server__l{39}_[0-9a-f]{8}$/),
      'mcp__my_server__ok',
      'mcp__two__ok2',
    ])
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    const said = await Promise.all(connections.tools().map(async (tool) => (await callTool(tool, {})).data))
    expect(said.flat()).toEqual(['a.b/c', 'näme', long, 'ok', 'ok2'].map((text) => ({ type: 'text', text })))
    expect(namesOf(await connect(servers.toReversed())).sort()).toEqual(names.sort())
    const shortened = toolOf(connections, names.find((name) => name.includes('lll')) ?? '')
    expect(shortened.aliases).toEqual([`mcp__my_server__${long}`])
    expect(connections.locate(`mcp__my_server__${long}`)).toEqual({ server: 'my.server', tool: long })
  })

  test('case MC-06: names that would be one are kept apart, the same after a restart', async () => {
    const same = 'x'.repeat(70)
    const servers = [
      fakeServer('a.b', { tools: [listed('x')] }),
      fakeServer('a_b', { tools: [listed('x'), listed('Read')] }),
      fakeServer('a', { tools: [listed('b__x'), listed('c__x')] }),
      fakeServer('a__c', { tools: [listed('x')] }),
      fakeServer('one', { tools: [listed('get-x'), listed('get.x'), listed('get_x'), listed('get:x')] }),
      fakeServer('long', { tools: [listed(`${same}1`), listed(`${same}2`)] }),
    ]
    const connections = await connect(servers)
    const names = namesOf(connections)
    expect(new Set(names).size).toBe(12)
    expect(names).toEqual(
      expect.arrayContaining(['mcp__a_b__x', 'mcp__a_b__Read', 'mcp__one__get-x', 'mcp__one__get_x']),
    )
    expect(connections.locate('mcp__a_b__x')).toEqual({ server: 'a_b', tool: 'x' })
    for (const name of names) {
      const place = connections.locate(name)
      expect(toolOf(await connect(servers), name)).toBeDefined()
      expect(statusOf(connections, place?.server ?? '').tools).toContain(name)
    }
  })

  test('case MC-06: whatever the names, each tool has its own, and it leads back to its server', async () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '_', '.', 'é'), minLength: 1, maxLength: 6 })
    const tools = fc.uniqueArray(name, { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, tools, { minKeys: 1, maxKeys: 5 }), async (servers) => {
        const connections = await connect(
          Object.entries(servers).map(([server, names]) =>
            fakeServer(server, { tools: names.map((tool) => listed(tool)) }),
          ),
        )
        const places = namesOf(connections).map((tool) => connections.locate(tool))
        const expected = Object.entries(servers).flatMap(([server, names]) =>
          names.map((tool) => ({ server, tool })),
        )
        expect(places).toEqual(expected)
        await connections.close()
      }),
    )
  })

  test('a name that a server made up to pass for another one is not offered twice', async () => {
    const [made] = namesOf(await connectOne({ tools: [listed('a.b'), listed('a:b')] }))
    const crafted = made?.replace('mcp__s__', '') ?? ''
    const names = namesOf(await connectOne({ tools: [listed('a.b'), listed('a:b'), listed(crafted)] }))
    expect(names).toHaveLength(2)
    expect(names).toContain(made)
  })

  test('the server of a name can be told before it is connected', async () => {
    const connections = createMcpConnections([fakeServer('my.srv')], { cwd: tmpdir(), autoConnect: false })
    expect(connections.locate('mcp__my_srv__approve')).toEqual({ server: 'my.srv' })
    expect(connections.locate('mcp__other__approve')).toBeUndefined()
    expect(() => createMcpConnections([fakeServer('a'), fakeServer('a')], { cwd: tmpdir() })).toThrow(
      TypeError,
    )
  })
})

describe('declarations', () => {
  test('a tool names its server, and where that was configured', async () => {
    const inFile = { ...fakeServer('my.srv', { tools: [listed('a')] }), scope: 'project' as const }
    const connections = await connect([inFile, fakeServer('two', { tools: [listed('b')] })])
    expect(connections.tools().map(({ mcpServer }) => mcpServer)).toEqual([
      { name: 'my.srv', source: 'project' },
      { name: 'two', source: 'sdk' },
    ])
  })

  test('are the closed ones where the server says nothing (example 74), and deferred', async () => {
    const tool = toolOf(await connectOne({ tools: [listed('t')] }), 'mcp__s__t')
    expect(declareCall(tool, {})).toMatchObject({
      isReadOnly: false,
      isConcurrencySafe: false,
      isDestructive: false,
    })
    expect(tool).toMatchObject({
      shouldDefer: true,
      alwaysLoad: false,
      requiresUserInteraction: false,
      maxResultSizeChars: 100_000,
    })
  })

  test('follow the annotations (example 75)', async () => {
    const tools = [
      listed('reads', { annotations: { readOnlyHint: true } }),
      listed('deletes', { annotations: { destructiveHint: true, readOnlyHint: 'yes' } }),
    ]
    const connections = await connectOne({ tools })
    expect(declareCall(toolOf(connections, 'mcp__s__reads'), {})).toMatchObject({
      isReadOnly: true,
      isConcurrencySafe: true,
      isDestructive: false,
    })
    expect(declareCall(toolOf(connections, 'mcp__s__deletes'), {})).toMatchObject({
      isReadOnly: false,
      isConcurrencySafe: false,
      isDestructive: true,
    })
  })

  test.each([
    [900_000, 500_000],
    [120_000, 120_000],
    [-1, 100_000],
    ['many', 100_000],
  ])('example 76: a result limit of %j counts as %j', async (said, counted) => {
    const tools = [listed('t', { _meta: { 'anthropic/maxResultSizeChars': said } })]
    expect(toolOf(await connectOne({ tools }), 'mcp__s__t').maxResultSizeChars).toBe(counted)
  })

  test('alwaysLoad of the tool or of the server keeps it undeferred; some need a person', async () => {
    const meta = { 'anthropic/alwaysLoad': true, 'anthropic/requiresUserInteraction': true }
    const own = await connectOne({ tools: [listed('t', { _meta: meta })] })
    expect(toolOf(own, 'mcp__s__t')).toMatchObject({
      shouldDefer: false,
      alwaysLoad: true,
      requiresUserInteraction: true,
    })
    const servers = await connectOne({ tools: [listed('t')], settings: { alwaysLoad: true } })
    expect(toolOf(servers, 'mcp__s__t')).toMatchObject({ shouldDefer: false, alwaysLoad: true })
  })

  test('descriptions and instructions are cut at 2 KiB, and a missing description is no empty one', async () => {
    const tools = [listed('long', { description: 'ä'.repeat(3000) }), listed('none', { description: ' ' })]
    const connections = await connectOne({ tools, instructions: 'i'.repeat(5000) })
    const { description } = toolOf(connections, 'mcp__s__long')
    expect(Buffer.byteLength(description)).toBeLessThanOrEqual(2048)
    expect(description).toMatch(/^ä+…$/)
    expect(toolOf(connections, 'mcp__s__none').description).toBe('The tool none of the MCP server s.')
    expect(connections.instructions()[0]?.text).toHaveLength(2048)
  })
})

describe('case MC-05: a tool that cannot be used is left out and named, and hides no other', () => {
  test.each([
    ['a number for a tool', 5, 'A tool is left out: it is no object.'],
    ['no name', { inputSchema: { type: 'object' } }, 'A tool is left out: it has no name.'],
    ['a schema that is none', listed('t', { inputSchema: 'x' }), 'its input schema is no object'],
    ['a schema for a text', listed('t', { inputSchema: { type: 'string' } }), 'its input is no object'],
    [
      'a wrong type',
      listed('t', { inputSchema: { properties: { a: { type: 'text' } } } }),
      'not valid at /properties/a/type',
    ],
    ['wrong properties', listed('t', { inputSchema: { properties: [] } }), 'not valid at /properties'],
    [
      'a wrong pattern',
      listed('t', { inputSchema: { properties: { a: { pattern: '(' } } } }),
      'not valid at /properties/a/pattern',
    ],
    [
      'an odd parameter',
      listed('t', { inputSchema: { properties: { $filter: {} } } }),
      'no parameter named "$filter"',
    ],
    [
      'a huge schema',
      listed('t', { inputSchema: { $comment: 'x'.repeat(200_001) } }),
      'longer than 200000 characters',
    ],
    [
      'a tool that runs as a task only',
      listed('t', { execution: { taskSupport: 'required' } }),
      'as a task only',
    ],
    ['the same name again', listed('ok'), 'The tool "ok" is offered twice; the first counts.'],
  ])('%s', async (_, tool, problem) => {
    const connections = await connectOne({ tools: [listed('ok'), tool, listed('ok2')] })
    expect(namesOf(connections)).toEqual(['mcp__s__ok', 'mcp__s__ok2'])
    expect(statusOf(connections, 's').problems).toEqual([expect.stringContaining(problem)])
  })

  test('pages are followed, and a server whose pages lead in a circle is read no further', async () => {
    let pages = 0
    const other = (method: string, { cursor = '0' }: Record<string, unknown>) => {
      if (method !== 'tools/list') return undefined
      pages += 1
      return { tools: [listed(`t${String(cursor)}`)], nextCursor: cursor === '0' ? '1' : '0' }
    }
    expect(namesOf(await connectOne({ other }))).toEqual(['mcp__s__t0', 'mcp__s__t1'])
    expect(pages).toBe(3)
  })
})

describe('a server that has no end', () => {
  test('of its tools: so many are offered, and it is read no further', async () => {
    let pages = 0
    const other = (method: string) => {
      if (method !== 'tools/list') return undefined
      pages += 1
      const tools = Array.from({ length: 1500 }, (_, index) => listed(`t${pages}-${index}`))
      return { tools, nextCursor: String(pages) }
    }
    const connections = await connectOne({ other })
    expect([namesOf(connections).length, pages]).toEqual([2000, 2])
    expect(statusOf(connections, 's').problems).toEqual(['Of its tools only the first 2000 are looked at.'])
  })

  test('of its questions: so many are asked at a time, the others count as put aside', async () => {
    const answers = Promise.withResolvers<{ action: 'accept' }>()
    let asked = 0
    const call: FakeServer['call'] = async (_, client) => {
      const questions = Array.from({ length: 100 }, () =>
        client.ask('elicitation/create', {
          message: 'Who?',
          requestedSchema: { type: 'object', properties: {} },
        }),
      )
      const first = await questions.at(-1)
      answers.resolve({ action: 'accept' })
      await Promise.all(questions)
      return { content: [{ type: 'text', text: JSON.stringify(first) }] }
    }
    const elicit = () => ((asked += 1), answers.promise)
    const tool = toolOf(await connectOne({ tools: [listed('t')], call }, { elicit }), 'mcp__s__t')
    expect((await callTool(tool, {})).data).toEqual([{ type: 'text', text: '{"action":"cancel"}' }])
    expect(asked).toBe(16)
  })

  test('of the words in its errors: the message is cut', async () => {
    const message = 'x'.repeat(1_000_000)
    const call = (): never => {
      throw new ProtocolFault({ code: 1, message })
    }
    const tool = toolOf(await connectOne({ tools: [listed('t')], call }), 'mcp__s__t')
    await expect(callTool(tool, {})).rejects.toSatisfy((error: Error) => error.message.length < 5000)
    const broken = await connectOne({ other: call })
    expect(statusOf(broken, 's').error?.length).toBeLessThan(5000)
  })
})

describe('results', () => {
  const resultOf = async (result: unknown, options: Partial<McpConnectionsOptions> = {}) => {
    const connections = await connectOne({ tools: [listed('t')], call: () => result }, options)
    const tool = toolOf(connections, 'mcp__s__t')
    const answer = await callTool(tool, {})
    return { ...answer, said: tool.mapResult(answer.data as never, 'id').content }
  }
  const text = (value: string) => [{ type: 'text', text: value }]

  test.each([
    ['text', { content: text('hi') }, text('hi')],
    ['structured content alone', { content: [], structuredContent: { a: 1 } }, text('{"a":1}')],
    [
      'structured content and the same as text',
      { content: text('{ "a": 1 }'), structuredContent: { a: 1 } },
      text('{ "a": 1 }'),
    ],
    [
      'structured content and another text',
      { content: text('2 found'), structuredContent: [1, 2] },
      [...text('2 found'), ...text('[1,2]')],
    ],
    [
      'a resource with text',
      { content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'A' } }] },
      text('[The resource file:///a]\nA'),
    ],
    [
      'a link',
      { content: [{ type: 'resource_link', uri: 'file:///a', name: 'a', mimeType: 'text/plain' }] },
      text('[Link to the resource file:///a (a, text/plain)]'),
    ],
    [
      'an unknown type',
      { content: [{ type: 'hologram' }, ...text('x')] },
      [...text('[A part of the result was left out: its type "hologram" is unknown]'), ...text('x')],
    ],
    [
      'a picture that is none',
      { content: [{ type: 'image', data: '%%%', mimeType: 'image/png' }] },
      text('[The image was left out: its data is not base64]'),
    ],
    ['nothing', {}, text('(The tool gave no output.)')],
    ['an empty text', { content: text('') }, text('(The tool gave no output.)')],
    ['content that is no list', { content: 'hi' }, text('(The tool gave no output.)')],
    [
      'sound, with nowhere to put it',
      { content: [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }] },
      text('[The audio (audio/wav, 3 bytes) was left out: it cannot be shown]'),
    ],
  ])('case MC-07: %s', async (_, result, said) => {
    expect((await resultOf(result)).said).toEqual(said)
  })

  test('case MC-07: a picture goes to the model with the type that it has, whatever the server says', async () => {
    const { said } = await resultOf({ content: [{ type: 'image', data: png, mimeType: 'image/webp' }] })
    expect(said).toEqual([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }])
  })

  test('case MC-07: other bytes are saved and their path is told', async () => {
    using folder = temporaryFolder()
    const blob = Buffer.from('PK zip').toString('base64')
    const resource = { uri: 'file:///z', blob, mimeType: 'application/zip' }
    const { said } = await resultOf(
      { content: [{ type: 'resource', resource }] },
      { blobFolder: `${folder.path}/new` },
    )
    const file = /saved to (.*\.zip)\]$/.exec(JSON.stringify(said).replaceAll('"}]', ''))?.[1] ?? ''
    const { readFileSync, statSync } = await import('node:fs')
    expect(readFileSync(file, 'utf8')).toBe('PK zip')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('case MC-07: an error of the tool is one, with its text', async () => {
    expect(await resultOf({ isError: true, content: text('no such row') })).toMatchObject({
      isError: true,
      said: text('no such row'),
    })
  })

  test('structured content and _meta reach programs unchanged', async () => {
    const { mcpMeta } = await resultOf({
      content: text('x'),
      structuredContent: { a: [] },
      _meta: { 'my/key': 1 },
    })
    expect(mcpMeta).toEqual({ structuredContent: { a: [] }, _meta: { 'my/key': 1 } })
    expect((await resultOf({ content: text('x') })).mcpMeta).toBeUndefined()
  })

  test('content that is nested without end is left out, and named', async () => {
    let nested: unknown = []
    for (let depth = 0; depth < 100_000; depth += 1) nested = [nested]
    const { said, mcpMeta } = await resultOf({ content: [{ type: nested }], structuredContent: nested })
    expect(JSON.stringify(said)).toMatch(/is unknown.*nested too deeply/)
    expect(mcpMeta).toBeUndefined()
  })

  test('what a hook put in place of the output is said as it is', async () => {
    const tool = toolOf(await connectOne({ tools: [listed('t')] }), 'mcp__s__t')
    const contentOf = (output: unknown) => tool.mapResult(output as never, 'id').content
    expect(contentOf('plain')).toBe('plain')
    expect(contentOf(text('blocks'))).toEqual(text('blocks'))
    expect(contentOf({ any: 'thing' })).toBe('{"any":"thing"}')
    expect(contentOf([{ type: 'odd' }])).toBe('[{"type":"odd"}]')
  })

  test('an error of the protocol fails the call with its message', async () => {
    const call = () => {
      throw new ProtocolFault({ code: -32602, message: 'bad argument a' })
    }
    const connections = await connectOne({ tools: [listed('t')], call })
    await expect(callTool(toolOf(connections, 'mcp__s__t'), {})).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('bad argument a'),
    })
  })

  test('progress arrives while the call runs', async () => {
    const call: FakeServer['call'] = async ({ _meta }, client) => {
      const { progressToken } = _meta as { readonly progressToken: number }
      client.notify('notifications/progress', { progressToken, progress: 1, total: 2, message: 'half' })
      client.notify('notifications/progress', { progressToken, progress: 'much' })
      await new Promise((resolve) => setImmediate(resolve))
      return { content: text('done') }
    }
    const seen: unknown[] = []
    const connections = await connectOne({ tools: [listed('t')], call })
    await callTool(
      toolOf(connections, 'mcp__s__t'),
      {},
      { onProgress: (progress) => void seen.push(progress) },
    )
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }])
  })
})

describe('a server that asks the user', () => {
  const asking: FakeServer = {
    tools: [listed('t')],
    call: async (_, client) => {
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
      const answer = await client.ask('elicitation/create', { message: 'Who?', requestedSchema })
      return { content: [{ type: 'text', text: JSON.stringify(answer) }] }
    },
  }
  const answerOf = async (options: Partial<McpConnectionsOptions>) => {
    const { data } = await callTool(toolOf(await connectOne(asking, options), 'mcp__s__t'), {})
    return JSON.parse((data as readonly { text: string }[])[0]?.text ?? '')
  }

  test('is declined where nobody can be asked', async () => {
    expect(await answerOf({})).toEqual({ action: 'decline' })
  })

  test('gets the answer of the door', async () => {
    const asked: unknown[] = []
    const elicit: McpConnectionsOptions['elicit'] = async (request) => {
      asked.push(request)
      return { action: 'accept', content: { name: 'Ada' } }
    }
    expect(await answerOf({ elicit })).toEqual({ action: 'accept', content: { name: 'Ada' } })
    expect(asked).toEqual([
      { server: 's', mode: 'form', message: 'Who?', requestedSchema: expect.anything() },
    ])
  })

  test('gets "cancel" when asking fails', async () => {
    expect(await answerOf({ elicit: () => Promise.reject(new Error('no terminal')) })).toEqual({
      action: 'cancel',
    })
  })

  test.each([
    ['accept', 2],
    ['decline', 1],
  ] as const)('for a page first: %s makes %i calls', async (action, calls) => {
    let made = 0
    const call = () => {
      made += 1
      if (made > 1) return { content: [] }
      const page = { mode: 'url', message: 'Log in', url: 'https://example.com/', elicitationId: 'e1' }
      throw new ProtocolFault({ code: -32042, message: 'page first', data: { elicitations: [page] } })
    }
    const connections = await connectOne({ tools: [listed('t')], call }, { elicit: async () => ({ action }) })
    const outcome = await callTool(toolOf(connections, 'mcp__s__t'), {}).catch(
      (error: Error) => error.message,
    )
    expect(made).toBe(calls)
    if (action === 'decline') expect(outcome).toContain('page first')
  })
})

test('a server inside of this program that cannot even be made is listed with its cause', async () => {
  const createTransport = (): never => {
    throw new Error('no such thing')
  }
  const connections = await connect([{ name: 's', config: { type: 'in-process', createTransport } }])
  expect(statusOf(connections, 's')).toMatchObject({ status: 'failed', error: 'no such thing' })
})
