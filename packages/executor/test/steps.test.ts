import type { PermissionAllow, ToolHooks, ToolUseContext } from '@x/contract'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { ExecutorOptions } from '../src/index.ts'
import { makeTool, safe, stage, textOf, use } from './harness.ts'

const silent = { context: [], notices: [] }
const allow: PermissionAllow = { behavior: 'allow', reason: { type: 'mode', detail: 'test' } }

function hooks(parts: Partial<ToolHooks>): ToolHooks {
  return {
    preToolUse: async () => silent,
    postToolUse: async () => silent,
    postToolUseFailure: async () => silent,
    ...parts,
  }
}

function one(tool: ReturnType<typeof makeTool>, parts: Partial<ExecutorOptions> = {}, input: unknown = {}) {
  const set = stage(() => [tool], parts)
  set.add(use(tool.name, input, 'id'))
  return set.play().then(([answer]) => answer)
}

test('the steps come in their order', async () => {
  const steps: string[] = []
  const note = <Value>(step: string, value: Value): Value => {
    steps.push(step)
    return value
  }
  await one(
    makeTool('Read', {
      ...safe,
      validateInput: async () => note('validate', { ok: true as const }),
      backfillInput: (input) => note('backfill', input),
      call: () => note('call', { data: 'x' }),
      mapResult: (_output, id) =>
        note('map', { type: 'tool_result' as const, tool_use_id: id, content: 'long text' }),
      maxResultSizeChars: 5,
    }),
    {
      authorize: Object.assign(async () => note('authorize', allow), {
        prepare: () => note('prepare', undefined),
      }),
      hooks: hooks({
        preToolUse: async () => note('preToolUse', silent),
        postToolUse: async () => note('postToolUse', silent),
      }),
      storeResult: async () => note('store', { path: '/x' }),
    },
  )
  expect(steps).toEqual([
    'validate',
    'backfill',
    'prepare',
    'preToolUse',
    'authorize',
    'call',
    'postToolUse',
    'map',
    'store',
  ])
})

test('a tool answers to its aliases, an unlisted one to its aliases only', async () => {
  const { add, play } = stage(() => [makeTool('TaskOutput', { aliases: ['BashOutput'] })], {
    unlistedTools: [makeTool('Agent', { aliases: ['Task'] })],
  })
  add(use('BashOutput'), use('Task'), use('Agent'), use('TaskOutput'))
  expect((await play()).map(({ cause }) => cause)).toEqual(['ran', 'ran', 'unknown-tool', 'ran'])
})

test.each([
  '',
  ' shell',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'read',
  'mcp__gone__x',
  'N'.repeat(300),
])('the name %j resolves to nothing', async (name) => {
  const { add, play } = stage(() => [makeTool('Read', safe), makeTool('Shell')])
  add(use(name, {}, 'odd'), use('Read', {}, 'good'))
  const [odd, good] = await play()
  expect(textOf(odd)).toBe(`<tool_use_error>No such tool available: ${name.slice(0, 200)}</tool_use_error>`)
  expect(good?.cause).toBe('ran')
})

test('a name wins over an alias, and the first of two equal names over the second', async () => {
  const { add, play } = stage(() => [
    makeTool('New', { aliases: ['Old'], call: () => ({ data: 'new' }) }),
    makeTool('Old', { call: () => ({ data: 'old' }) }),
    makeTool('Old', { call: () => ({ data: 'second' }) }),
  ])
  add(use('Old'))
  expect((await play()).map(textOf)).toEqual(['old'])
})

test('validateInput refuses before hooks and permissions', async () => {
  const authorize = vi.fn(async () => allow)
  const tool = makeTool('Edit', {
    validateInput: async () => ({ ok: false, message: 'File has not been read yet.' }),
  })
  const answer = await one(tool, { authorize })
  expect(textOf(answer)).toBe('<tool_use_error>File has not been read yet.</tool_use_error>')
  expect(answer?.cause).toBe('invalid-input')
  expect(authorize).not.toHaveBeenCalled()
})

