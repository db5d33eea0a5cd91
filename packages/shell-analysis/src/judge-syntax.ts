import type { SyntaxNode } from 'unbash'
import { addEffect, addProblem, type Findings } from './findings.ts'
import type { Span } from './types.ts'
import { isLoopVariable } from './variables.ts'

/** Notes what the syntax itself does, apart from the commands in it. */
export function judgeSyntax(node: SyntaxNode, span: Span, findings: Findings): void {
  switch (node.type) {
    case 'Statement':
      if (node.background) findings.hasBackground = true
      return
    case 'Function':
      return addEffect(findings, 'Defines a function', span)
    case 'Coproc':
      findings.hasBackground = true
      return addEffect(findings, 'Starts a coprocess', span)
    case 'For':
    case 'Select':
      if (!isLoopVariable(node.name.value)) addEffect(findings, `Sets ${node.name.value}`, span)
      return
    default:
      return judgeEvaluation(node, span, findings)
  }
}

/** What is evaluated a second time may run what a variable holds: `a[$(command)]`. */
function judgeEvaluation(node: SyntaxNode, span: Span, findings: Findings): void {
  switch (node.type) {
    case 'ArithmeticWord':
      if (!isNumber(node.value)) noteEvaluation('Arithmetic with variables', span, findings)
      return
    case 'TestUnary':
      if (/^-[vR]$/.test(node.operator)) noteEvaluation('Evaluates a subscript', span, findings)
      return
    case 'TestBinary':
      return judgeComparison(node, span, findings)
    case 'ParameterExpansion':
      judgeOperation(node, span, findings)
      return judgeReference(node, span, findings)
    default:
      return
  }
}

function noteEvaluation(message: string, span: Span, findings: Findings): void {
  findings.evaluates = true
  addEffect(findings, message, span)
}

function isNumber(text: string): boolean {
  return /^\s*-?(\d+|0[xX][\da-fA-F]+)\s*$/.test(text)
}

function judgeComparison(
  node: Extract<SyntaxNode, { type: 'TestBinary' }>,
  span: Span,
  findings: Findings,
): void {
  if (!/^-(eq|ne|lt|le|gt|ge)$/.test(node.operator)) return
  const isPlain = [node.left, node.right].every((word) => !word.parts && isNumber(word.value))
  if (!isPlain) noteEvaluation('Arithmetic with variables', span, findings)
}

type Expansion = Extract<SyntaxNode, { type: 'ParameterExpansion' }>

function judgeOperation({ operation, parameter }: Expansion, span: Span, findings: Findings): void {
  switch (operation?.type) {
    case 'Transform':
      // `${x@P}` expands the value like a prompt, substitutions included.
      if (operation.operand.value.includes('P')) addProblem(findings, 'Runs what is in a variable', span)
      return
    case 'Unknown':
      return addProblem(findings, 'An unknown expansion', span)
    case 'Default':
      if (operation.operator.includes('=')) addEffect(findings, `Sets ${parameter}`, span)
      return
    case 'Slice':
      if (![operation.offset, operation.length].every((word) => !word || isNumber(word.value))) {
        noteEvaluation('Arithmetic with variables', span, findings)
      }
      return
    default:
      return
  }
}

function judgeReference({ prefix, index }: Expansion, span: Span, findings: Findings): void {
  if (prefix === '!') addEffect(findings, 'Looks through a variable at another', span)
  if (index && !/^(\d+|@|\*)$/.test(index.value)) noteEvaluation('Evaluates a subscript', span, findings)
}
