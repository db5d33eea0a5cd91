import { parseArguments } from '../options.ts'
import type { ShellWord } from '../types.ts'
import type { Policy } from './policy.ts'

const reading: Readonly<Record<string, string>> = {
  ps: 'all filter: format: last: latest no-trunc quiet size',
  images: 'all digests filter: format: no-trunc quiet',
  inspect: 'format: size type:',
  logs: 'details follow since: tail: timestamps until:',
  port: '',
  top: '',
  diff: '',
  history: 'format: human no-trunc quiet',
  version: 'format:',
  info: 'format:',
}

/** Reading forms of `docker`, without options that choose another host. */
export const dockerPolicy: Policy = {
  trust: 'any',
  readsMore: true,
  refuse: (_parsed, args) => refuseDocker(args),
}

function refuseDocker([verb, ...words]: readonly ShellWord[]): string | undefined {
  const name = verb?.value ?? ''
  const long = Object.hasOwn(reading, name) ? reading[name] : undefined
  if (long === undefined) return 'docker is not known to read only'
  const { options, unsure } = parseArguments(words, { short: 'aqf:n:ls', long })
  const isSure =
    unsure.length === 0 && !words.some((word) => word.splits) && options.every((option) => option.isKnown)
  return isSure ? undefined : `docker ${name} with these options is not known to read only`
}
