import type { FoundCommand } from './findings.ts'
import { type ParsedArguments, parseArguments } from './options.ts'
import { findPolicy } from './policies/find-policy.ts'
import type { Policy } from './policies/policy.ts'
import { isVersionQuestion } from './policies/versions.ts'
import type { ShellWord } from './types.ts'
import { isHarmlessVariable } from './variables.ts'
import { wrappers, xargsOptions } from './wrappers.ts'

/** Says why a command is not proven read-only, or undefined when it is. */
export function refuseCommand(command: FoundCommand): string | undefined {
  const variable = command.assignments.find((one) => !isHarmlessVariable(one.name))
  if (variable) return `Sets ${variable.name}`
  if (command.argv.length === 0) return undefined
  // A path names a program of which nothing is known, whatever its last segment.
  if (command.name === undefined || command.name.includes('/')) return 'The program is not a known one'
  const args = command.argv.slice(1)
  if (isVersionQuestion(command.name, args)) return undefined
  const judge = starters.get(command.name) ?? (wrappers.has(command.name) ? refuseWrapper : undefined)
  if (judge) return judge(args, command)
  const policy = findPolicy(command.name)
  return policy ? refuseByPolicy(command.name, policy, args) : `${command.name} is not known to read only`
}

function refuseByPolicy(name: string, policy: Policy, args: readonly ShellWord[]): string | undefined {
  const parsed = parseArguments(args, policy)
  return (
    refuseOptions(name, policy, { args, parsed }) ??
    refuseOperands(name, policy, { args, parsed }) ??
    policy.refuse?.(parsed, args)
  )
}

interface Call {
  readonly args: readonly ShellWord[]
  readonly parsed: ParsedArguments
}

function refuseOptions(name: string, policy: Policy, { args, parsed }: Call): string | undefined {
  if (policy.trust === 'any') return undefined
  const strange = parsed.options.find((option) => !option.isKnown)
  if (strange) return `${name} ${strange.name} is not known to read only`
  // Behind `--` an expansion is no option, but it may still be one operand too many.
  const unsure = parsed.unsure[0] ?? args.find((word) => word.splits)
  return unsure && `${unsure.text} may become an option or operand of ${name}`
}

function refuseOperands(name: string, policy: Policy, { args, parsed }: Call): string | undefined {
  const { maxOperands } = policy
  if ((policy.refusesGlobs || maxOperands !== undefined) && args.some((word) => word.hasGlob)) {
    return `A file name may become an option or operand of ${name}`
  }
  const count = policy.optionsFirst
    ? parseArguments(args, { ...policy, stopsAtOperand: true }).operands.length
    : parsed.operands.length
  if (count !== parsed.operands.length) return `An option of ${name} behind an operand`
  const isTooMany = maxOperands !== undefined && count > maxOperands
  return isTooMany ? `${name} with these operands may change something` : undefined
}

/** Programs that run others and are harmless themselves: what they run is judged apart. */
const starters: ReadonlyMap<
  string,
  (args: readonly ShellWord[], command: FoundCommand) => string | undefined
> = new Map([
  ['eval', () => undefined],
  ['xargs', refuseXargs],
  ['sh', refuseShell],
  ['bash', refuseShell],
  ['dash', refuseShell],
  ['env', refuseEnv],
  ['command', refuseCommandBuiltin],
])

function refuseWrapper(_args: readonly ShellWord[], { name = '', wraps }: FoundCommand): string | undefined {
  const isHarmless = wrappers.get(name)?.isHarmless && wraps !== undefined
  return isHarmless ? undefined : `${name} is not known to read only`
}

/** `command -v` only looks up a name. */
function refuseCommandBuiltin(args: readonly ShellWord[], command: FoundCommand): string | undefined {
  return /^-[vV]$/.test(args[0]?.value ?? '') ? undefined : refuseWrapper(args, command)
}

/** Plain `env` prints. */
function refuseEnv(args: readonly ShellWord[], { wraps }: FoundCommand): string | undefined {
  const prints = args.every((word) => word.value === '-0' || word.value === '--null')
  const onlySets = wraps !== undefined && !args[0]?.prefix.startsWith('-')
  return prints || onlySets ? undefined : 'env with these arguments is not known to read only'
}

/** Other options make the shell read start files. */
function refuseShell(args: readonly ShellWord[]): string | undefined {
  const hasScript = args[0]?.value === '-c' && /^([^-+]|$)/.test(args[1]?.value ?? '-')
  return hasScript ? undefined : 'A shell that runs more than a given script'
}

function refuseXargs(args: readonly ShellWord[]): string | undefined {
  const { options } = parseArguments(args, xargsOptions)
  const harmless =
    /^(-[0rtdEIiJLlnPsx]|--(null|no-run-if-empty|verbose|delimiter|replace|max-lines|max-args|max-procs|max-chars|exit))$/
  return options.every((option) => harmless.test(option.name)) ? undefined : 'xargs with these options'
}
