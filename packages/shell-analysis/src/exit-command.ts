import type { Statement } from 'unbash'
import type { FoundCommand } from './findings.ts'

type Node = Statement['command']

/** The command whose exit code the script ends with; undefined behind `!`, `&`, loops and conditionals. */
export function findExitCommand(
  statements: readonly Statement[],
  commands: readonly FoundCommand[],
): number | undefined {
  const last = statements.at(-1)
  const node = last && !last.background ? lastCommand(last.command) : undefined
  if (node?.type !== 'Command') return undefined
  const found = commands.find(
    (one) => one.startedBy === undefined && one.span.start === node.pos && one.span.end === node.end,
  )
  return found ? throughWrappers(found, commands) : undefined
}

function lastCommand(start: Node): Node | undefined {
  let node: Node | undefined = start
  while (node && node.type !== 'Command') node = lastInside(node)
  return node
}

function lastInside(node: Node): Node | undefined {
  switch (node.type) {
    case 'AndOr':
      return node.commands.at(-1)
    case 'Redirected':
      return node.command
    case 'Subshell':
    case 'BraceGroup': {
      const inner = node.body.commands.at(-1)
      return inner?.background ? undefined : inner?.command
    }
    case 'Pipeline':
      return node.prefixes.some((prefix) => prefix.type === 'Negation') ? undefined : node.commands.at(-1)
    default:
      return undefined
  }
}

/** `timeout 5 grep x` ends with the code of `grep`; `xargs` has codes of its own. */
function throughWrappers(command: FoundCommand, commands: readonly FoundCommand[]): number {
  let current = command
  while (current.wraps !== undefined && !/^g?xargs$/.test(current.program ?? '')) {
    const inner = commands[current.wraps]
    if (!inner) break
    current = inner
  }
  return current.index
}