test('hooks and permissions see derived fields, the call gets what the model wrote', async () => {
  const seen: unknown[] = []
  const tool = makeTool('Read', {
    backfillInput: (input) => Object.assign(input as object, { path: '/project/a.ts', absolute: true }),
    call: (input) => (seen.push(['call', input]), { data: 'x' }),
  })
  await one(
    tool,
    {
      authorize: async ({ input }) => (seen.push(['authorize', input]), allow),
      hooks: hooks({
        preToolUse: async ({ input }) => (
          seen.push(['pre', input]), { ...silent, updatedInput: { ...input } }
        ),
      }),
    },
    { path: 'a.ts' },
  )
  const filled = { path: '/project/a.ts', absolute: true }
  // A hook that hands back what it was shown has replaced nothing.
  expect(seen).toEqual([
    ['pre', filled],
    ['authorize', filled],
    ['call', { path: 'a.ts' }],
  ])
})

test('a hook that changes what it is shown does not change the call', async () => {
  let got: unknown
  const tool = makeTool('Read', { call: (input) => ((got = input), { data: 'x' }) })
  await one(
    tool,
    {
      hooks: hooks({
        preToolUse: async ({ input }) => {
          Object.assign(input['options'] as object, { evil: true })
          Object.assign(input, { evil: true })
          return silent
        },
      }),
    },
    { options: { a: 1 } },
  )
  expect(got).toEqual({ options: { a: 1 } })
})

test('a replaced input is parsed, validated, filled in and judged by the permissions', async () => {
  const seen: unknown[] = []
  const tool = makeTool('Read', {
    inputSchema: z.strictObject({ path: z.string(), limit: z.number().optional() }),
    backfillInput: (input) => ({ ...(input as object), absolute: `/p/${(input as { path: string }).path}` }),
    validateInput: async (input) => (seen.push(['validate', input]), { ok: true }),
    call: (input) => (seen.push(['call', input]), { data: 'x' }),
  })
  await one(
    tool,
    {
      authorize: async ({ input }) => (
        seen.push(['authorize', input]), { ...allow, updatedInput: { path: 'c' } }
      ),
      // The derived field comes back although the schema does not know it; the string is taken for a number.
      hooks: hooks({
        preToolUse: async ({ input }) => ({ ...silent, updatedInput: { ...input, path: 'b', limit: '3' } }),
      }),
    },
    { path: 'a' },
  )
  expect(seen).toEqual([
    ['validate', { path: 'a' }],
    ['validate', { path: 'b', limit: 3 }],
    ['authorize', { path: 'b', limit: 3, absolute: '/p/b' }],
    ['validate', { path: 'c' }],
    ['call', { path: 'c' }],
  ])
})

test.each([
  ['a field that nobody derived', { path: 'b', other: 1 }, 'An unexpected parameter `other` was provided'],
  ['a wrong type', { path: 5 }, 'type is expected as `string`'],
])('a replaced input with %s is refused', async (_title, updatedInput, text) => {
  const call = vi.fn()
  const tool = makeTool('Read', { inputSchema: z.strictObject({ path: z.string() }), call })
  const answer = await one(
    tool,
    { hooks: hooks({ preToolUse: async () => ({ ...silent, updatedInput }) }) },
    { path: 'a' },
  )
  expect(textOf(answer)).toContain(text)
  expect(answer?.cause).toBe('invalid-input')
  expect(call).not.toHaveBeenCalled()
})

test('a verdict says if its hook changed the input too: only then its allow answers for a person', async () => {
  const authorize = vi.fn(async () => allow)
  const tool = makeTool('Ask', {
    inputSchema: z.strictObject({ answer: z.string() }),
    requiresUserInteraction: true,
  })
  const verdict = { behavior: 'allow' as const }
  const updatedInput = { answer: 'yes' }
  await one(
    tool,
    { authorize, hooks: hooks({ preToolUse: async () => ({ ...silent, verdict, updatedInput }) }) },
    { answer: '' },
  )
  expect(authorize).toHaveBeenLastCalledWith(
    expect.objectContaining({ hook: { behavior: 'allow', changedInput: true } }),
  )
})

