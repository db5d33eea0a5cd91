import { joinScript, type Payload, type Starter } from './payload.ts'
import type { ShellWord } from './types.ts'

/** Shells whose language the parser does not speak; what it finds in their scripts is not all. */
const foreign = new Set(['zsh', 'fish', 'csh', 'tcsh', 'yash'])

interface Invocation {
  readonly hasScript: boolean
  readonly readsInput: boolean
  readonly isInert: boolean
  readonly operands: readonly ShellWord[]
  readonly unsure: ShellWord | undefined
}

/** Opens `sh -c 'script'`, `bash <<< 'script'` and `bash <<EOF`; a script from a pipe is hidden. */
export function shellPayloads(starter: Starter): Payload[] {
  const { program, head } = starter
  const call = readInvocation(starter.rest)
  if (call.unsure)
    return [{ kind: 'problem', message: `What ${program} runs is not known`, word: call.unsure }]
  if (call.isInert) return []
  const script = call.operands[0]
  const found = call.hasScript
    ? [script ? joinScript([script], script, { kind: 'shell', name: program }) : missing(head)]
    : fromInput(starter, call)
  const speaksOther = foreign.has(program) && (call.hasScript || found.length > 0)
  return speaksOther
    ? [...found, { kind: 'problem', message: `${program} is another language`, word: head }]
    : found
}

/** The script comes from standard input unless a file is named. */
function fromInput(starter: Starter, call: Invocation): Payload[] {
  const [file] = call.operands
  if (file && !call.readsInput) {
    const isNamed = file.value !== undefined && !file.value.startsWith('/dev/')
    return isNamed ? [] : [{ kind: 'problem', message: 'The script file is not known', word: file }]
  }
  return [scriptInInput(starter)]
}

function scriptInInput({ program, head, redirections, bodies }: Starter): Payload {
  const at = redirections.findLastIndex((one) => one.effect !== 'write' && (one.descriptor ?? 0) === 0)
  const input = redirections[at]
  const via = { kind: 'shell', name: program } as const
  if (input?.operator === '<<<' && input.target) return joinScript([input.target], input.target, via)
  const body = bodies[at]
  return body === undefined
    ? { kind: 'problem', message: `${program} reads a script that is not visible`, word: head }
    : { kind: 'script', text: body, word: head, via }
}

const longWithValue = new Set(['--rcfile', '--init-file'])

function readInvocation(rest: readonly ShellWord[]): Invocation {
  const seen = { hasScript: false, readsInput: false, isInert: false }
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at]
    if (word === undefined) break
    if (mayBeOption(word)) return { ...seen, operands: [], unsure: word }
    if (!/^[-+]/.test(word.prefix)) return { ...seen, operands: rest.slice(at), unsure: undefined }
    if (word.value === '-' || word.value === '--') {
      return { ...seen, operands: rest.slice(at + 1), unsure: undefined }
    }
    at += noteOption(word.prefix, seen)
  }
  return { ...seen, operands: [], unsure: undefined }
}

function mayBeOption(word: ShellWord): boolean {
  return word.splits || (word.value === undefined && /^([-+]|$)/.test(word.prefix))
}

/** Notes what an option says and returns the number of words that are its values. */
function noteOption(
  option: string,
  seen: { hasScript: boolean; readsInput: boolean; isInert: boolean },
): number {
  if (option.startsWith('--')) {
    seen.isInert ||= option === '--version' || option === '--help'
    return longWithValue.has(option) ? 1 : 0
  }
  seen.hasScript ||= option.startsWith('-') && option.includes('c')
  seen.readsInput ||= option.includes('s')
  // `-o pipefail`, `-O extglob`: the name of the shell option follows.
  return (option.match(/[oO]/g) ?? []).length
}

function missing(head: ShellWord): Payload {
  return { kind: 'problem', message: '-c without a script', word: head }
}
