import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AssistantMessage, ToolUseContext } from '@x/contract'
import { createEditTool, createFileReadCache, createReadTool } from '@x/tools-files'

const cwd = await mkdtemp(join(tmpdir(), 'tools-files-'))
await writeFile(join(cwd, 'greeting.js'), 'const name = "world"\nconsole.log(`Hello ${name}`)\n')
const context: ToolUseContext = {
  cwd,
  toolUseId: 'call_1',
  messages: [],
  options: { tools: [], model: 'none', isNonInteractive: true, projectDir: cwd },
  abortController: new AbortController(),
  chain: { id: 'chain', depth: 0 },
  files: createFileReadCache(),
  getState: (key) => key.initial(),
  setState: () => {},
}
const nobody = async () =>
  ({ behavior: 'deny', message: 'no', reason: { type: 'mode', detail: '' } }) as const
const message: AssistantMessage = { role: 'assistant', content: [] }
const [read, edit] = [createReadTool(), createEditTool()]

const seen = await read.call({ file_path: 'greeting.js' }, context, nobody, message, () => {})
console.log(read.mapResult(seen.data, 'call_1').content)
const change = { file_path: 'greeting.js', old_string: '"world"', new_string: '"you"' }
const done = await edit.call(change, context, nobody, message, () => {})
console.log(edit.mapResult(done.data, 'call_2').content)
console.log(await readFile(join(cwd, 'greeting.js'), 'utf8'))
await rm(cwd, { recursive: true })
