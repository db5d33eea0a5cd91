import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { callTool, createToolUseContext } from '@x/contract'
import { createEditTool, createReadTool } from '@x/tools-files'

const cwd = await mkdtemp('/tmp/tools-files-')
await writeFile(`${cwd}/greeting.js`, 'const name = "world"\n')
const context = createToolUseContext({ cwd })

const seen = await callTool(createReadTool(), { file_path: 'greeting.js' }, context)
console.log(seen.result.content) // 1	const name = "world"
const change = { file_path: 'greeting.js', old_string: '"world"', new_string: '"you"' }
await callTool(createEditTool(), change, context)
console.log(await readFile(`${cwd}/greeting.js`, 'utf8')) // const name = "you"
