import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('on a Node without its listener hooks every child still hears, and dispose still lets go', async () => {
  const source = new URL('../src/index.ts', import.meta.url).href
  const script = `
    import { getEventListeners } from 'node:events'
    for (const symbol of Object.getOwnPropertySymbols(AbortSignal.prototype)) {
      if (/^k(New|Remove)Listener$/.test(symbol.description)) delete AbortSignal.prototype[symbol]
    }
    const { createChildAbortController } = await import(${JSON.stringify(source)})
    const parent = new AbortController()
    const children = [1, 2, 3].map(() => createChildAbortController(createChildAbortController(parent)))
    children[0].signal.addEventListener('abort', () => console.log('listener'))
    children[1].signal.onabort = () => console.log('onabort')
    children[2].signal.addEventListener('abort', () => console.log('never'))
    children[2][Symbol.dispose]()
    parent.abort()
    console.log(getEventListeners(parent.signal, 'abort').length)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toBe('listener\nonabort\n0\n')
})
