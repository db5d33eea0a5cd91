import { gitCommandOptions } from './command-options.ts'
import { splitGit } from './git-command.ts'
import { optionPayloads } from './option-payloads.ts'
import { joinScript, type Payload, type Starter } from './payload.ts'
import type { ShellWord, Via } from './types.ts'
import { restOfWord } from './word.ts'

/** What `git` starts: aliases and programs set by `-c`, and the commands of some subcommands. */
export function gitPayloads(starter: Starter): Payload[] {
  const { head, rest } = starter
  const { options, subcommand, operands, unsure } = splitGit(rest)
  if (unsure) return [{ kind: 'problem', message: 'What git does is not known', word: unsure }]
  const payloads = options.flatMap((option) => {
    if (option.name === '-c') return option.value ? configPayloads(option.value) : []
    const hides = option.name === '--config-env' || (option.name === '--exec-path' && option.value)
    return hides
      ? [
          {
            kind: 'problem',
            message: `What git runs with ${option.name} is not known`,
            word: option.value ?? head,
          } as const,
        ]
      : []
  })
  return [
    ...payloads,
    ...(subcommand?.value === undefined ? [] : subcommandPayloads(starter, subcommand.value, operands)),
  ]
}

/** Settings whose value is a command. */
const commandSettings =
  /^(core\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|sequence\.editor|pager\..+|diff\.external|(diff|merge|difftool|mergetool|filter|gpg|credential|browser|man|guitool|interactive|trailer|uploadpack|remote|sendemail|web|instaweb|gpg\..+|submodule)\..*(command|cmd|driver|textconv|clean|smudge|process|program|helper|path|difffilter|packobjectshook|vcs|uploadpack|receivepack|tocmd|cccmd|update|browser))$/i

function configPayloads(setting: ShellWord): Payload[] {
  const equals = setting.prefix.indexOf('=')
  if (equals < 0) {
    return setting.value === undefined ? [{ kind: 'problem', message: 'A git setting', word: setting }] : []
  }
  return settingPayloads(setting.prefix.slice(0, equals), restOfWord(setting, equals + 1))
}

function settingPayloads(name: string, value: ShellWord): Payload[] {
  const key = name.toLowerCase()
  const via: Via = { kind: 'git', name: key }
  if (key.startsWith('alias.')) return aliasPayload(value, via)
  if (!commandSettings.test(key)) return []
  return [stripBang(value, via)]
}

/** `!command` is for the shell, everything else continues `git`. */
function aliasPayload(value: ShellWord, via: Via): Payload[] {
  if (value.value === undefined || value.prefix.startsWith('!')) return [stripBang(value, via)]
  return [{ kind: 'script', text: `git ${value.value}`, word: value, via }]
}

function stripBang(value: ShellWord, via: Via): Payload {
  const command = value.prefix.startsWith('!') ? restOfWord(value, 1) : value
  return joinScript([command], command, via)
}

function subcommandPayloads(starter: Starter, subcommand: string, operands: readonly ShellWord[]): Payload[] {
  const table = gitCommandOptions.get(subcommand)
  const inner = { ...starter, program: subcommand, rest: operands }
  const found = table ? optionPayloads(inner, table, 'git') : []
  return [...found, ...transportPayloads(operands), ...otherPayloads(subcommand, operands)]
}

/** `ext::command` is an address that runs the command. */
function transportPayloads(operands: readonly ShellWord[]): Payload[] {
  const word = operands.find(({ prefix }) => /^(--\w+=)?ext::/.test(prefix))
  return word ? [{ kind: 'problem', message: 'An address that runs a command', word }] : []
}

function otherPayloads(subcommand: string, operands: readonly ShellWord[]): Payload[] {
  switch (subcommand) {
    case 'clone':
      return cloneSettings(operands)
    case 'config':
      return savedSettings(operands)
    case 'bisect':
      return operands[0]?.value === 'run' ? runWords(operands.slice(1), 'bisect run') : []
    case 'submodule':
      return foreachWords(operands)
    default:
      return []
  }
}

/** `git clone -c key=value` */
function cloneSettings(operands: readonly ShellWord[]): Payload[] {
  return operands.flatMap((word, index) => {
    const attached = /^(-c(?=.)|--config=)/.exec(word.prefix)
    if (attached) return configPayloads(restOfWord(word, attached[0].length))
    const next = operands[index + 1]
    return next && /^(-\w*c|--config)$/.test(word.prefix) ? configPayloads(next) : []
  })
}

/** `git config key value` is for later calls. */
function savedSettings(operands: readonly ShellWord[]): Payload[] {
  return operands.flatMap((word, index) => {
    const value = operands[index + 1]
    return value && word.value !== undefined ? settingPayloads(word.value, value) : []
  })
}

function runWords(words: readonly ShellWord[], name: string): Payload[] {
  if (words.length === 0) return []
  return [{ kind: 'command', words, assignments: [], via: { kind: 'git', name }, isWrapped: false }]
}

function foreachWords(operands: readonly ShellWord[]): Payload[] {
  const at = operands.findIndex((word) => word.value === 'foreach')
  if (at < 0) return []
  const behind = operands.slice(at + 1)
  const start = behind.findIndex((word) => !word.prefix.startsWith('-'))
  const words = start < 0 ? [] : behind.slice(start)
  const [first] = words
  return first ? [joinScript(words, first, { kind: 'git', name: 'submodule foreach' })] : []
}
