// A program with nothing to do but a session whose call ignores its abort and holds nothing open.
import { text, toolUse } from '@x/model-anthropic/testing'
import { Scripted } from '../scripted.ts'
import { createTool } from '../wire.ts'

const scripted = await Scripted.start([[toolUse('Deaf')], [text('Never.')]])
const deaf = createTool('Deaf', () => new Promise(() => {}))
const running = scripted.ask('Go', { extraTools: [deaf] })
for await (const event of running) {
  if (event.type !== 'tool_progress' || event.phase !== 'start') continue
  await scripted[Symbol.asyncDispose]()
  if (process.argv[2] === 'close') await running.close()
  else running.interrupt()
}
console.log('ended')
