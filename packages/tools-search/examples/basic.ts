import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AssistantMessage, ToolUseContext } from '@x/contract'
import { createGlobTool, createGrepTool } from '@x/tools-search'

const cwd = await mkdtemp(join(tmpdir(), 'tools-search-'))
await mkdir(join(cwd, 'src'))
await writeFile(join(cwd, 'src/add.ts'), 'export const add = (a: number, b: number) => a + b\n')
await writeFile(join(cwd, 'src/main.ts'), "import { add } from './add.ts'\n\nconsole.log(add(1, 2))\n")
const context: ToolUseContext = {
  cwd,
  toolUseId: 'call_1',
  messages: [],
  options: { tools: [], model: 'none', isNonInteractive: true, projectDir: cwd },
  abortController: new AbortController(),
  chain: { id: 'chain', depth: 0 },
  files: { get: () => undefined, set: () => {}, delete: () => {} },
  getState: (key) => key.initial(),
  setState: () => {},
}
const nobody = async () =>
  ({ behavior: 'deny', message: 'no', reason: { type: 'mode', detail: '' } }) as const
const message: AssistantMessage = { role: 'assistant', content: [] }
const [glob, grep] = [createGlobTool(), createGrepTool()]

const files = await glob.call({ pattern: 'src/*.ts' }, context, nobody, message, () => {})
console.log(files.data.filenames.toSorted()) // [ 'src/add.ts', 'src/main.ts' ]
const search = { pattern: '\\badd\\(', output_mode: 'content' } as const
const lines = await grep.call(search, context, nobody, message, () => {})
console.log(grep.mapResult(lines.data, 'call_2').content) // src/main.ts:3:console.log(add(1, 2))
await rm(cwd, { recursive: true })
