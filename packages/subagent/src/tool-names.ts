/** Tools that the main session alone has. */
export const mainOnlyTools: ReadonlySet<string> = new Set(
  'AskUserQuestion EndConversation EnterPlanMode ScheduleWakeup TaskOutput WaitForMcpServers Workflow'.split(
    ' ',
  ),
)

/** Built-in tools that an agent in the background keeps. */
export const backgroundTools: ReadonlySet<string> = new Set(
  [
    'Read Grep Glob Bash PowerShell Edit Write NotebookEdit WebFetch WebSearch TodoWrite Skill ToolSearch',
    'EnterWorktree ExitWorktree Monitor TaskStop SendMessage Artifact Agent ExitPlanMode',
  ].flatMap((names) => names.split(' ')),
)

const otherTools =
  'TaskCreate TaskGet TaskList TaskUpdate LSP REPL Sleep CronCreate CronList CronDelete ListMcpResources ReadMcpResource McpAuth'

/** Names that are no typing error, whether or not this session has the tool. */
export const builtInTools: ReadonlySet<string> = new Set([
  ...mainOnlyTools,
  ...backgroundTools,
  ...otherTools.split(' '),
])
