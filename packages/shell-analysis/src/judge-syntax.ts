import type { SyntaxNode, Word } from 'unbash'
import { addEffect, addProblem, type Findings } from './findings.ts'
import { type Scope, spanOf } from './scope.ts'
import type { Span } from './types.ts'
import { isLoopVariable } from './variables.ts'

/** Notes what the syntax itself does, apart from the commands in it. */
export function judgeSyntax(node: SyntaxNode, scope: Scope, findings: Findings): void {
  switch (node.type) {
    case 'Statement':
      if (node.background) findings.hasBackground = true
      return
    case 'Function':
      return addEffect(findings, 'Defines a function', spanOf(node, scope))
    case 'Coproc':
      findings.hasBackground = true
      return addEffect(findings, 'Starts a coprocess', spanOf(node, scope))
    case 'For':
    case 'Select':
      if (!isLoopVariable(node.name.value))
        addEffect(findings, `Sets ${node.name.value}`, spanOf(node, scope))
      return
    case 'Word':
      if (hidesExpansion(node))
        addProblem(findings, 'An expansion that the parser takes for text', spanOf(node, scope))
      return
    default:
      return judgeEvaluation(node, scope, findings)
  }
}

/** The parser takes `2>(command)` for text, the shell runs it. Unquoted text never needs these signs. */
function hidesExpansion(word: Word): boolean {
  const texts = word.parts
    ? word.parts.map((part) => (part.type === 'Literal' ? part.text : ''))
    : [word.text]
  return texts.some((text) => /[<>$]\(|`/.test(text.replaceAll(/\\[^]/g, '')))
}

/** What is evaluated a second time may run what a variable holds: `a[$(command)]`. */
function judgeEvaluation(node: SyntaxNode, scope: Scope, findings: Findings): void {
  switch (node.type) {
    case 'ArithmeticWord':
      if (!isNumber(node.value)) noteEvaluation('Arithmetic with variables', spanOf(node, scope), findings)
      return
    case 'TestUnary':
      if (/^-[vR]$/.test(node.operator))
        noteEvaluation('Evaluates a subscript', spanOf(node, scope), findings)
      return
    case 'TestBinary':
      return judgeComparison(node, spanOf(node, scope), findings)
    case 'ParameterExpansion':
      judgeOperation(node, spanOf(node, scope), findings)
      return judgeReference(node, spanOf(node, scope), findings)
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