test("a hook's deny is final, its other verdicts go to the permissions", async () => {
  const authorize = vi.fn(async () => allow)
  for (const behavior of ['allow', 'ask'] as const) {
    const verdict = { behavior, reason: 'r' }
    await one(makeTool('Edit'), {
      authorize,
      hooks: hooks({ preToolUse: async () => ({ ...silent, verdict }) }),
    })
    expect(authorize).toHaveBeenLastCalledWith(expect.objectContaining({ hook: verdict }))
  }
  authorize.mockClear()
  for (const outcome of [
    { verdict: { behavior: 'deny' as const, reason: 'No rm.' } },
    { blockingError: 'No rm.' },
  ]) {
    const answer = await one(makeTool('Edit'), {
      authorize,
      hooks: hooks({ preToolUse: async () => ({ ...silent, ...outcome }) }),
    })
    expect(textOf(answer)).toBe('No rm.')
    expect(answer?.cause).toBe('denied')
  }
  expect(authorize).not.toHaveBeenCalled()
})

test('where a person has to answer, an allow of a hook counts only with a changed input', async () => {
  const seen: unknown[] = []
  const tool = makeTool('Ask', { requiresUserInteraction: true })
  for (const change of [{}, { updatedInput: { answer: 'yes' } }]) {
    await one(tool, {
      authorize: async ({ hook, input }) => {
        seen.push([hook?.behavior, input])
        return allow
      },
      hooks: hooks({ preToolUse: async () => ({ ...silent, verdict: { behavior: 'allow' }, ...change }) }),
    })
  }
  expect(seen).toEqual([
    [undefined, {}],
    ['allow', { answer: 'yes' }],
  ])
})

test('no continuation: the call runs, and its event says that the query ends', async () => {
  const answer = await one(makeTool('Read'), {
    hooks: hooks({ preToolUse: async () => ({ ...silent, stop: { reason: 'enough' } }) }),
  })
  expect(answer).toMatchObject({ cause: 'ran', stop: { reason: 'enough' } })
})

test('what hooks and the user say comes with the result', async () => {
  const image = { type: 'image' as const, source: { type: 'url' as const, url: 'https://x/y.png' } }
  const answer = await one(
    makeTool('Edit', {
      call: () => ({
        data: 'x',
        newMessages: [{ role: 'user', content: 'from the tool' }],
        mcpMeta: { a: 1 },
      }),
    }),
    {
      authorize: async () => ({ ...allow, feedback: 'but keep it short', content: [image] }),
      hooks: hooks({
        preToolUse: async () => ({ context: ['before'], notices: ['seen before'] }),
        postToolUse: async () => ({
          context: ['after'],
          notices: ['seen after'],
          blockingError: 'lint failed',
        }),
      }),
    },
  )
  expect(answer?.attached).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: '<system-reminder>\nPreToolUse hook of Edit: before\n</system-reminder>' },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'but keep it short' }, image] },
    {
      role: 'user',
      content: [
        { type: 'text', text: '<system-reminder>\nPostToolUse hook of Edit: after\n</system-reminder>' },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: '<system-reminder>\nlint failed\n</system-reminder>' }] },
    { role: 'user', content: 'from the tool' },
  ])
  expect(answer).toMatchObject({ notices: ['seen before', 'seen after'], output: 'x', mcpMeta: { a: 1 } })
  expect(answer?.result.is_error).toBe(undefined)
})

test('an output that a hook replaced is mapped', async () => {
  const answer = await one(makeTool('Read', { call: () => ({ data: 'secret' }) }), {
    hooks: hooks({ postToolUse: async () => ({ ...silent, updatedOutput: { value: 'redacted' } }) }),
  })
  expect(textOf(answer)).toBe('redacted')
  expect(answer?.output).toBe('redacted')
})

