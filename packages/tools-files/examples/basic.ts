import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callTool, createToolUseContext } from '@x/contract'
import { createEditTool, createReadTool } from '@x/tools-files'

await using folder = await mkdtempDisposable(join(tmpdir(), 'tools-files-'))
const cwd = folder.path
await writeFile(`${cwd}/greeting.js`, 'const name = "world"\n')
const context = createToolUseContext({ cwd })

const seen = await callTool(createReadTool(), { file_path: 'greeting.js' }, context)
console.log(seen.result.content) // 1	const name = "world"
const change = { file_path: 'greeting.js', old_string: '"world"', new_string: '"you"' }
await callTool(createEditTool(), change, context)
console.log(await readFile(`${cwd}/greeting.js`, 'utf8')) // const name = "you"
