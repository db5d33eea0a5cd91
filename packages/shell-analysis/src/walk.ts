import { type Command, forEachChild, parse, type Statement, type SyntaxNode } from 'unbash'
import { addProblem, type Findings } from './findings.ts'
import { judgeSyntax } from './judge-syntax.ts'
import { maxDepth, maxLevels, maxTotalLength } from './limits.ts'
import type { Payload } from './payload.ts'
import { recordCommand } from './record-command.ts'
import { findRedirectionProblem, toRedirection } from './redirection.ts'
import { enter, type Scope, spanIn } from './scope.ts'
import type { Via } from './types.ts'

/** Parses a script and collects all that it would run. */
export function walkScript(source: string, scope: Scope, findings: Findings): Statement[] {
  findings.parsedLength += source.length
  if (findings.parsedLength > maxTotalLength) {
    addProblem(findings, 'Too much to parse', spanIn(scope)(0, source.length))
    return []
  }
  // NUL ends a word for some and vanishes for others; the other control characters can hide text.
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(source)) {
    addProblem(findings, 'A control character', spanIn(scope)(0, source.length))
  }
  const script = parse(source)
  visit(script, scope, findings)
  return [...script.commands]
}

function visit(node: SyntaxNode, outer: Scope, findings: Findings): void {
  const span = spanIn(outer)(node.pos, node.end)
  if (outer.level > maxLevels || outer.depth > maxDepth) {
    addProblem(findings, 'Nested too deeply', span)
    return
  }
  const scope = { ...enter(outer, stepInto(node)), level: outer.level + 1 }
  if (node.type === 'Script') visitScript(node, { scope, findings })
  else if (node.type === 'Command') visitCommand(node, scope, findings)
  else visitOther(node, scope, findings)
}

function visitOther(node: SyntaxNode, scope: Scope, findings: Findings): void {
  const span = spanIn(scope)(node.pos, node.end)
  judgeSyntax(node, span, findings)
  if (node.type === 'Redirected') {
    for (const redirect of node.redirects) noteRedirection(redirect, { scope, findings, command: undefined })
  }
  const inner = ownsScript(node) ? { ...scope, place: scope.place ?? span } : scope
  // A nested script whose positions count in its own text stands where its node stands.
  forEachChild(node, (child) =>
    visit(
      child,
      child.type === 'Script' && child.source !== undefined ? { ...inner, source: child.source } : scope,
      findings,
    ),
  )
}

function ownsScript(node: SyntaxNode): boolean {
  return 'script' in node && node.script?.source !== undefined
}

function visitScript(
  node: Extract<SyntaxNode, { type: 'Script' }>,
  at: { scope: Scope; findings: Findings },
): void {
  const { scope, findings } = at
  for (const error of node.errors ?? []) {
    addProblem(findings, `Syntax: ${error.message}`, spanIn(scope)(error.pos, Math.max(error.pos, node.end)))
  }
  forEachChild(node, (child) => visit(child, scope, findings))
}

function visitCommand(node: Command, scope: Scope, findings: Findings): void {
  const recorded = recordCommand(node, scope, findings)
  for (const redirect of node.redirects)
    noteRedirection(redirect, { scope, findings, command: recorded?.index })
  forEachChild(node, (child) => visit(child, scope, findings))
  for (const pending of recorded?.payloads ?? []) walkPayload(pending.payload, pending.scope, findings)
}

/** Scripts inside words; commands inside commands were recorded with the command itself. */
function walkPayload(payload: Payload, scope: Scope, findings: Findings): void {
  if (payload.kind === 'problem') addProblem(findings, payload.message, payload.word.span)
  if (payload.kind !== 'script') return
  if (scope.depth >= maxDepth) {
    addProblem(findings, 'Nested too deeply', payload.word.span)
    return
  }
  const inner = { ...enter(scope, payload.via), source: payload.text, place: payload.word.span }
  walkScript(payload.text, inner, findings)
}

function noteRedirection(
  node: Command['redirects'][number],
  at: { scope: Scope; findings: Findings; command: number | undefined },
): void {
  const redirection = toRedirection(node, spanIn(at.scope))
  const problem = findRedirectionProblem(node, redirection)
  if (problem) addProblem(at.findings, problem, redirection.span)
  at.findings.redirections.push({ redirection, command: at.command })
}

function stepInto(node: SyntaxNode): Via | undefined {
  if (node.type === 'Function') return { kind: 'function', name: node.name.value }
  const kind = steps.get(node.type)
  return kind && { kind }
}

const steps: ReadonlyMap<SyntaxNode['type'], Via['kind']> = new Map([
  ['Subshell', 'subshell'],
  ['BraceGroup', 'group'],
  ['For', 'loop'],
  ['While', 'loop'],
  ['ArithmeticFor', 'loop'],
  ['Select', 'loop'],
  ['If', 'conditional'],
  ['Case', 'case'],
  ['Coproc', 'coprocess'],
  ['CommandExpansion', 'substitution'],
  ['ArithmeticCommandExpansion', 'substitution'],
  ['ProcessSubstitution', 'process-substitution'],
])
