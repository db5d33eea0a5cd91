#!/usr/bin/env node
// The entry: only what must happen before anything else is loaded. `--version` loads nothing more.
import module from 'node:module'
import process from 'node:process'
import { version } from './version.ts'

const args = process.argv.slice(2)
if (args.length === 1 && (args[0] === '-v' || args[0] === '--version')) {
  process.stdout.write(`${version} (x)\n`)
} else {
  module.enableCompileCache()
  const { run } = await import('./run.ts')
  process.exitCode = await run(args)
}
