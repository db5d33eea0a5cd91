import { delimiter, join } from 'node:path'
import { isExecutable } from '@x/process'
import type { CommandHandler } from '../handler-config.ts'
import type { HookEnvironment } from '../hook-environment.ts'
import type { HookPlugin } from '../hooks-config.ts'

/** A program and its arguments. */
export interface CommandLine {
  /** The program. */
  readonly program: string
  /** Its arguments. */
  readonly args: readonly string[]
}

/** What a command line is made from. */
export interface CommandFacts {
  /** The environment it will have. */
  readonly env: HookEnvironment
  /** The plugin that brings it. */
  readonly plugin: HookPlugin | undefined
  /** The system. @default the one it runs on */
  readonly platform?: NodeJS.Platform
}

/**
 * Says which program runs a handler: a shell with the command line, or with `args` the program itself.
 *
 * @throws Error if the command line must not run.
 */
export function toCommandLine(handler: CommandHandler, facts: CommandFacts): CommandLine {
  const { command, args } = handler
  if (args !== undefined) {
    const [program = '', ...rest] = [command, ...args].map((word) => fillPlaceholders(word, facts))
    return { program, args: rest }
  }
  if (facts.plugin !== undefined && command.includes('${user_config.')) {
    throw new Error('a command line must not contain ${user_config...}; use "args" or the environment')
  }
  return handler.shell === 'powershell' ? toPowerShell(command, facts.platform) : toShell(command, facts)
}

function toShell(command: string, { env, platform = process.platform }: CommandFacts): CommandLine {
  const bash = findBash(env['PATH'])
  if (bash === undefined && platform === 'win32') return toPowerShell(command, platform)
  const prefix = env['CLAUDE_CODE_SHELL_PREFIX'] ?? ''
  const line = prefix === '' ? command : `${prefix} ${quote(command)}`
  if (bash === undefined) return { program: 'sh', args: ['-c', line] }
  // Bash reads the user's start-up file where its input is a socket, as that of a hook is, and no shell is above it.
  return { program: bash, args: ['--norc', '-c', line] }
}

/** The path placeholders of a text, as plain text. */
function fillPlaceholders(text: string, { env, plugin }: CommandFacts): string {
  const paths = text.replace(
    /\$\{(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA)\}/g,
    (all, name: string) => env[name] ?? all,
  )
  return plugin === undefined
    ? paths
    : paths.replace(/\$\{user_config\.([^}]+)\}/g, (all, key: string) => plugin.options?.[key] ?? all)
}

function toPowerShell(command: string, platform: NodeJS.Platform = process.platform): CommandLine {
  const line = command.replace(/\$\{(CLAUDE_[A-Z_]+)\}/g, (_, name: string) => `\${env:${name}}`)
  const program = platform === 'win32' ? 'powershell.exe' : 'pwsh'
  return { program, args: ['-NoProfile', '-NonInteractive', '-Command', line] }
}

const found = new Map<string, string | undefined>()

/** Looks once for each search path. */
function findBash(path = ''): string | undefined {
  if (!found.has(path)) {
    const candidates = path.split(delimiter).map((folder) => join(folder, 'bash'))
    found.set(path, candidates.find(isExecutable))
  }
  return found.get(path)
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
