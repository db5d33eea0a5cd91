import type { Command, Redirection } from 'unbash'
import { addCommand, addProblem, type Findings } from './findings.ts'
import { maxDepth } from './limits.ts'
import type { Payload } from './payload.ts'
import { payloadsOf } from './payloads-of.ts'
import { toRedirection } from './redirection.ts'
import { enter, type Scope, spanOf } from './scope.ts'
import type { ShellAssignment, ShellRedirection, ShellWord, Span } from './types.ts'
import { holdsCommand } from './variables.ts'
import { assignmentToWord, toShellWord } from './word.ts'

/** A payload that is left to walk. */
interface PendingPayload {
  /** What to walk. */
  readonly payload: Payload
  /** Where it is started. */
  readonly scope: Scope
}

/** A command with what is common to all commands that run in its place. */
interface Draft {
  readonly argv: readonly ShellWord[]
  readonly assignments: readonly ShellAssignment[]
  readonly redirections: readonly ShellRedirection[]
  readonly bodies: readonly (string | undefined)[]
  readonly text: string
  readonly span: Span
  /** Whether the redirections are written on it and not on its wrapper. */
  readonly ownsRedirections: boolean
}

/** Records a command and the commands that run in its place; scripts that it starts are left to the walk. */
export function recordCommand(
  node: Command,
  scope: Scope,
  findings: Findings,
): { index: number; payloads: PendingPayload[] } | undefined {
  const args = node.args.map((arg) =>
    arg.type === 'Word' ? toShellWord(arg, scope) : assignmentToWord(arg, scope),
  )
  const draft: Draft = {
    argv: node.name ? [toShellWord(node.name, scope), ...args] : args,
    assignments: node.prefix
      .filter((part) => part.type === 'Assignment')
      .map((part) => ({
        name: part.index ? `${part.name}[]` : part.name,
        text: part.text,
        value: part.value.type === 'Word' ? toShellWord(part.value, scope).value : undefined,
        span: spanOf(part, scope),
      })),
    redirections: node.redirects.map((redirect) => toRedirection(redirect, scope)),
    bodies: node.redirects.map(bodyOf),
    text: scope.source.slice(node.pos, node.end),
    span: spanOf(node, scope),
    ownsRedirections: true,
  }
  const payloads: PendingPayload[] = []
  const index = record(draft, { scope, findings, payloads })
  return index === undefined ? undefined : { index, payloads }
}

interface Sink {
  readonly scope: Scope
  readonly findings: Findings
  readonly payloads: PendingPayload[]
}

function record(draft: Draft, sink: Sink): number | undefined {
  const { scope, findings, payloads } = sink
  const [head, ...rest] = draft.argv
  const program = head ? programOf(head) : undefined
  const index = addDraft(draft, program, sink)
  if (index === undefined) return undefined
  const inside = { ...scope, startedBy: index }
  for (const payload of assignmentPayloads(draft.assignments)) payloads.push({ payload, scope: inside })
  if (!head || program === undefined) {
    if (head) addProblem(findings, 'The name of a command is not known', head.span)
    return index
  }
  // `time -f x command`: a program for some shells, a keyword for others.
  if (program.startsWith('-')) addProblem(findings, 'An option in the place of a command', head.span)
  for (const payload of payloadsOf({ ...draft, program, head, rest })) {
    if (payload.kind === 'command') recordInner(payload, { index, draft }, sink)
    else payloads.push({ payload, scope: inside })
  }
  return index
}

function addDraft(draft: Draft, program: string | undefined, { scope, findings }: Sink): number | undefined {
  const [head] = draft.argv
  return addCommand(findings, {
    argv: draft.argv,
    name: head?.value,
    program,
    isNameStatic: !head || program !== undefined,
    assignments: draft.assignments,
    redirections: draft.ownsRedirections ? draft.redirections : [],
    text: draft.text,
    span: draft.span,
    via: scope.via,
    startedBy: scope.startedBy,
    wraps: undefined,
  })
}

function recordInner(
  payload: Extract<Payload, { kind: 'command' }>,
  outer: { index: number; draft: Draft },
  sink: Sink,
): void {
  const { scope, findings } = sink
  const { words, assignments } = payload
  if (scope.depth >= maxDepth) return addProblem(findings, 'Nested too deeply', outer.draft.span)
  const span = spanOfWords(words, outer.draft.span)
  const text = words.map((word) => word.text).join(' ')
  // What stands on the standard input of `sudo sh` is that of `sh`.
  const { bodies } = outer.draft
  const redirections = payload.isWrapped ? outer.draft.redirections : []
  const inner = { argv: words, assignments, redirections, bodies, text, span, ownsRedirections: false }
  const step = enter({ ...scope, startedBy: outer.index }, payload.via)
  const index = record(inner, { ...sink, scope: step })
  const command = findings.commands[outer.index]
  if (command && payload.isWrapped) command.wraps = index
}

/** Words that stand for the input of `xargs` have no place of their own. */
function spanOfWords(words: readonly ShellWord[], fallback: Span): Span {
  const start = words[0]?.span.start ?? fallback.start
  return { start, end: words.reduce((end, word) => Math.max(end, word.span.end), start) }
}

function assignmentPayloads(assignments: readonly ShellAssignment[]): Payload[] {
  return assignments.flatMap(({ name, value, text, span }): Payload[] => {
    if (!holdsCommand(name) || value === '') return []
    const word = { text, span, value, prefix: value ?? '', pieces: [], splits: false, hasGlob: false }
    const via = { kind: 'variable', name } as const
    return value === undefined
      ? [{ kind: 'problem', message: `The command in ${name} is not known`, word }]
      : [{ kind: 'script', text: value, word, via }]
  })
}

/** Last segment of the name, if it is known: behind a quoted folder the segment alone decides. */
function programOf(head: ShellWord): string | undefined {
  if (head.value !== undefined) return lastSegment(head.value)
  if (head.splits || head.hasGlob) return undefined
  const last = head.pieces.at(-1)
  return last?.kind === 'text' && last.value.includes('/') ? lastSegment(last.value) : undefined
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The body of a here-document, if it is static. */
function bodyOf(node: Redirection): string | undefined {
  if (node.type !== 'HereDoc') return undefined
  const { body } = node
  if (node.delimiter?.quoted || !body.parts) return body.text
  return body.parts.every((part) => part.type === 'Literal')
    ? body.parts.map((part) => (part.type === 'Literal' ? part.value : '')).join('')
    : undefined
}
