import { callTool, createToolUseContext } from '@x/contract'
import { createBashTool } from '@x/tools-shell'

const bash = createBashTool({ usesStartupFile: false })
const context = createToolUseContext({ cwd: process.cwd() })

const failed = await callTool(bash, { command: 'echo out; echo err >&2; exit 3' }, context)
console.log(failed.result.is_error, failed.result.content) // true 'Exit code 3\nout\nerr'

const moved = await callTool(bash, { command: 'cd / && pwd' }, context)
console.log(moved.result.content) // / and a notice: it lies outside the project, so the shell goes back

console.log(bash.isReadOnly?.({ command: 'git log | head -3' })) // true
