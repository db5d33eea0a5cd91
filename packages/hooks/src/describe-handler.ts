import type { HookHandler } from './handler-config.ts'

/**
 * Says in one text what a handler does: the command line, the address, server and tool, or the question. As it is written, however
 * long.
 */
export function describeHandler(handler: HookHandler): string {
  switch (handler.type) {
    case 'command':
      return [handler.command, ...(handler.args ?? [])].join(' ')
    case 'http':
      return handler.url
    case 'mcp_tool':
      return `${handler.server}: ${handler.tool}`
    case 'prompt':
    case 'agent':
      return handler.prompt
  }
}

/** Characters of a command line that messages repeat. */
const MAX_LABEL = 300

/** What messages call a handler. */
export function labelOf(handler: HookHandler): string {
  const text = describeHandler(handler)
  return text.length <= MAX_LABEL ? text : `${text.slice(0, MAX_LABEL).toWellFormed()}...`
}
