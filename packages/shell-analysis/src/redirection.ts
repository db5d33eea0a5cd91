import type { Redirection } from 'unbash'
import { type Scope, spanOf } from './scope.ts'
import type { ShellRedirection, ShellWord } from './types.ts'
import { toShellWord } from './word.ts'

/** Describes a parsed redirection. */
export function toRedirection(node: Redirection, scope: Scope): ShellRedirection {
  const target = node.type === 'HereDoc' || !node.target ? undefined : toShellWord(node.target, scope)
  const descriptor = node.descriptor?.type === 'FileDescriptor' ? node.descriptor.value : undefined
  const effect = effectOf(node.operator, target)
  return { operator: node.operator, effect, descriptor, target, span: spanOf(node, scope) }
}

/** Why a redirection cannot be judged: sockets and descriptors that only the shell knows. */
export function findRedirectionProblem(node: Redirection, redirection: ShellRedirection): string | undefined {
  if (node.descriptor?.type === 'FileDescriptorVariable') return 'A descriptor held in a variable'
  const { target } = redirection
  if (node.type !== 'Redirect') return undefined
  if (!target) return 'A redirection without a target'
  // What stands behind an unknown start may still be a socket: its other parts decide only when it runs.
  if (/^\/dev\/(tcp|udp)(\/|$)/.test(target.prefix)) return 'A network connection'
  return undefined
}

/** Whether a write goes nowhere. */
export function isDiscarded(redirection: ShellRedirection): boolean {
  return redirection.target?.value === '/dev/null'
}

function effectOf(
  operator: Redirection['operator'],
  target: ShellWord | undefined,
): ShellRedirection['effect'] {
  if (operator.startsWith('<<')) return 'text'
  // `>&2` and `2>&-` copy and close; `>&file` writes.
  const copies = operator === '<&' || operator === '>&'
  if (copies && /^(\d+-?|-)$/.test(target?.value ?? '')) return 'descriptor'
  return operator === '<' || operator === '<&' ? 'read' : 'write'
}
