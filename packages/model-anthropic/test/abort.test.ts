import { spawn } from 'node:child_process'
import { once as onceEvent } from 'node:events'
import { createAnthropicModel } from '@x/model-anthropic'
import {
  delay,
  message,
  ping,
  redacted,
  silence,
  startScriptedServer,
  text,
  thinking,
  toolUse,
} from '@x/model-anthropic/testing'
import { expect, test } from 'vitest'
import { ask, collect, once, pair } from './support.ts'

const everything = [
  thinking('hm'),
  redacted('eA=='),
  ping(),
  text('some text'),
  toolUse('Read', { file_path: 'a' }),
]

function listenerCount(signal: AbortSignal): number {
  const listeners = Reflect.ownKeys(signal).find((key) => String(key) === 'Symbol(kEvents)')
  const events: unknown = listeners === undefined ? undefined : Reflect.get(signal, listeners)
  return events instanceof Map && events.get('abort')?.next !== undefined ? 1 : 0
}

test('an aborted signal is refused with its reason, before anything is sent', async () => {
  await using both = await pair([[text('x')]])
  const reason = new Error('not today')
  const { failure } = await collect(both.model.stream(ask({ signal: AbortSignal.abort(reason) })))
  expect(failure).toBe(reason)
  expect(both.server.requests).toHaveLength(0)
})

test('an abort at any event ends the stream there with the reason, closes the connection and leaves no listener', async () => {
  const whole = await once(message(everything))
  for (let at = 0; at < whole.events.length; at += 1) {
    await using both = await pair([message(everything, { eventDelayMs: 1 })])
    const controller = new AbortController()
    const reason = { at }
    const stream = both.model.stream(ask({ signal: controller.signal }))
    const { events, failure } = await collect(stream, (index) => index === at && controller.abort(reason))
    expect(events.map((event) => event.type)).toEqual(
      whole.events.slice(0, at + 1).map((event) => event.type),
    )
    expect(failure).toBe(reason)
    expect(listenerCount(controller.signal)).toBe(0)
    await both.server.requests[0]?.ended
  }
})

test.each([
  ['before the headers', [silence()]],
  ['within the response', [text('so'), silence()]],
])('an abort during silence %s returns at once and closes the connection', async (_, script) => {
  await using both = await pair([script])
  const controller = new AbortController()
  const reason = new Error('enough')
  const reading = collect(both.model.stream(ask({ signal: controller.signal })))
  await expect.poll(() => both.server.requests).toHaveLength(1)
  controller.abort(reason)
  expect((await reading).failure).toBe(reason)
  await both.server.requests[0]?.ended
  expect(both.server.requests[0]?.isClosedByClient).toBe(true)
})

test('an abort returns at once even if fetch takes no notice of it', async () => {
  const controller = new AbortController()
  const model = createAnthropicModel({ fetch: () => new Promise(() => undefined) })
  const reading = collect(model.stream(ask({ signal: controller.signal })))
  setTimeout(() => controller.abort('enough'), 5)
  expect((await reading).failure).toBe('enough')
})

test.each([
  ['before the headers', [silence()]],
  ['within the response', [text('so'), silence()]],
])('silence %s beyond the limit is a stall, and the connection is closed', async (_, script) => {
  await using both = await pair([script], { idleTimeoutMs: 60 })
  const { failure } = await collect(both.model.stream(ask()))
  expect(failure).toMatchObject({ code: 'stalled', status: null, isRetryable: true })
  await both.server.requests[0]?.ended
  expect(both.server.requests[0]?.isClosedByClient).toBe(true)
})

test('an answer that does not begin in time is late', async () => {
  const { failure } = await once([silence()], { timeoutMs: 60 })
  expect(failure).toMatchObject({ code: 'timeout', status: null, isRetryable: true })
})

test.concurrent('a response that flows may take longer than the limit for its beginning', async () => {
  const { failure } = await once([text('a'), delay(2500), text('b')], { timeoutMs: 2000 })
  expect(failure).toBeUndefined()
})

