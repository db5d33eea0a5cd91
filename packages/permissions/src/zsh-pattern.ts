import type { ShellAnalysis, ShellWord } from '@x/shell-analysis'

/**
 * Finds a pattern of file names with parentheses: `*(e:command:)` runs the command where the shell is zsh. Bash knows such
 * patterns only on request, so that nothing that works is lost.
 */
export function findZshPattern({ commands, redirections, source }: ShellAnalysis): string | undefined {
  const targets = redirections.flatMap(({ target }) => target ?? [])
  const word = [...commands.flatMap(({ argv }) => argv), ...targets].find(holdsParentheses)
  return word?.text ?? (loop.test(source) ? inLoop.exec(source)?.[0] : undefined)
}

function holdsParentheses({ pieces }: ShellWord): boolean {
  return pieces.some((piece) => {
    if (piece.kind === 'glob') return piece.text.includes('(')
    return piece.kind === 'unknown' && !piece.quoted && /^\$?\{/.test(piece.text) && bare.test(piece.text)
  })
}

/** A parenthesis that begins no substitution. */
const bare = /(?<![$<>\\])\(/

/** The words that a loop goes through are in no command; of them only the text is known. */
const loop = /\b(for|select)\b/
const inLoop = /[*?@+!\]]\(|\{[^{}\s"']*(?<![$<>\\])\(/
