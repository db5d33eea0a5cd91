import type { SimpleCommand } from '@x/shell-analysis'
import type { Question } from './checker.ts'
import { hasHarmlessAssignments } from './command-forms.ts'
import { isInside } from './file-checker.ts'
import { isProtectedPath } from './protected-paths.ts'
import type { ShellCall } from './shell-call.ts'

/** Commands that `acceptEdits` lets run on files inside the working directories. */
const names: ReadonlySet<string> = new Set(['mkdir', 'touch', 'rm', 'rmdir', 'mv', 'cp', 'sed'])

/** Is it a simple command on files, all known and inside the working directories, in a mode that allows that? */
export function isFileCommandInScope(question: Question, call: ShellCall, command: SimpleCommand): boolean {
  if (question.mode !== 'acceptEdits' && question.mode !== 'auto') return false
  const { name = '', index } = command
  if (!names.has(name) || !hasHarmlessAssignments(command)) return false
  if (name === 'sed' ? !isPlainSed(command) : !command.areFilesKnown) return false
  const files = [...call.readWords(index), ...call.writeWords(index)]
  return (
    files.length > 0 &&
    files
      .flatMap((word) => call.pathsOf(word, index))
      .every(
        (path) =>
          path.doubt === undefined &&
          !path.plain.includes('/../') &&
          isInside(path, question) &&
          !isProtectedPath(path),
      )
  )
}

/** One substitution or deletion: sed scripts can also write files and run commands, and `-i../*` makes copies elsewhere. */
function isPlainSed({ argv }: SimpleCommand): boolean {
  const values = argv.slice(1).map((word) => word.value)
  if (values.includes(undefined)) return false
  const words = values.filter((value) => value !== undefined)
  const isOption = (word: string): boolean => word.startsWith('-')
  if (
    !words
      .filter(isOption)
      .every((word) => /^(-[nErsuz]*i?|-i[^\s/*]*|-[nErsuz]*e|--in-place(=[^\s/*]+)?)$/.test(word))
  )
    return false
  const marked = words.flatMap((word, index) => (/^-[nErsuz]*e$/.test(word) ? [words[index + 1] ?? ''] : []))
  const scripts = marked.length > 0 ? marked : words.filter((word) => !isOption(word)).slice(0, 1)
  return scripts.length > 0 && scripts.every((script) => plainScript.test(script))
}

const plainScript =
  /^(?:(?:\d+|\$)(?:,(?:\d+|\$))?)?(?:[dp]|s([^\\\n\w])(?:\\.|(?!\1)[^\\\n])*\1(?:\\.|(?!\1)[^\\\n])*\1[gIip\d]*)$/
