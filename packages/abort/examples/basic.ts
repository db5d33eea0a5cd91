import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import {
  AbortReason,
  abortReasonOf,
  createAbortController,
  createChildAbortController,
  createTimeoutAbortController,
} from '@x/abort'

// A server that never answers, so that only the time limit ends the request.
const server = createServer(() => {}).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const address = server.address()
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

const query = createAbortController()

async function download(): Promise<string> {
  using limit = createTimeoutAbortController(50, { parent: query })
  await fetch(url, { signal: limit.signal }).catch(() => {})
  return `fetch: ${abortReasonOf(limit.signal)?.kind}, query aborted: ${query.signal.aborted}`
}

async function run(): Promise<string> {
  using call = createChildAbortController(query)
  const sleeper = promisify(execFile)(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    signal: call.signal,
  })
  query.abort(new AbortReason('user-cancel'))
  await sleeper.catch(() => {})
  return `process: ${abortReasonOf(call.signal)?.message}`
}

console.log(await download())
console.log(await run())
server.close()
server.closeAllConnections()
