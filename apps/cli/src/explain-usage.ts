import process from 'node:process'

/** Prints how `x GROUP` is used, and what was wrong unless help was asked for; gives the exit code. */
export function explainUsage(group: string, name: string | undefined, usage: string): number {
  if (name === '--help' || name === '-h') {
    process.stdout.write(usage)
    return 0
  }
  const isKnownToBeWrong = name !== undefined && name !== ''
  if (isKnownToBeWrong) process.stderr.write(`Error: x ${group} cannot do ${JSON.stringify(name)}. It can:\n`)
  process.stderr.write(usage)
  return 1
}
