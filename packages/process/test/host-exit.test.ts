import { startProcess } from '@x/process'
import { describe, expect, test } from 'vitest'
import { marked } from './helpers.ts'

/** Starts a host, a program of its own, which starts processes and prints `ready`. */
const startHost = (
  code: string,
  options: NonNullable<Parameters<typeof startProcess>[2]>,
): ReturnType<typeof startProcess> =>
  startProcess(process.execPath, ['--conditions=@x/source', '--input-type=module', '-e', code], {
    ...options,
    cwd: import.meta.dirname,
    leftovers: 'keep',
  })

const begin = `
  import { killAllSync, startProcess } from '@x/process'
  const script = 'sleep 300 & setsid sleep 300 & nohup sleep 300 >/dev/null 2>&1 & echo ready; sleep 300'
  startProcess('sh', ['-c', script], { output: { to: 'lines', onLine: (line) => console.log(line) } })
  startProcess('sh', ['-c', 'sleep 300 & true'], { leftovers: 'keep', output: { to: 'file', path: '/dev/null' } })
`

describe('when the host exits, everything it started goes with it:', () => {
  test.concurrent.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'on %s that the host handles',
    async (name, { expect }) => {
      const { options, count } = marked()
      const host = startHost(`${begin} process.on('${name}', () => process.exit(42))`, options)
      await expect.poll(() => host.captured().stdout.text).toBe('ready\n')
      await expect.poll(count).toBe(7)
      process.kill(host.pid ?? 0, name)
      expect(await host.exited).toMatchObject({ kind: 'exited', code: 42, leftovers: { kept: [] } })
      expect(count()).toBe(0)
    },
  )

  test.concurrent('on an uncaught error', async ({ expect }) => {
    const { options, count } = marked()
    const host = startHost(`${begin} process.on('SIGTERM', () => { throw new Error('oh') })`, options)
    await expect.poll(() => host.captured().stdout.text).toBe('ready\n')
    process.kill(host.pid ?? 0, 'SIGTERM')
    expect(await host.exited).toMatchObject({ kind: 'exited', code: 1, leftovers: { kept: [] } })
    expect(count()).toBe(0)
  })

  test.concurrent('when it calls killAllSync, which may be called again', async ({ expect }) => {
    const { options, count } = marked()
    const code = `${begin} process.on('SIGTERM', () => { killAllSync(); killAllSync(); console.log('killed') })`
    const host = startHost(code, options)
    await expect.poll(() => host.captured().stdout.text).toBe('ready\n')
    process.kill(host.pid ?? 0, 'SIGTERM')
    expect(await host.exited).toMatchObject({ kind: 'exited', code: 0, leftovers: { kept: [] } })
    expect(host.captured().stdout.text).toBe('ready\nkilled\n')
    expect(count()).toBe(0)
  })
})

test('an outer host finds what an inner host started', async () => {
  const { options, count } = marked()
  const host = startHost(begin, options)
  await expect.poll(() => host.captured().stdout.text).toBe('ready\n')
  await host.kill()
  expect(count()).toBe(0)
})

test('nothing keeps the host alive once the process has ended, and a long timeout does not either', async () => {
  const code = `
    import { runProcess } from '@x/process'
    await runProcess('true', [], { timeoutMs: 600_000, output: { to: 'file', path: '/dev/null', maxFileBytes: 10 } })
    console.log('done')`
  const host = startHost(code, { timeoutMs: 20_000 })
  expect(await host.exited).toMatchObject({ kind: 'exited', code: 0 })
})
