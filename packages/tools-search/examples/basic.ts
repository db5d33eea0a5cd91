import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callTool, createToolUseContext } from '@x/contract'
import { createGlobTool, createGrepTool } from '@x/tools-search'

await using folder = await mkdtempDisposable(join(tmpdir(), 'tools-search-'))
const cwd = folder.path
await writeFile(`${cwd}/add.ts`, 'export const add = (a: number, b: number) => a + b\n')
await writeFile(`${cwd}/main.ts`, "import { add } from './add.ts'\n\nconsole.log(add(1, 2))\n")
const context = createToolUseContext({ cwd })

const files = await callTool(createGlobTool(), { pattern: '*.ts' }, context)
console.log(files.data.filenames.toSorted()) // [ 'add.ts', 'main.ts' ]
const lines = await callTool(createGrepTool(), { pattern: '\\badd\\(', output_mode: 'content' }, context)
console.log(lines.result.content) // main.ts:3:console.log(add(1, 2))
