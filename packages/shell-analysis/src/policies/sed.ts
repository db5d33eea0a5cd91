import type { ParsedArguments } from '../options.ts'
import { listed, type Policy } from './policy.ts'

/**
 * Only scripts made of addresses with p, =, d, q, n, or plain substitutions without the flags e and w.
 * The script stands first, or behind `-e`.
 */
export const sedPolicy: Policy = listed({
  short: 'nEruzse:',
  long: 'quiet silent regexp-extended expression: unbuffered null-data separate posix debug sandbox',
  refusesGlobs: true,
  optionsFirst: true,
  filesFrom: 1,
  patternOptions: '-e --expression',
  refuse: refuseSed,
})

// A bracket expression may hold the delimiter, so one that does is not matched at all.
const regexp = (delimiter: string) =>
  String.raw`(?:[^${delimiter}\\\n[]|\\.|\[\^?\]?(?:\[:\w+:\]|[^${delimiter}\]\\\n[])*\])*`
const text = (delimiter: string) => String.raw`(?:[^${delimiter}\\\n]|\\.)*`
const replace = (mark: string) => `${mark}${regexp(mark)}${mark}${text(mark)}${mark}`
const address = String.raw`(?:\d+|\$|/${regexp('/')}/I?)`
const addresses = String.raw`(?:${address}(?:,(?:${address}|[+~]\d+))?\s*!?\s*)?`
const substitution = String.raw`s(?:${replace('/')}|${replace(String.raw`\|`)}|${replace('#')}|${replace(',')})[gpIi\d]*`
const single = new RegExp(String.raw`^\s*${addresses}(?:[pdnq=DPNhHgGxl]|${substitution})[ \t]*`)

function refuseSed({ options, operands }: ParsedArguments): string | undefined {
  const values = options
    .filter((one) => one.name === '-e' || one.name === '--expression')
    .map((one) => one.value)
  const scripts = values.length > 0 ? values : operands.slice(0, 1)
  if (scripts.length === 0) return 'sed without a script'
  return scripts.every((word) => word?.value !== undefined && isPrinting(word.value))
    ? undefined
    : 'The sed script may write or run something'
}

function isPrinting(script: string): boolean {
  let rest = script
  while (rest.trim() !== '') {
    const command = single.exec(rest)
    if (!command) return false
    rest = rest.slice(command[0].length)
    if (rest === '') return true
    if (!/^[;\n]/.test(rest)) return false
    rest = rest.slice(1)
  }
  return true
}
