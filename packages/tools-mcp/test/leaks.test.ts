import { getEventListeners } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runProcess } from '@x/process'
import { expect, test } from 'vitest'
import { askFixture, callTool, fixture, markedConnections, toolOf } from './helpers.ts'

/** One name for each thing that is open: handles, timers, descriptors. */
const held = (): string[] => [
  ...process.getActiveResourcesInfo(),
  ...readdirSync('/proc/self/fd').map(() => 'descriptor'),
]

/** What is open now and was not before. Things of the test runner come and go, and node closes what has ended a turn later. */
function newSince(before: readonly string[]): readonly string[] {
  const old = Map.groupBy(before, (name) => name)
  return held().filter((name) => old.get(name)?.pop() === undefined)
}

test('connecting, calling, aborting and closing, again and again, leaves nothing', async () => {
  const query = new AbortController()
  const round = async (): Promise<void> => {
    const { connections, count } = markedConnections([fixture('a'), fixture('b', ['--exit'])])
    await connections.connect({ signal: query.signal })
    await askFixture(connections, 'a.echo', { a: 1 })
    const controller = new AbortController()
    const slow = callTool(toolOf(connections, 'mcp__a__slow'), {}, { controller })
    await connections.call('a', 'change', { input: {}, signal: query.signal })
    controller.abort('stop')
    await expect(slow).rejects.toBe('stop')
    await connections.waitFor('a', { signal: query.signal, timeoutMs: 60_000 })
    await connections.close()
    expect(count()).toBe(0)
  }
  await round()
  const before = held()
  for (let index = 0; index < 5; index += 1) await round()
  // The timer is that of the poll itself.
  await expect.poll(() => newSince([...before, 'Timeout'])).toEqual([])
  expect(getEventListeners(query.signal, 'abort')).toEqual([])
})

test('a host without servers does not load the SDK', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    const { createMcpConnections, loadMcpConfigs } = await import('@x/tools-mcp')
    const connections = createMcpConnections([], { cwd: '/' })
    await connections.connect()
    await connections.close()
    console.log(JSON.stringify(loaded.filter((url) => url.includes('modelcontextprotocol'))))`
  const { stdout, stderr } = await runProcess(
    process.execPath,
    ['--conditions=@x/source', '--input-type=module', '-e', script],
    { cwd: fileURLToPath(new URL('..', import.meta.url)) },
  )
  expect(stdout.text.trim() || stderr.text).toBe('[]')
})
