import type { Assignment, Word, WordPart } from 'unbash'
import { type Scope, spanOf } from './scope.ts'
import type { ShellWord, Span, WordPiece } from './types.ts'

/** Describes a parsed word. */
export function toShellWord(word: Word, scope: Scope): ShellWord {
  return createWord(word.text, spanOf(word, scope), piecesOf(word))
}

/** Describes `name=value` in the place of an argument (`declare x=1`). */
export function assignmentToWord(node: Assignment, scope: Scope): ShellWord {
  const value = node.value.type === 'Word' ? piecesOf(node.value) : [unknown(node.text, true)]
  const name = node.index ? unknown(node.name, true) : text(`${node.name}${node.append ? '+' : ''}=`)
  return createWord(node.text, spanOf(node, scope), [name, ...value])
}

/** Builds a word from its pieces. */
export function createWord(source: string, span: Span, pieces: readonly WordPiece[]): ShellWord {
  const firstUnknown = pieces.findIndex((piece) => piece.kind !== 'text')
  const known = firstUnknown < 0 ? pieces : pieces.slice(0, firstUnknown)
  const prefix = known.map((piece) => (piece.kind === 'text' ? piece.value : '')).join('')
  return {
    text: source,
    span,
    value: firstUnknown < 0 ? prefix : undefined,
    prefix,
    pieces,
    splits: pieces.some(canSplit),
    hasGlob: pieces.some((piece) => piece.kind === 'glob'),
  }
}

/** A word of which nothing is known, not even how many words it becomes. */
export function unknownWord(source: string, span: Span): ShellWord {
  return createWord(source, span, [unknown(source, false)])
}

/** The part of a word from `offset` of its known prefix on. */
export function restOfWord(word: ShellWord, offset: number): ShellWord {
  const pieces: WordPiece[] = []
  let skip = offset
  for (const piece of word.pieces) {
    if (piece.kind !== 'text' || skip === 0) {
      pieces.push(piece)
    } else {
      const cut = Math.min(skip, piece.value.length)
      if (cut < piece.value.length) pieces.push(text(piece.value.slice(cut)))
      skip -= cut
    }
  }
  return createWord(word.text, word.span, pieces)
}

function piecesOf(word: Word): WordPiece[] {
  const parts = word.parts
  const tilde = /^~([A-Za-z0-9._+-]*)(?=\/|$)/.exec(word.text)
  if (!parts) {
    if (!tilde) return [text(word.value)]
    const rest = word.value.slice(tilde[0].length)
    return [{ kind: 'tilde', user: tilde[1] ?? '' }, ...(rest ? [text(rest)] : [])]
  }
  const pieces = parts.flatMap((part) => partPieces(part, false))
  const first = pieces[0]
  if (!tilde || first?.kind !== 'text') return pieces
  const rest = first.value.slice(tilde[0].length)
  // `~"user"` is no tilde expansion, but nothing is lost by calling its value unknown.
  return [{ kind: 'tilde', user: tilde[1] ?? '' }, ...(rest ? [text(rest)] : []), ...pieces.slice(1)]
}

function partPieces(part: WordPart, quoted: boolean): WordPiece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [text(part.value)]
    case 'DoubleQuoted':
      return part.parts.length === 0 ? [text('')] : part.parts.flatMap((child) => partPieces(child, true))
    case 'Glob':
    case 'ExtendedGlob':
      return [{ kind: 'glob', text: part.text }]
    case 'ProcessSubstitution':
      return [text('/dev/fd/'), unknown(part.text, true)]
    default:
      return expansionPieces(part, quoted)
  }
}

type LiteralType =
  | 'ProcessSubstitution'
  | 'Literal'
  | 'SingleQuoted'
  | 'AnsiCQuoted'
  | 'DoubleQuoted'
  | 'Glob'
  | 'ExtendedGlob'

function expansionPieces(part: Exclude<WordPart, { type: LiteralType }>, quoted: boolean): WordPiece[] {
  switch (part.type) {
    case 'SimpleExpansion':
      return [variable(part.text.slice(1), quoted)]
    case 'ParameterExpansion':
      return part.prefix || part.index || part.operation
        ? [unknown(part.text, quoted)]
        : [variable(part.parameter, quoted)]
    // The result is one number.
    case 'ArithmeticExpansion':
      return [unknown(part.text, true)]
    // The value of `$"..."` may come from a message catalogue.
    case 'LocaleString':
      return [unknown(part.text, true)]
    case 'CommandExpansion':
    case 'BraceExpansion':
      return [unknown(part.text, quoted)]
  }
}

function text(value: string): WordPiece {
  return { kind: 'text', value }
}

function unknown(source: string, quoted: boolean): WordPiece {
  return { kind: 'unknown', text: source, quoted }
}

function variable(name: string, quoted: boolean): WordPiece {
  return { kind: 'variable', name, quoted }
}

/** `"$@"` and `"${a[@]}"` become several words in quotes too. */
function canSplit(piece: WordPiece): boolean {
  if (piece.kind === 'variable') return !piece.quoted || piece.name === '@'
  return (
    piece.kind === 'unknown' && (!piece.quoted || (piece.text.startsWith('${') && piece.text.includes('@')))
  )
}