test.concurrent('pings end the silence', async () => {
  const pings = Array.from({ length: 8 }, () => [delay(300), ping()]).flat()
  const { failure } = await once([text('a'), ...pings, text('b')], { idleTimeoutMs: 2000 })
  expect(failure).toBeUndefined()
})

test.concurrent('a reader who takes their time is not taken for silence of the service', async () => {
  await using both = await pair([[text('a')]], { idleTimeoutMs: 1500 })
  let count = 0
  for await (const event of both.model.stream(ask())) {
    if (count === 0 && event.type === 'message-start')
      await new Promise((resolve) => setTimeout(resolve, 2000))
    count += 1
  }
  expect(count).toBeGreaterThan(3)
})

test('a reader who leaves early closes the connection and leaves no listener', async () => {
  await using both = await pair([[text('a'), silence()]])
  const controller = new AbortController()
  for await (const event of both.model.stream(ask({ signal: controller.signal }))) {
    if (event.type === 'block-start') break
  }
  expect(listenerCount(controller.signal)).toBe(0)
  await both.server.requests[0]?.ended
  expect(both.server.requests[0]?.isClosedByClient).toBe(true)
})

test('one signal serves any number of requests and carries at most one listener for each that goes on', async () => {
  await using server = await startScriptedServer({ respond: () => [text('x')] })
  const model = createAnthropicModel({ baseURL: server.url })
  const controller = new AbortController()
  for (let round = 0; round < 30; round += 1) await collect(model.stream(ask({ signal: controller.signal })))
  expect(listenerCount(controller.signal)).toBe(0)
})

test('responses read to their end give their connection to the next request', async () => {
  await using server = await startScriptedServer({ respond: () => [text('x')] })
  const model = createAnthropicModel({ baseURL: server.url })
  for (let round = 0; round < 10; round += 1) await collect(model.stream(ask()))
  expect(new Set(server.requests.map((request) => request.clientPort)).size).toBeLessThanOrEqual(2)
})

test('the process can exit after a stall, an abort and a finished answer', async () => {
  await using server = await startScriptedServer({
    script: [[silence()], [text('a'), silence()], [text('b')]],
  })
  const code = `
    import { createAnthropicModel } from '@x/model-anthropic'
    const model = createAnthropicModel({ baseURL: ${JSON.stringify(server.url)}, idleTimeoutMs: 200 })
    const ask = (signal) => model.stream({ model: 'm', system: [], tools: [], messages: [{ role: 'user', content: 'hi' }], signal })
    const read = async (stream, onEvent) => { try { for await (const event of stream) onEvent?.(event) } catch (error) { console.log(String(error.code ?? error)) } }
    await read(ask(new AbortController().signal))
    const controller = new AbortController()
    await read(ask(controller.signal), (event) => event.type === 'block-end' && controller.abort('enough'))
    await read(ask(new AbortController().signal), (event) => event.type === 'message-end' && console.log('end'))
  `
  expect(await runScript(code)).toEqual({ exitCode: 0, output: 'stalled\nenough\nend\n' })
})

test('a request loads no fetch: it copies bodies and takes more memory than all of this package', async () => {
  await using server = await startScriptedServer({ respond: () => [text('x')] })
  const code = `
    const { createAnthropicModel } = await import('@x/model-anthropic')
    const model = createAnthropicModel({ baseURL: ${JSON.stringify(server.url)} })
    for await (const event of model.stream({ model: 'm', system: [], tools: [], messages: [{ role: 'user', content: 'hi' }], signal: new AbortController().signal }))
      if (event.type === 'message-end') console.log('end')
    console.log(process.moduleLoadList.some((name) => name.includes('undici')))
  `
  expect(await runScript(code)).toEqual({ exitCode: 0, output: 'end\nfalse\n' })
})

async function runScript(code: string): Promise<{ readonly exitCode: unknown; readonly output: string }> {
  const child = spawn(process.execPath, ['--conditions=@x/source', '--input-type=module', '-e', code], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const [exitCode] = await onceEvent(child, 'close')
  return { exitCode, output }
}
