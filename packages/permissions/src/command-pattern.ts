import { compileWildcard } from './wildcard.ts'

/** The specifier of a shell rule, compiled. */
export interface CommandPattern {
  /** The known text that every matching command begins with; for the index. */
  readonly prefix: string
  /** Whether it holds no `*`: it means one command, letter for letter. */
  readonly isExact: boolean
  /** Does it match the command? */
  matches(command: string): boolean
  /** May it match a command of which only the beginning is known? */
  mayMatch(beginning: string): boolean
}

/**
 * Compiles the specifier of a shell rule. `*` spans any text; ` *` and `:*` at the end also match nothing at all, and else
 * want a blank; runs of blanks in the command count as one.
 */
export function compileCommandPattern(specifier: string): CommandPattern {
  const text = specifier.trim()
  const open = text.replace(/(?::\*| \*)$/s, '')
  const isPrefix = open !== text
  if (!isPrefix && !text.includes('*')) {
    return {
      prefix: text,
      isExact: true,
      matches: (command) => command.trim() === text,
      mayMatch: (beginning) => text.startsWith(beginning),
    }
  }
  const source = isPrefix ? `${open} *` : text
  const withRest = compileWildcard(collapseBlanks(source))
  const alone = isPrefix ? compileWildcard(collapseBlanks(open)) : undefined
  return {
    prefix: withRest.prefix,
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
