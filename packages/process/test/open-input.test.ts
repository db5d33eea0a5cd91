import { startProcess } from '@x/process'
import { describe, expect, test } from 'vitest'
import { marked, openDescriptors } from './helpers.ts'

/** A program that says each line again and then waits for the next one. */
function startEcho(options: { readonly stdin?: string } = {}) {
  const lines: string[] = []
  const output = { to: 'lines', onLine: (line: string) => void lines.push(line) } as const
  return { lines, echo: startProcess('cat', [], { ...options, keepInputOpen: true, output }) }
}

describe('an input that stays open', () => {
  test('takes what is written until it is ended, and the process ends by itself', async () => {
    const { lines, echo } = startEcho({ stdin: 'first\n' })
    expect(await echo.write('second\n')).toBe(true)
    await expect.poll(() => lines).toHaveLength(2)
    expect(await echo.write(Buffer.from('third\n'))).toBe(true)
    echo.endInput()
    echo.endInput()
    expect(await echo.exited).toMatchObject({ kind: 'exited', code: 0 })
    expect(lines).toEqual(['first', 'second', 'third'])
  })

  test('answers false after its end, after the end of the process, and when nothing was started', async () => {
    const { echo } = startEcho()
    echo.endInput()
    expect(await echo.write('late\n')).toBe(false)
    await echo.exited
    expect(await echo.write('later\n')).toBe(false)
    const missing = startProcess('/does/not/exist', [], { keepInputOpen: true })
    expect(await missing.write('x')).toBe(false)
    missing.endInput()
    await missing.exited
  })

  test('answers a write that the process never reads when the process is ended', async () => {
    const { options, count } = marked({ keepInputOpen: true })
    const before = openDescriptors()
    const deaf = startProcess('sleep', ['60'], options)
    const written = deaf.write('x'.repeat(4_000_000))
    await deaf.kill()
    expect(await written).toBe(false)
    expect(count()).toBe(0)
    await expect.poll(openDescriptors).toBeLessThanOrEqual(before)
  })

  test('is not there without the option', async () => {
    const child = startProcess('cat', [])
    expect(await child.write('x')).toBe(false)
    expect(await child.exited).toMatchObject({ kind: 'exited', code: 0 })
  })
})

test('the end of the lines is told while the process goes on', async () => {
  const seen: string[] = []
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const onEnd = (): void => {
    seen.push('end')
    resolve()
  }
  const output = { to: 'lines', onLine: (line: string) => void seen.push(line), onEnd } as const
  const child = startProcess('sh', ['-c', 'printf last; exec >&-; sleep 600'], { output })
  await ended
  expect(seen).toEqual(['last', 'end'])
  await child.kill()
  expect(await child.exited).toMatchObject({ kind: 'killed' })
  expect(seen).toEqual(['last', 'end'])
})

test('a line that arrives in many pieces costs no more than its length', async () => {
  const lengths: number[] = []
  const child = startProcess('sh', ['-c', 'head -c 40000000 /dev/zero | tr "\\0" x; echo; echo end'], {
    output: { to: 'lines', onLine: (line) => void lengths.push(line.length), maxLineLength: 30_000_000 },
  })
  await child.exited
  expect(lengths).toEqual([30_000_000, 3])
})
