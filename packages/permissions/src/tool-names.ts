/** Old names of tools, in rules and calls, with the name they have now. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['Task', 'Agent'],
  ['AgentOutput', 'TaskOutput'],
  ['AgentOutputTool', 'TaskOutput'],
  ['BashOutput', 'TaskOutput'],
  ['BashOutputTool', 'TaskOutput'],
  ['KillBash', 'TaskStop'],
  ['KillShell', 'TaskStop'],
  ['SlashCommand', 'Skill'],
  ['NotebookRead', 'Read'],
  ['ListMcpResourcesTool', 'ListMcpResources'],
  ['ReadMcpResourceTool', 'ReadMcpResource'],
])

/** The name that rules for a tool are kept under. */
export function canonicalName(name: string): string {
  return renamed.get(name) ?? name
}

/** Tools that read files: `Read` rules speak about them. Value: the input field with the path. */
export const readTools: ReadonlyMap<string, string> = new Map([
  ['Read', 'file_path'],
  ['Grep', 'path'],
  ['Glob', 'path'],
  ['LS', 'path'],
  ['LSP', 'file_path'],
])

/** Tools that change files: `Edit` rules speak about them. Value: the input field with the path. */
export const editTools: ReadonlyMap<string, string> = new Map([
  ['Edit', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['Write', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
])

/** Tools that start shell commands: `Bash` rules speak about them. */
export const bashTools: ReadonlySet<string> = new Set(['Bash', 'Monitor'])

/** Tools whose call is itself a question to the user. */
export const interactiveTools: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode'])

/** Tools that need no permission of their own: what they lead to is judged call by call. */
export const freeTools: ReadonlySet<string> = new Set(
  [
    'Agent CronCreate CronDelete CronList EnterPlanMode ExitWorktree ListMcpResources ReadMcpResource',
    'ReadMcpResourceDir SendMessage SendUserMessage Sleep StructuredOutput TaskCreate TaskGet TaskList',
    'TaskOutput TaskStop TaskUpdate TodoRead TodoWrite ToolSearch EndConversation Brief',
  ].flatMap((line) => line.split(' ')),
)

/** Other names that exist, so that a rule about them is no typing error. */
const others =
  'Bash PowerShell Monitor WebFetch WebSearch Skill EnterWorktree McpAuth REPL Workflow Config RemoteTrigger Cd LSP'

const known: ReadonlySet<string> = new Set([
  ...readTools.keys(),
  ...editTools.keys(),
  ...interactiveTools,
  ...freeTools,
  ...others.split(' '),
])

/**
 * Whether a tool of this name exists anywhere: one that is built in, also by an old name, or one of an MCP server. Upper and lower case
 * count. A program's own tools are not known.
 */
export function isKnownTool(name: string): boolean {
  return known.has(canonicalName(name)) || name.startsWith('mcp__')
}

/** Is `name` a tool of an MCP server that `rule` names as a whole? */
export function serverOf(name: string): string | undefined {
  if (!name.startsWith('mcp__')) return undefined
  const end = name.indexOf('__', 'mcp__'.length)
  return end < 0 ? name : name.slice(0, end)
}
