import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import type { ShellAnalysis, SimpleCommand } from '@x/shell-analysis'

/** Options of `pkill` whose value is the next word. */
const OPTIONS_WITH_VALUE = /^-[a-zA-Z]*[dFGgPrstuU]$/

/** Says what is wrong with a command that would end the host by `pkill -f` with words of the host's own command line. */
export function findSelfKill({ commands }: ShellAnalysis): string | undefined {
  const culprit = commands.find((command) => command.program === 'pkill' && wouldMatch(command))
  if (culprit === undefined) return undefined
  return (
    `\`${culprit.text}\` would also end the program that runs this tool: its own command line matches. ` +
    'Use a narrower pattern, or kill the process by its id (pgrep -fl shows them).'
  )
}

function wouldMatch({ argv }: SimpleCommand): boolean {
  const words = argv.slice(1).map((word) => word.value)
  const flags = words.filter((word) => word?.startsWith('-') === true)
  if (!flags.some((flag) => flag === '--full' || /^-[a-zA-Z]*f/.test(flag ?? ''))) return false
  const pattern = words.find((word, at) => word !== undefined && isPattern(words, at))
  if (pattern === undefined) return false
  const ignoresCase = flags.some((flag) => flag === '--ignore-case' || /^-[a-zA-Z]*i/.test(flag ?? ''))
  return matches(pattern, ignoresCase)
}

function isPattern(words: readonly (string | undefined)[], at: number): boolean {
  if (words[at]?.startsWith('-') === true) return false
  return !OPTIONS_WITH_VALUE.test(words[at - 1] ?? '')
}

/** A pattern that only `pkill` understands is taken for plain text. */
function matches(pattern: string, ignoresCase: boolean): boolean {
  const commandLine = ownCommandLine()
  try {
    return testLimited(new RegExp(pattern, ignoresCase ? 'i' : ''), commandLine)
  } catch {
    return commandLine.includes(pattern)
  }
}

const maxTestMs = 100

/** `pkill` takes `(.+)+x` in its stride, the expressions of JavaScript never end. One that takes too long counts as a match. */
function testLimited(expression: RegExp, text: string): boolean {
  try {
    return runInNewContext('expression.test(text)', { expression, text }, { timeout: maxTestMs }) === true
  } catch {
    return true
  }
}

/** As `pkill` sees it. */
function ownCommandLine(): string {
  try {
    return readFileSync('/proc/self/cmdline', 'utf8').replaceAll('\0', ' ').trimEnd()
  } catch {
    return [process.argv0, ...process.execArgv, ...process.argv.slice(1)].join(' ')
  }
}
