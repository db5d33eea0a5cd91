import type { ToolUseContext } from '@x/contract'
import { createBashTool } from '@x/tools-shell'

const bash = createBashTool({ usesStartupFile: false })

// A session makes this; here is the least a tool needs.
const context: ToolUseContext = {
  cwd: process.cwd(),
  toolUseId: 'toolu_1',
  messages: [],
  options: { tools: [], model: 'none', isNonInteractive: true, projectDir: process.cwd() },
  abortController: new AbortController(),
  chain: { id: 'chain_1', depth: 0 },
  files: { get: () => undefined, set: () => {}, delete: () => {} },
  getState: (key) => key.initial(),
  setState: () => {},
}

const { data, isError } = await bash.call(
  { command: 'echo out; echo err >&2; exit 3' },
  context,
  async () => ({ behavior: 'allow', reason: { type: 'mode', detail: 'example' } }),
  { role: 'assistant', content: [] },
  () => {},
)

console.log(isError, bash.mapResult(data, 'toolu_1').content) // true 'Exit code 3\nout\nerr'
console.log(bash.isReadOnly?.({ command: 'git log | head -3' })) // true
