import type { Payload, Starter } from './payload.ts'
import type { ShellWord } from './types.ts'
import { fillIn } from './xargs-payloads.ts'

const actions = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** The commands of `find -exec`, `-execdir`, `-ok` and `-okdir`. */
export function findPayloads({ rest }: Starter): Payload[] {
  const payloads: Payload[] = []
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at]
    if (word === undefined) break
    if (word.splits || (word.value === undefined && (word.prefix === '' || word.prefix.startsWith('-')))) {
      // `find . $x`: the variable may hold -exec or -delete.
      if (!isPlainArgument(rest, at)) {
        payloads.push({ kind: 'problem', message: 'May become an action of find', word })
      }
      continue
    }
    if (!actions.has(word.value ?? '')) continue
    const end = endOfCommand(rest, at + 1)
    payloads.push(toPayload(rest.slice(at + 1, end), word))
    at = end
  }
  return payloads
}

/** A quoted start folder, or the value of a test, cannot become an action unless it starts with a dash. */
function isPlainArgument(rest: readonly ShellWord[], at: number): boolean {
  const word = rest[at]
  if (word === undefined || word.splits) return false
  const before = rest[at - 1]?.value
  return before !== undefined && valued.has(before)
}

const valued = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -newer -anewer -cnewer -user -group -perm -size -mtime -mmin -atime -amin -ctime -cmin -maxdepth -mindepth -type -lname -ilname -samefile -printf -inum -links'.split(
    ' ',
  ),
)

function endOfCommand(rest: readonly ShellWord[], from: number): number {
  for (let at = from; at < rest.length; at += 1) {
    const value = rest[at]?.value
    if (value === ';' || (value === '+' && rest[at - 1]?.value === '{}')) return at
  }
  return rest.length
}

function toPayload(command: readonly ShellWord[], action: ShellWord): Payload {
  const words = fillIn(command, ['{}'], action)
  if (words.length === 0)
    return { kind: 'problem', message: `${action.text} without a command`, word: action }
  return {
    kind: 'command',
    words,
    assignments: [],
    via: { kind: 'find', name: action.text },
    isWrapped: false,
  }
}
