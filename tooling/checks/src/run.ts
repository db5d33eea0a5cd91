// Runs the checks one after the other and names those that failed. Arguments name the ones to run; none means all.
import { type Check, checks } from './checks.ts'

const wanted = process.argv.slice(2)
if (wanted.includes('--list') || wanted.includes('--help')) {
  for (const { name, keeps } of checks) console.log(`${name.padEnd(12)} ${keeps}`)
  process.exit(0)
}
const unknown = wanted.filter((name) => !checks.some((check) => check.name === name))
if (unknown.length > 0) {
  console.error(
    `Unknown check ${unknown.join(', ')}. There are: ${checks.map((check) => check.name).join(', ')}.`,
  )
  process.exit(2)
}
const failed: string[] = []
for (const check of checks) {
  if (wanted.length === 0 || wanted.includes(check.name)) report(check)
}
console.log(failed.length === 0 ? 'All checks hold.' : `Checks that do not hold: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

function report(check: Check): void {
  const start = performance.now()
  const faults = check.run()
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${check.name} (${seconds} s): ${check.keeps}`)
  for (const fault of faults) console.log(fault.trimEnd().replaceAll(/^/gm, '     '))
  if (faults.length > 0) failed.push(check.name)
}
