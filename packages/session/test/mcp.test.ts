import { fileURLToPath } from 'node:url'
import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { createControlRouter } from '../src/index.ts'
import { collect, createTalk, resultsOf, Scripted, textOf, toolResultsOf } from './scripted.ts'

const program = fileURLToPath(new URL('programs/permission-server.mjs', import.meta.url))
const mcpServers = { guard: { command: process.execPath, args: [program] } }

describe('MCP servers', () => {
  it('are connected before the first request, and their tools run under the rules', async () => {
    await using scripted = await Scripted.start([
      [toolUse('mcp__guard__note', { words: 'this' })],
      [toolUse('mcp__guard__note', { words: 'that' })],
      [text('Done.')],
    ])
    const options = { mcpServers: { ...mcpServers, odd: { url: 'https://example.com' } } }
    const denied = await collect(scripted.ask('Go', options))
    expect(denied[0]).toMatchObject({
      mcp_servers: [{ name: 'guard', status: 'connected' }],
      mcp_server_errors: [{ name: 'odd' }],
      tools: expect.arrayContaining(['mcp__guard__note']),
    })
    expect(toolResultsOf(denied)[0]?.is_error).toBe(true)
    const allowed = await collect(scripted.ask('Go', { ...options, allowedTools: ['mcp__guard__note'] }))
    expect(allowed).toBeDefined()
    const events = JSON.stringify(scripted.server.requests.at(-1)?.body.tools)
    expect(events).toContain('mcp__guard__ask')
  })

  it('answer permission questions; a denial is in the result alone (cli.md 18)', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'touch one' })],
      [toolUse('Bash', { command: 'touch two' })],
      [text('Done.')],
    ])
    const events = await collect(
      scripted.ask('Go', { mcpServers, permissionPromptToolName: 'mcp__guard__ask' }),
    )
    expect([scripted.read('one'), scripted.read('two')]).toEqual(['', undefined])
    expect(textOf(toolResultsOf(events)[1])).toContain('the server says no')
    expect(
      events.filter((event) => event.type === 'system' && event.subtype === 'permission_denied'),
    ).toEqual([])
    expect(resultsOf(events)[0]?.permission_denials).toMatchObject([{ tool_name: 'Bash' }])
  })

  it('that are not there deny, and the model is told why', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'touch one' })],
      [text('Done.')],
    ])
    const events = await collect(scripted.ask('Go', { permissionPromptToolName: 'mcp__gone__ask' }))
    expect(scripted.read('one')).toBeUndefined()
    expect(textOf(toolResultsOf(events)[0])).toContain('There is no MCP tool mcp__gone__ask')
  })

  it('run the handlers of hooks that name them', async () => {
    await using scripted = await Scripted.start([[text('Done.')]])
    const { loadSessionSettings } = await import('../src/index.ts')
    const hooks = {
      UserPromptSubmit: [
        { hooks: [{ type: 'mcp_tool', server: 'guard', tool: 'note', input: { words: '${prompt}' } }] },
      ],
    }
    const settings = await loadSessionSettings({
      cwd: scripted.cwd,
      env: scripted.env,
      home: scripted.path('home'),
      managedFolder: false,
      flagSettings: { hooks },
    })
    await collect(scripted.ask('Hear me', { mcpServers, settings }))
    expect(JSON.stringify(scripted.server.requests[0]?.body.messages)).toContain('noted Hear me')
  })

  it('are switched off and on over the control channel', async () => {
    await using scripted = await Scripted.start([[text('Hi.')]])
    const talk = createTalk()
    talk.say('Go')
    const running = scripted.ask(talk.prompt, { mcpServers })
    const route = createControlRouter(running)
    const ask = async (request: object) =>
      (await route({ type: 'control_request', request_id: '1', request })).response
    for await (const event of running) {
      if (event.type !== 'result') continue
      const state = (status: string) => ({ response: { mcpServers: [{ name: 'guard', status }] } })
      expect(await ask({ subtype: 'mcp_status' })).toMatchObject(state('connected'))
      await ask({ subtype: 'mcp_toggle', serverName: 'guard', enabled: false })
      expect(await ask({ subtype: 'mcp_status' })).toMatchObject(state('disabled'))
      await ask({ subtype: 'mcp_toggle', serverName: 'guard', enabled: true })
      await ask({ subtype: 'mcp_reconnect', serverName: 'guard' })
      expect(await ask({ subtype: 'mcp_status' })).toMatchObject(state('connected'))
      expect(await ask({ subtype: 'mcp_reconnect', serverName: 'nobody' })).toMatchObject({
        subtype: 'error',
      })
      talk.end()
    }
  })
})
