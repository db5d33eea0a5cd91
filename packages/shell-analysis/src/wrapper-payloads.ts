import { type FoundOption, parseArguments } from './options.ts'
import { joinScript, type Payload, type Starter } from './payload.ts'
import type { ShellAssignment, ShellWord } from './types.ts'
import { restOfWord } from './word.ts'
import type { Wrapper } from './wrappers.ts'

/** Looks through `timeout 5 X`, `env A=1 X`, `sudo -u u X` and the like. */
export function wrapperPayloads(starter: Starter, wrapper: Wrapper): Payload[] {
  const parsed = parseArguments(starter.rest, { ...wrapper, stopsAtOperand: !wrapper.hasNoCommand })
  const strange = parsed.options.find((option) => !option.isKnown)
  if (strange) return [problem(`${starter.program} ${strange.name} is not known`, starter.head)]
  const { options, operands } = parsed
  const scripts = options.filter((one) => isNamed(one, wrapper.script)).map((one) => toScript(one, starter))
  const skip = wrapper.skip ?? 0
  const hidden = parsed.unsure[0] ?? operands.slice(0, skip).find((word) => word.splits)
  if (hidden) return [...scripts, problem(`What ${starter.program} runs is not known`, hidden)]
  if (options.some((option) => isNamed(option, wrapper.inert))) return scripts
  const inner = { ...splitAssignments(operands.slice(skip), wrapper), options }
  // `env -S 'A B' C` runs `A B C`: more than the script alone says.
  if (scripts.length > 0 && wrapper.takesAssignments && inner.words.length > 0) {
    return [...scripts, problem('A command line in two parts', starter.head)]
  }
  return [...scripts, ...innerPayload(starter, wrapper, inner)]
}

interface Inner {
  readonly words: readonly ShellWord[]
  readonly assignments: readonly ShellAssignment[]
  readonly options: readonly FoundOption[]
}

function innerPayload(starter: Starter, wrapper: Wrapper, inner: Inner): Payload[] {
  const { words, assignments, options } = inner
  const via = { kind: 'wrapper', name: starter.program } as const
  if (wrapper.hasNoCommand)
    return words.length > 1 ? [problem('What it runs is not known', starter.head)] : []
  const [first, second] = words
  if (!first) return []
  // `flock file -c 'script'`: the option stands behind an operand.
  if (wrapper.script && second && /^(-c|--command)$/.test(first.prefix)) {
    return [joinScript([second], second, via)]
  }
  // `sudo A=1 -u root X` goes on with options, other wrappers do not.
  if (first.prefix.startsWith('-')) return [problem(`What ${starter.program} runs is not known`, first)]
  const joins = wrapper.joins && !options.some((option) => isNamed(option, wrapper.exec))
  return joins
    ? [joinScript(words, starter.head, via)]
    : [{ kind: 'command', words, assignments, via, isWrapped: true }]
}

function splitAssignments(words: readonly ShellWord[], wrapper: Wrapper): Omit<Inner, 'options'> {
  const assignments: ShellAssignment[] = []
  if (!wrapper.takesAssignments) return { words, assignments }
  let next = 0
  for (const word of words) {
    const equals = word.prefix.indexOf('=')
    if (equals < 0 && word.value !== '-') break
    if (equals >= 0) assignments.push(toAssignment(word, equals))
    next += 1
  }
  return { words: words.slice(next), assignments }
}

function toAssignment(word: ShellWord, equals: number): ShellAssignment {
  return {
    name: word.prefix.slice(0, equals),
    text: word.text,
    value: restOfWord(word, equals + 1).value,
    span: word.span,
  }
}

function toScript(option: FoundOption, starter: Starter): Payload {
  if (!option.value) return problem(`${option.name} without a command`, starter.head)
  return joinScript([option.value], option.value, { kind: 'wrapper', name: starter.program })
}

function isNamed(option: FoundOption, names: string | undefined): boolean {
  return names !== undefined && isListed(option.name, names)
}

/** Short names stand together in the first group, long ones apart. */
function isListed(name: string, names: string): boolean {
  const words = names.split(' ')
  return name.startsWith('--') ? words.includes(name.slice(2)) : (words[0] ?? '').includes(name.slice(1))
}

function problem(message: string, word: ShellWord): Payload {
  return { kind: 'problem', message, word }
}
