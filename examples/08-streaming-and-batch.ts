// Three reads, a test command, two reads. The batch engine makes three runs of them after the message; the streaming one starts
// the first reads while the message is still being written, and the command waits for them.
import { delay, message, text, toolUse } from '@x/model-anthropic/testing'
import { startScriptedSession } from './support/scripted-session.ts'

const files = { a: '1\n', b: '2\n', c: '3\n', d: '4\n', e: '5\n' }
const read = (name: string) => toolUse('Read', { file_path: name })

/** Runs the same message on both engines; gives the order of starts, ends and the end of the message. */
export async function main() {
  return { streaming: await runOn('streaming'), batch: await runOn('batch') }
}

async function runOn(engine: 'streaming' | 'batch'): Promise<readonly string[]> {
  const steps = [
    read('a'),
    read('b'),
    read('c'),
    toolUse('Bash', { command: 'touch tested' }),
    read('d'),
    read('e'),
    delay(200),
  ]
  await using session = await startScriptedSession([message(steps), [text('Done.')]], files)
  const order: string[] = []
  let name = 0
  const names = new Map<string, string>()
  const running = session.ask('Go.', {
    engine,
    permissionMode: 'bypassPermissions',
    includePartialMessages: true,
  })
  for await (const event of running) {
    if (event.type === 'tool_progress' && event.phase !== undefined) {
      if (!names.has(event.tool_use_id)) names.set(event.tool_use_id, `${event.tool_name} ${++name}`)
      order.push(`${names.get(event.tool_use_id)} ${event.phase}`)
    }
    if (event.type === 'stream_event' && isMessageStop(event.event)) order.push('message end')
  }
  return order
}

function isMessageStop(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'type' in event && event.type === 'message_stop'
}

if (import.meta.main) console.log(await main())
