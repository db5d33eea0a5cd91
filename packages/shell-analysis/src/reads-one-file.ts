import { readFiles } from './files.ts'
import type { Findings } from './findings.ts'
import { type ParsedArguments, parseArguments } from './options.ts'
import { findPolicy } from './policies/find-policy.ts'
import { harmless, type Policy } from './policies/policy.ts'
import type { ShellWord } from './types.ts'

const bat: Policy = harmless({
  short: 'pl:r:Hn',
  long: 'plain language: line-range: style: color: paging: decorations: number theme:',
  filesFrom: 0,
})
const readers = new Set('cat nl bat batcat head tail sed grep egrep fgrep rg'.split(' '))

/** The file of a script that is one plain command showing text of one file, without pipe and redirection. */
export function findOneFile(findings: Findings): { path: string } | undefined {
  const [command, second] = findings.commands
  if (!command || second || findings.redirections.length > 0 || findings.hasBackground) return undefined
  const { name = '', assignments, via } = command
  const isPlain = assignments.length === 0 && via.length === 0
  return isPlain && readers.has(name) ? fileOf(name, command.argv.slice(1)) : undefined
}

function fileOf(name: string, args: readonly ShellWord[]): { path: string } | undefined {
  const policy = name.startsWith('bat') ? bat : findPolicy(name)
  if (!policy) return undefined
  const parsed = parseArguments(args, policy)
  const { reads, isComplete } = readFiles(policy, parsed)
  const path = reads[0]?.value ?? ''
  if (!isComplete || reads.length !== 1 || path === '') return undefined
  return name !== 'sed' || isRange(parsed) ? { path } : undefined
}

/** `sed -n 'X,Yp' file`. */
function isRange({ options, operands }: ParsedArguments): boolean {
  const isQuiet = options.length === 1 && options[0]?.name === '-n'
  return isQuiet && /^\d+(,(\d+|\$))?p$/.test(operands[0]?.value ?? '')
}
