// Escape in the middle of a 30 s command: the process is gone, nothing listens any more, the prompt is free for the next message.
import { getEventListeners } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text, toolUse } from '@x/model-anthropic/testing'
import { startScriptedSession } from './support/scripted-session.ts'
import { waitForFile } from './support/wait-for-file.ts'

/** Interrupts the command as soon as it runs, then asks something else. */
export async function main() {
  await using session = await startScriptedSession([
    [toolUse('Bash', { command: 'echo $$ > pid; exec sleep 30' })],
    [text('I am here.')],
  ])
  const host = new AbortController()
  const prompts = (async function* () {
    yield { type: 'user', message: { role: 'user', content: 'Wait for it.' } } as const
    yield { type: 'user', message: { role: 'user', content: 'Are you there?' } } as const
  })()
  const results: unknown[] = []
  const running = session.ask(prompts, { permissionMode: 'bypassPermissions', abortController: host })
  for await (const event of running) {
    if (event.type === 'tool_progress' && event.phase === 'start') {
      await waitForFile(join(session.cwd, 'pid'))
      running.interrupt()
    }
    if (event.type === 'result') results.push(event.result ?? event.terminal_reason)
  }
  const pid = Number(await readFile(join(session.cwd, 'pid'), 'utf8'))
  return { results, isRunning: isRunning(pid), listeners: getEventListeners(host.signal, 'abort').length }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

if (import.meta.main) console.log(await main())
