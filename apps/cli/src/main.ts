#!/usr/bin/env node
// The entry: only what must happen before anything else is loaded. `--version` loads nothing more.
import module from 'node:module'
import process from 'node:process'
import { version } from './version.ts'

const args = process.argv.slice(2)
// A screen that is closed must not end the work; what could not be said otherwise is a failure.
process.stderr.on('error', () => {})
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.exitCode = 1
})
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(`x needs Node 24.15 or newer; this is ${process.version}.\n`)
  process.exitCode = 1
} else if (args.length === 1 && (args[0] === '-v' || args[0] === '--version')) {
  process.stdout.write(`${version} (x)\n`)
} else {
  module.enableCompileCache()
  const { run } = await import('./run.ts')
  const code = await run(args).catch((error: unknown) => {
    process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  })
  process.exitCode ||= code
  // All work has ended. What may still keep Node alive is its own: its `fetch` tries a proxy that hangs up without an answer for ever.
  setTimeout(() => process.exit(), 2_000).unref()
}
