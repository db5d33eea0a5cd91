import { type Command, forEachChild, type ParsedScript, parse, type Statement, type SyntaxNode } from 'unbash'
import { addProblem, type Findings } from './findings.ts'
import { judgeSyntax } from './judge-syntax.ts'
import { maxDepth, maxLevels } from './limits.ts'
import type { Payload } from './payload.ts'
import { recordCommand } from './record-command.ts'
import { findRedirectionProblem, toRedirection } from './redirection.ts'
import { enter, type Scope, spanOf } from './scope.ts'
import type { Via } from './types.ts'

/** Parses a script and collects all that it would run. */
export function walkScript(source: string, scope: Scope, findings: Findings): Statement[] {
  const all = { pos: 0, end: source.length }
  if (!takeLength(all, scope, findings)) return []
  // NUL ends a word for some and vanishes for others; the other control characters can hide text.
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(source)) addProblem(findings, 'A control character', spanOf(all, scope))
  const script = parse(source)
  visit(script, scope, findings)
  return [...script.commands]
}

/** Whether so much may still be parsed. */
function takeLength(node: { pos: number; end: number }, scope: Scope, findings: Findings): boolean {
  findings.lengthLeft -= node.end - node.pos
  if (findings.lengthLeft < 0) addProblem(findings, 'Scripts in scripts are too long', spanOf(node, scope))
  return findings.lengthLeft >= 0
}

function visit(node: SyntaxNode, outer: Scope, findings: Findings): void {
  if (findings.level > maxLevels || outer.depth > maxDepth) {
    addProblem(findings, 'Nested too deeply', spanOf(node, outer))
    return
  }
  const scope = enter(outer, stepInto(node))
  findings.level += 1
  if (node.type === 'Script') visitScript(node, scope, findings)
  else if (node.type === 'Command') visitCommand(node, scope, findings)
  else visitOther(node, scope, findings)
  findings.level -= 1
}

function visitOther(node: SyntaxNode, scope: Scope, findings: Findings): void {
  judgeSyntax(node, scope, findings)
  if (node.type === 'Redirected') {
    for (const redirect of node.redirects) noteRedirection(redirect, { scope, findings, command: undefined })
  }
  // The parser reads a nested script or expression when it is asked for it.
  if (isParsedLate(node) && !takeLength(node, scope, findings)) return
  forEachChild(node, (child) => visit(child, scopeOf(child, node, scope), findings))
}

function isParsedLate(node: SyntaxNode): boolean {
  if (node.type === 'ArithmeticExpansion') return true
  return steps.get(node.type)?.endsWith('substitution') ?? false
}

/** A nested script whose positions count in its own text stands where its node stands. */
function scopeOf(child: SyntaxNode, parent: SyntaxNode, scope: Scope): Scope {
  if (child.type !== 'Script' || child.source === undefined) return scope
  return { ...scope, source: child.source, place: spanOf(parent, scope) }
}

function visitScript(node: ParsedScript, scope: Scope, findings: Findings): void {
  for (const error of node.errors ?? []) {
    const span = spanOf({ pos: error.pos, end: node.end }, scope)
    addProblem(findings, `Syntax: ${error.message}`, span)
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
  const redirection = toRedirection(node, at.scope)
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
