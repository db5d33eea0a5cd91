import {
  identifySelf,
  isProcessAlive,
  type ProcessHandle,
  type ProcessIdentity,
  startProcess,
} from '@x/process'
import { describe, expect, test } from 'vitest'

const tellIdentity = `
  import { identifySelf } from '@x/process'
  console.log(JSON.stringify(identifySelf()))
`

/** Starts a shell that runs a program of ours, `$RUN`, and gives the identity which that program tells. */
async function startOther(
  script: string,
  code: string,
): Promise<{ id: ProcessIdentity; handle: ProcessHandle }> {
  const told = Promise.withResolvers<string>()
  const run = `'${process.execPath}' --conditions=@x/source --input-type=module -e "$CODE"`
  const handle = startProcess('sh', ['-c', script.replace('$RUN', run)], {
    cwd: import.meta.dirname,
    env: { ...process.env, CODE: code },
    killGraceMs: 0,
    output: { to: 'lines', onLine: (line) => told.resolve(line) },
  })
  return { id: JSON.parse(await told.promise), handle }
}

describe('a process is', () => {
  test('alive as long as it runs', async () => {
    const { id, handle } = await startOther('exec $RUN', `${tellIdentity} setInterval(() => {}, 1000)`)
    expect(id.pid).not.toBe(process.pid)
    expect(isProcessAlive(id)).toBe(true)
    await handle.kill()
    expect(isProcessAlive(id)).toBe(false)
  })

  test('dead once it has ended, also while nobody collects it', async () => {
    // The sleep knows of no child.
    const { id, handle } = await startOther('$RUN & exec sleep 300', tellIdentity)
    await expect.poll(() => isProcessAlive(id)).toBe(false)
    expect(process.kill(id.pid, 0)).toBe(true)
    await handle.kill()
  })

  test('alive when it is this one', () => {
    expect(isProcessAlive(identifySelf())).toBe(true)
    expect(identifySelf()).toEqual({ pid: process.pid, started: expect.stringMatching(/^\d+-[0-9a-f]{8}$/) })
  })
})

const { started } = identifySelf()
const [ticks, boot] = started.split('-')

test.each([
  ['another process has its id now', false, { started: `1-${boot}` }],
  ['the machine was started again', false, { started: `${ticks}-00000000` }],
  ['nobody knows when it started', true, { started: 'unknown' }],
  ['nobody knows in which boot it started', true, { started: `${ticks}-` }],
])('where %s it is alive: %s', (_name, isAlive, other) => {
  expect(isProcessAlive({ ...identifySelf(), ...other })).toBe(isAlive)
})

test.each([0, -1, 1.5, Number.NaN, 2 ** 22 + 1, 2 ** 32 + process.pid])('%d is nobody', (pid) => {
  expect(isProcessAlive({ pid, started: 'unknown' })).toBe(false)
})