test('a failing result is an error, fires the failure hooks, and keeps its context modifier', async () => {
  const fired: string[] = []
  const tool = makeTool('Bash', {
    call: () => ({
      data: 'Exit code 1',
      isError: true,
      contextModifier: (context: ToolUseContext) => ({ ...context, cwd: '/new' }),
    }),
  })
  const { add, play, executor } = stage(() => [tool], {
    hooks: hooks({
      postToolUse: async () => (fired.push('post'), silent),
      postToolUseFailure: async ({ error }) => (fired.push(error), silent),
    }),
  })
  add(use('Bash'))
  const [answer] = await play()
  expect(answer?.result).toMatchObject({ content: 'Exit code 1', is_error: true })
  expect(fired).toEqual(['Exit code 1'])
  expect(executor.context.cwd).toBe('/new')
})

test('context modifiers of unsafe calls apply in order, before the next begins; those of safe calls do not', async () => {
  const move = (to: string) => (context: ToolUseContext) => ({ ...context, cwd: `${context.cwd}/${to}` })
  const seen: string[] = []
  const call = ({ to }: { readonly to?: unknown }, { cwd }: ToolUseContext): unknown => {
    seen.push(cwd)
    return { data: 'x', contextModifier: move(String(to)) }
  }
  const { add, play, executor } = stage(() => [makeTool('Cd', { call }), makeTool('Look', { ...safe, call })])
  add(use('Cd', { to: 'a' }), use('Look', { to: 'nowhere' }), use('Cd', { to: 'b' }), use('Look', {}))
  await play()
  expect(seen).toEqual(['/project', '/project/a', '/project/a', '/project/a/b'])
  expect(executor.context.cwd).toBe('/project/a/b')
  expect('abortController' in executor.context || 'toolUseId' in executor.context).toBe(false)
})

test('a modifier that throws makes the call an error; the context stays', async () => {
  const tool = makeTool('Cd', {
    call: () => ({
      data: 'x',
      contextModifier: () => {
        throw new Error('gone')
      },
    }),
  })
  const { add, play, executor } = stage(() => [tool])
  add(use('Cd'))
  expect(textOf((await play())[0])).toContain('its change of the context failed: gone')
  expect(executor.context.cwd).toBe('/project')
})

test('the nested permission check asks the same authority, and nobody after the call was answered', async () => {
  const asked: unknown[] = []
  const other = makeTool('Bash')
  let late: unknown
  const tool = makeTool('Agent', {
    call: async (_input, _context, { canUseTool }) => {
      const decision = await canUseTool(other, { command: 'ls' })
      setImmediate(() => void canUseTool(other, {}).then((answer) => (late = answer)))
      return { data: decision.behavior }
    },
  })
  const answer = await one(tool, {
    authorize: async ({ tool, input }) => (asked.push([tool.name, input]), allow),
  })
  expect(textOf(answer)).toBe('allow')
  await expect.poll(() => late).toMatchObject({ behavior: 'deny' })
  expect(asked).toEqual([
    ['Agent', {}],
    ['Bash', { command: 'ls' }],
  ])
})

test('the call sees its own controller, id and parent message', async () => {
  let seen: unknown[] = []
  const tool = makeTool('Read', {
    call: (_input, context, { parentMessage }) => {
      seen = [context.toolUseId, context.abortController.signal.aborted, parentMessage.role, context.cwd]
      return { data: 'x' }
    },
  })
  await one(tool)
  expect(seen).toEqual(['id', false, 'assistant', '/project'])
})

test('a call that may change something is told of before it begins, a read-only one is not', async () => {
  const order: string[] = []
  const set = stage(
    () => [
      makeTool('Read', { ...safe, call: () => order.push('read') }),
      makeTool('Write', { call: () => order.push('write') }),
    ],
    {
      beforeEffects: async (id, { content }) => {
        await Promise.resolve()
        order.push(`${id} of ${content.length}`)
      },
    },
  )
  set.add(use('Read', {}, 'one'))
  set.add(use('Write', {}, 'two'))
  await set.play()
  expect(order).toEqual(['read', expect.stringMatching(/^two of/), 'write'])
})

test('a call that cannot be written down does not run', async () => {
  const call = vi.fn()
  const answer = await one(makeTool('Write', { call }), {
    beforeEffects: () => Promise.reject(new Error('disk full')),
  })
  expect(call).not.toHaveBeenCalled()
  expect(answer?.result.is_error).toBe(true)
  expect(textOf(answer)).toContain('disk full')
})
