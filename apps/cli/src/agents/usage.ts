/** How the command is used. */
export const usage = `x agents list [--json] [--agents JSON] [--add-dir FOLDER]... [--plugin-dir FOLDER]...
  Lists the agents that a session in this folder has, the strongest source first: managed, --agents, project, user, plugins, built-in; and
  what is wrong with agent files. Hooks and MCP servers of a project's agent files count only once the folder is trusted.
`
