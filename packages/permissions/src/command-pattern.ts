import { compileWildcard } from './wildcard.ts'

/** The specifier of a shell rule, compiled. */
export interface CommandPattern {
  /** The word that every matching command begins with, if there is one; for the index. */
  readonly firstWord: string | undefined
  /** Whether it holds no `*`: it means one command, letter for letter. */
  readonly isExact: boolean
  /** Does it match the command? */
  matches(command: string): boolean
  /** May it match a command of which only the beginning is known? */
  mayMatch(beginning: string): boolean
}

/**
 * Compiles the specifier of a shell rule. `*` spans any text; ` *` and `:*` at the end also match nothing at all, and else
 * want a blank; runs of blanks in the command count as one. Saved rules may have a backslash in front of parentheses and
 * backslashes: both readings count.
 */
export function compileCommandPattern(specifier: string): CommandPattern {
  const written = compileText(specifier.trim())
  const meant = specifier.trim().replaceAll(/\\([()\\])/g, '$1')
  if (meant === specifier.trim()) return written
  const other = compileText(meant)
  return {
    firstWord: written.firstWord === other.firstWord ? written.firstWord : undefined,
    isExact: written.isExact,
    matches: (command) => written.matches(command) || other.matches(command),
    mayMatch: (beginning) => written.mayMatch(beginning) || other.mayMatch(beginning),
  }
}

function compileText(text: string): CommandPattern {
  const open = text.replace(/(?::\*| \*)$/s, '')
  const isPrefix = open !== text
  if (!isPrefix && !text.includes('*')) {
    return {
      firstWord: firstWordOf(text),
      isExact: true,
      matches: (command) => command.trim() === text,
      mayMatch: (beginning) => text.startsWith(beginning),
    }
  }
  const source = isPrefix ? `${open} *` : text
  const withRest = compileWildcard(collapseBlanks(source))
  const alone = isPrefix ? compileWildcard(collapseBlanks(open)) : undefined
  return {
    // `ls*` may begin with another word.
    firstWord: /\s/.test(withRest.prefix.trimStart()) ? firstWordOf(withRest.prefix) : undefined,
    isExact: false,
    matches: (command) => {
      const plain = plainCommand(command)
      return withRest.matches(plain) || alone?.matches(plain) === true
    },
    mayMatch: (beginning) => {
      const { prefix } = withRest
      return prefix !== '' && (prefix.startsWith(beginning) || beginning.startsWith(prefix))
    },
  }
}

function collapseBlanks(text: string): string {
  return text.replaceAll(/[\t ]+/g, ' ')
}

let lastCommand = ''
let lastPlain = ''

/** The same command meets many patterns in a row. */
function plainCommand(command: string): string {
  if (command !== lastCommand) {
    lastCommand = command
    lastPlain = collapseBlanks(command.trim())
  }
  return lastPlain
}

/** The first word of a command. */
export function firstWordOf(text: string): string {
  return /\S+/.exec(text)?.[0] ?? ''
}
