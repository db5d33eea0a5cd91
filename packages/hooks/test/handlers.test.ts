import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHooks, type HookProgress, type ModelQuestion } from '@x/hooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toCommandLine } from '../src/handlers/command-line.ts'
import { bash, beforeBash, command, decide, runHooks } from './helpers.ts'

interface Reply {
  readonly status?: number
  readonly body?: string
  readonly headers?: Record<string, string>
  readonly hangs?: boolean
}

async function serve(
  reply: Reply,
): Promise<{ url: string; seen: IncomingMessage[]; bodies: string[] } & AsyncDisposable> {
  const seen: IncomingMessage[] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    let body = ''
    request.on('data', (bytes) => (body += String(bytes)))
    request.on('end', () => {
      bodies.push(body)
      if (reply.hangs !== true) response.writeHead(reply.status ?? 200, reply.headers).end(reply.body ?? '')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  // The one edge: it listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    seen,
    bodies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('http', () => {
  test.each([
    {
      number: 91,
      says: '403 is told and does not block',
      reply: { status: 403 },
      outcome: 'none',
      error: /status 403/,
      closed: 'deny',
    },
    {
      number: 91,
      says: '200 with a deny',
      reply: { body: JSON.stringify(decide('deny')) },
      outcome: 'deny',
      closed: 'deny',
    },
    {
      number: 91,
      says: '200 with text is an error',
      reply: { body: 'no' },
      outcome: 'none',
      error: /no JSON object/,
      closed: 'deny',
    },
    { number: 4.4, says: '200 without a body is no opinion', reply: {}, outcome: 'none', closed: 'none' },
    {
      number: 4.4,
      says: 'an answer that is not valid is an error',
      reply: { body: '{"decision":5}' },
      outcome: 'none',
      error: /not valid/,
      closed: 'deny',
    },
    {
      number: 4.4,
      says: 'a redirect is not followed',
      reply: { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      outcome: 'none',
      error: /status 302/,
      closed: 'deny',
    },
  ])('$number. $says', async ({ reply, outcome, error, closed }) => {
    await using server = await serve(reply)
    const handler = { type: 'http', url: server.url }
    const result = await beforeBash([handler])
    expect(result.outcome).toBe(outcome)
    expect(result.errors.join()).toMatch(error ?? /^$/)
    expect(JSON.parse(server.bodies[0] ?? '')).toMatchObject({ tool_name: 'Bash' })
    expect((await beforeBash([{ ...handler, onFailure: 'block' }])).outcome).toBe(closed)
  })

  test('4.4. no connection is told', async () => {
    const result = await beforeBash([{ type: 'http', url: 'http://127.0.0.1:1/' }])
    expect(result.errors[0]).toMatch(/the request failed/)
  })

  test('4.4. a late answer is dropped', async () => {
    await using server = await serve({ hangs: true })
    const result = await beforeBash([{ type: 'http', url: server.url, timeout: 0.1 }])
    expect(result.handlers[0]?.outcome).toBe('timed-out')
  })

  test('90. a header gets a variable only if the handler and the settings allow it', async () => {
    await using server = await serve({})
    const headers = { authorization: 'Bearer $TOK', 'x-both': '${TOK}|$OTHER|$TOKEN' }
    const env = { TOK: 'secret', OTHER: 'other', TOKEN: 'token' }
    await beforeBash([{ type: 'http', url: server.url, headers }], { env })
    const allowed = { type: 'http', url: server.url, headers, allowedEnvVars: ['TOK', 'OTHER'] }
    await beforeBash([allowed], { env, allowedHttpEnvVars: ['TOK'] })
    expect(server.seen.map((request) => [request.headers.authorization, request.headers['x-both']])).toEqual([
      ['Bearer', '||'],
      ['Bearer secret', 'secret||'],
    ])
  })

  test('89. only allowed addresses are asked', async () => {
    await using server = await serve({})
    const ask = async (...allowedHttpUrls: string[]): Promise<string> =>
      (await beforeBash([{ type: 'http', url: server.url }], { allowedHttpUrls })).errors.join()
    expect(await ask('https://hooks.example.com/*')).toMatch(/not among the allowed/)
    expect(await ask()).toMatch(/not among the allowed/)
    expect(await ask('http://127.0.0.1:*/*')).toBe('')
    expect(server.seen.length).toBe(1)
  })
})

describe('89. the star of an allowed address', () => {
  const never = { type: 'http', url: '' }
  const isAllowed = async (pattern: string, url: string): Promise<boolean> => {
    const fetch = (): Promise<Response> => Promise.resolve(new Response())
    return (await beforeBash([{ ...never, url }], { fetch, allowedHttpUrls: [pattern] })).errors.length === 0
  }

  test.each([
    ['*', 'https://a.example/x'],
    ['https://*', 'https://a.example/x?y'],
    ['https://*.example.com/*', 'https://a.b.example.com/x/y'],
    ['https://hooks.example.com/*', 'https://HOOKS.example.com./x'],
    ['https://hooks.example.com*', 'https://hooks.example.com/x'],
    ['https://hooks.example.com:443/*', 'https://hooks.example.com/x'],
    ['http://127.0.0.1:*/*', 'http://127.0.0.1:8080/x'],
    ['*://hooks.example.com/*', 'https://hooks.example.com/'],
    ['*.example.com/*', 'https://hooks.example.com/x'],
    ['https://hooks.example.com/a/*/c', 'https://hooks.example.com/a/b/b/c'],
  ])('%s lets %s through', async (pattern, url) => {
    expect(await isAllowed(pattern, url)).toBe(true)
  })

  test.each([
    ['https://*.example.com/*', 'https://evil.test/x.example.com/y'],
    ['https://*.example.com/*', 'https://evil.test?.example.com/'],
    ['https://*.example.com/*', 'https://evil.test#.example.com/'],
    ['https://*.example.com/*', 'https://evil.test\\.example.com/'],
    ['https://*.example.com/*', 'https://evil\t.test/.example.com/'],
    ['https://hooks.example.com*', 'https://hooks.example.com@evil.test/'],
    ['*.example.com/*', 'https://evil.test/x.example.com/y'],
    ['https://hooks.example.com/*', 'http://hooks.example.com/x'],
    ['*', 'no address'],
  ])('%s does not let %s through', async (pattern, url) => {
    expect(await isAllowed(pattern, url)).toBe(pattern === '*' && url === 'no address')
  })
})

describe('prompt and agent', () => {
  const prompt = { type: 'prompt', prompt: 'Is this fine?' }
  const says = (
    reply: object | string,
  ): { askModel: () => Promise<string>; askAgent: () => Promise<string> } => {
    const answer = (): Promise<string> =>
      Promise.resolve(typeof reply === 'string' ? reply : JSON.stringify(reply))
    return { askModel: answer, askAgent: answer }
  }
  const no = says({ ok: false, reason: 'r' })
  const after = { ...bash('ls'), tool_response: {} }
  const stop = { stop_hook_active: false }

  test('104. a no denies and ends the turn, or only denies', async () => {
    expect(await beforeBash([prompt], no)).toMatchObject({
      outcome: 'deny',
      feedback: ['r'],
      stop: { reason: 'r' },
    })
    const goesOn = await beforeBash([{ ...prompt, continueOnBlock: true }], no)
    expect(goesOn).toMatchObject({ outcome: 'deny', feedback: ['r'] })
    expect(goesOn.stop).toBeUndefined()
    expect((await beforeBash([{ type: 'agent', prompt: 'p' }], no)).stop).toBeUndefined()
  })

  test('4.6. a no at other events', async () => {
    expect(await runHooks('PostToolUse', after, [prompt], no)).toMatchObject({
      outcome: 'none',
      stop: { reason: 'r' },
    })
    expect(
      (await runHooks('PostToolUse', after, [{ ...prompt, continueOnBlock: true }], no)).feedback,
    ).toEqual(['r'])
    expect((await runHooks('Stop', stop, [prompt], no)).feedback).toEqual(['r'])
    const impossible = says({ ok: false, reason: 'r', impossible: true })
    expect((await runHooks('Stop', stop, [prompt], impossible)).outcome).toBe('none')
    expect((await runHooks('UserPromptSubmit', { prompt: 'p' }, [prompt], no)).stop).toEqual({ reason: 'r' })
    expect((await runHooks('TeammateIdle', { teammate_name: 't' }, [prompt], no)).stop).toEqual({
      reason: 'r',
    })
    expect(
      (await runHooks('PermissionRequest', { tool_name: 'Bash', tool_input: {} }, [prompt], no)).outcome,
    ).toBe('none')
  })

  test('a reply that is blank for long holds up nobody', async () => {
    const reply = `\`\`\`${' '.repeat(200_000)}x`
    expect((await beforeBash([prompt], says(reply))).errors[0]).toMatch(/the reply is not valid/)
  })

  test('4.6. a yes says nothing, a fence around it does not matter', async () => {
    const result = await beforeBash([prompt], says('```json\n{"ok": true}\n```'))
    expect(result).toMatchObject({ outcome: 'none', errors: [] })
  })

  test.each([['not JSON'], [{ ok: 'yes' }], [{ ok: false }]])(
    '4.6. a reply that is not valid is told: %j',
    async (reply) => {
      const result = await beforeBash([prompt], says(reply))
      expect(result).toMatchObject({ outcome: 'none', handlers: [{ outcome: 'failed' }] })
    },
  )

  test('4.6. without a model, or with one that fails, the user is told', async () => {
    expect((await beforeBash([prompt])).errors[0]).toMatch(/nobody here/)
    const askModel = (): Promise<string> => Promise.reject(new Error('overloaded'))
    expect((await beforeBash([prompt], { askModel })).errors[0]).toMatch(/overloaded/)
  })

  test('4.6. the input stands for $ARGUMENTS, or behind the question', async () => {
    const asked: ModelQuestion[] = []
    const askModel = (question: ModelQuestion): Promise<string> => {
      asked.push(question)
      return Promise.resolve('{"ok":true}')
    }
    const handlers = ['a $ARGUMENTS b', 'c', String.raw`d \$ARGUMENTS`].map((text) => ({
      type: 'prompt',
      prompt: text,
      model: 'small',
    }))
    await beforeBash(handlers, { askModel, common: () => ({ session_id: 's' }) })
    expect(asked.map(({ prompt, model }) => [prompt.replace(/\{.*\}/s, 'JSON'), model])).toEqual([
      ['a JSON b', 'small'],
      ['c\n\nJSON', 'small'],
      ['d $ARGUMENTS\n\nJSON', 'small'],
    ])
  })

  test('4.6. at most twelve are asked at once', async () => {
    let running = 0
    let most = 0
    const askModel = async (): Promise<string> => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return '{"ok":true}'
    }
    const handlers = Array.from({ length: 30 }, (_, index) => ({ type: 'prompt', prompt: `${index}` }))
    const result = await beforeBash(handlers, { askModel })
    expect([most, result.handlers.length]).toEqual([12, 30])
  })
})

describe('mcp_tool', () => {
  const handler = {
    type: 'mcp_tool',
    server: 's',
    tool: 't',
    input: { line: '${tool_input.command}!', deep: [{ id: '${tool_use_id}' }], none: '${a.b}' },
  }

  test('4.5. fields of the event are filled in, the text is read like standard output', async () => {
    const calls: unknown[] = []
    const result = await beforeBash([handler], {
      callMcpTool: ({ server, tool, event, input }) => {
        calls.push({ server, tool, event, input })
        return Promise.resolve({ text: JSON.stringify(decide('ask')) })
      },
    })
    expect(calls).toEqual([
      {
        server: 's',
        tool: 't',
        event: 'PreToolUse',
        input: { line: 'ls!', deep: [{ id: 'toolu_1' }], none: '' },
      },
    ])
    expect(result.outcome).toBe('ask')
  })

  test('4.5. nothing is called before servers can be connected', async () => {
    await using hooks = createHooks([
      { hooks: { Setup: [{ hooks: [handler] }], SessionStart: [{ hooks: [handler] }] } },
    ])
    const count = async (source: string): Promise<number> =>
      (await hooks.run('SessionStart', { source })).handlers.length
    expect((await hooks.run('Setup', { trigger: 'init' })).handlers).toEqual([])
    expect([
      await count('startup'),
      await count('resume'),
      await count('clear'),
      await count('compact'),
    ]).toEqual([0, 0, 1, 1])
  })

  test('4.5. a failure is told', async () => {
    const failing = await beforeBash([handler], {
      callMcpTool: () => Promise.resolve({ text: 'not connected', isError: true }),
    })
    expect(failing).toMatchObject({ outcome: 'none', errors: [expect.stringMatching(/not connected/)] })
    expect((await beforeBash([handler])).errors[0]).toMatch(/nobody here/)
  })
})

describe('command lines', () => {
  const command = 'Write-Output ${CLAUDE_PROJECT_DIR} $CLAUDE_PROJECT_DIR'

  test('4.2. PowerShell reads placeholders from the environment', () => {
    const line = toCommandLine(
      { type: 'command', command, shell: 'powershell' },
      { env: {}, plugin: undefined, platform: 'linux' },
    )
    expect(line).toEqual({
      program: 'pwsh',
      args: [
        '-NoProfile',
        '-NonInteractive',
        '-Command',
        'Write-Output ${env:CLAUDE_PROJECT_DIR} $CLAUDE_PROJECT_DIR',
      ],
    })
  })

  test('4.2. Windows without bash uses PowerShell, others use sh', () => {
    const handler = { type: 'command' as const, command: 'a' }
    const program = (platform: NodeJS.Platform): string =>
      toCommandLine(handler, { env: { PATH: '/nowhere' }, plugin: undefined, platform }).program
    expect([program('win32'), program('linux')]).toEqual(['powershell.exe', 'sh'])
  })

  test('a folder with the name of bash on the search path is passed over', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hooks-path-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    for (const name of ['a/bash', 'b']) mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, 'b', 'bash'), '', { mode: 0o755 })
    const facts = { env: { PATH: `${folder}/a:${folder}/b` }, plugin: undefined }
    expect(toCommandLine({ type: 'command', command: 'a' }, facts).program).toBe(join(folder, 'b', 'bash'))
  })

  test('2.3. a prefix gets the whole line as one word', () => {
    const { args } = toCommandLine(
      { type: 'command', command: "echo 'a'" },
      { env: { CLAUDE_CODE_SHELL_PREFIX: 'wrap' }, plugin: undefined },
    )
    expect(args).toEqual(['-c', `wrap 'echo '\\''a'\\'''`])
  })

  test('4.2. options of a plugin are filled in in exec form only', async () => {
    const plugin = { name: 'p', root: '/p r', options: { key: 'v a' } }
    const words = toCommandLine(
      { type: 'command', command: 'x', args: ['${user_config.key}', '${CLAUDE_PLUGIN_ROOT}/a'] },
      { env: { CLAUDE_PLUGIN_ROOT: '/p r' }, plugin },
    )
    expect(words.args).toEqual(['v a', '/p r/a'])
    await using hooks = createHooks([
      {
        hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'echo ${user_config.key}' }] }] },
        origin: 'plugin',
        plugin,
      },
    ])
    expect((await hooks.run('PreToolUse', bash('ls'))).errors[0]).toMatch(/must not contain/)
  })
})

test('start and end of each handler are told', async () => {
  const told: HookProgress[] = []
  await beforeBash([command('true', { statusMessage: 'Checking' })], {
    onProgress: (progress) => told.push(progress),
  })
  expect(told).toMatchObject([
    { type: 'hook-start', name: 'PreToolUse:Bash', label: 'true', statusMessage: 'Checking' },
    { type: 'hook-end', report: { outcome: 'success', exitCode: 0 } },
  ])
})
