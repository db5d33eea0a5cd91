import { createSession, fakeRegistry } from './harness.ts'

// A host with a command behind it; ends when it is told to, or by a signal it handles as a command line would.
const [folder = '', command = ''] = process.argv.slice(2)
const { call } = createSession(folder, { tasks: fakeRegistry() })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
process.stdin.once('data', () => process.exit(0))
await call({ command, run_in_background: true })
process.stdout.write('started')
