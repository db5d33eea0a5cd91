import { dockerPolicy } from './docker.ts'
import { gitPolicy } from './git.ts'
import type { Policy } from './policy.ts'
import { searchPolicies } from './search.ts'
import { sedPolicy } from './sed.ts'
import { systemPolicies } from './system.ts'
import { textPolicies } from './text.ts'

const policies: ReadonlyMap<string, Policy> = new Map([
  ...Object.entries(textPolicies),
  ...Object.entries(searchPolicies),
  ...Object.entries(systemPolicies),
  ['sed', sedPolicy],
  ['git', gitPolicy],
  ['docker', dockerPolicy],
])

/** The policy of a program, undefined for every program not in the tables. */
export function findPolicy(program: string): Policy | undefined {
  return policies.get(program)
}
