import { splitGit } from './git-command.ts'
import { joinScript, type Payload, type Starter } from './payload.ts'
import type { ShellWord, Via } from './types.ts'
import { restOfWord } from './word.ts'

/** What `git` starts: aliases and programs set by `-c`, and the commands of some subcommands. */
export function gitPayloads({ head, rest }: Starter): Payload[] {
  const { options, subcommand, operands, unsure } = splitGit(rest)
  if (unsure) return [{ kind: 'problem', message: 'What git does is not known', word: unsure }]
  const payloads = options.flatMap((option) => {
    if (option.name === '-c') return option.value ? configPayloads(option.value) : []
    return option.name === '--config-env'
      ? [{ kind: 'problem', message: 'A git setting from a variable', word: option.value ?? head } as const]
      : []
  })
  return [...payloads, ...subcommandPayloads(subcommand?.value, operands)]
}

/** Settings whose value is a command. */
const commandSettings =
  /^(core\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|sequence\.editor|pager\..+|diff\.external|(diff|merge|difftool|mergetool|filter|gpg|credential|browser|man|guitool|interactive|trailer|uploadpack|remote|sendemail|web|instaweb|gpg\..+|submodule)\..*(command|cmd|driver|textconv|clean|smudge|process|program|helper|path|difffilter|packobjectshook|vcs|uploadpack|receivepack|tocmd|cccmd|update|browser))$/i

function configPayloads(setting: ShellWord): Payload[] {
  const equals = setting.prefix.indexOf('=')
  if (equals < 0) {
    return setting.value === undefined ? [{ kind: 'problem', message: 'A git setting', word: setting }] : []
  }
  const key = setting.prefix.slice(0, equals).toLowerCase()
  const value = restOfWord(setting, equals + 1)
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

function subcommandPayloads(subcommand: string | undefined, operands: readonly ShellWord[]): Payload[] {
  switch (subcommand) {
    case 'rebase':
      return valuesOf(operands, /^(-x|--exec)(=|$)/).map((word) =>
        joinScript([word], word, { kind: 'git', name: 'rebase --exec' }),
      )
    case 'difftool':
      return valuesOf(operands, /^(-x|--extcmd)(=|$)/).map((word) =>
        joinScript([word], word, { kind: 'git', name: 'difftool --extcmd' }),
      )
    case 'filter-branch':
      return valuesOf(operands, /^--(setup|env-filter|.*-filter)(=|$)/).map((word) =>
        joinScript([word], word, { kind: 'git', name: 'filter-branch' }),
      )
    case 'bisect':
      return operands[0]?.value === 'run' ? runWords(operands.slice(1), 'bisect run') : []
    case 'submodule':
      return foreachWords(operands)
    default:
      return []
  }
}

/** The values of matching options, attached by `=` or in the next word. */
function valuesOf(operands: readonly ShellWord[], pattern: RegExp): ShellWord[] {
  return operands.flatMap((word, index) => {
    if (/^-x[^=]/.test(word.prefix) && pattern.test('-x')) return [restOfWord(word, 2)]
    if (!pattern.test(word.prefix)) return []
    const equals = word.prefix.indexOf('=')
    if (equals >= 0) return [restOfWord(word, equals + 1)]
    const next = operands[index + 1]
    return next ? [next] : []
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
