import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { isRecord } from './is-record.ts'
import type { PermissionMode } from './mode.ts'
import { toPermissionMode } from './mode.ts'
import { type PermissionRule, type RuleLayer, ruleBehaviors } from './rule.ts'
import { permissionsSection } from './settings-section.ts'

/** One settings file, as far as it was read. */
export interface PermissionsFile {
  /** The layer it belongs to. */
  readonly layer: RuleLayer
  /** Its path. @default none: flags of the command line */
  readonly file?: string
  /** The whole value of the file; only `permissions` and `allowManagedPermissionRulesOnly` are looked at. */
  readonly value: unknown
}

/** What reading needs to know. */
export interface ReadPermissionsOptions {
  /** The folder that relative additional directories refer to. @default the process's */
  readonly projectDir?: string
  /** The home folder. @default the user's */
  readonly home?: string
}

/** The permissions that settings files say together. */
export interface ReadPermissions {
  /** The rules of all files. */
  readonly rules: readonly PermissionRule[]
  /** The mode of the strongest file that names one that no file takes away. */
  readonly defaultMode?: PermissionMode
  /** Absolute paths. */
  readonly additionalDirectories: readonly string[]
  /** False where some file takes the mode away. */
  readonly mayBypass: boolean
  /** False where some file takes the mode away. */
  readonly mayUseAuto: boolean
  /** False where only managed rules count: then answers are not remembered either. */
  readonly canRemember: boolean
  /** What does not count, and why; one line each. */
  readonly problems: readonly {
    /** The file. */
    readonly file?: string
    /** One line: the key, what is wrong with it. */
    readonly message: string
  }[]
}

/**
 * Reads the permissions of settings files, the strongest first. An entry that is wrong is left out with a problem, the
 * others count. What an untrusted folder may not say must have been taken out before.
 */
export function readPermissions(
  files: readonly PermissionsFile[],
  options: ReadPermissionsOptions = {},
): ReadPermissions {
  const found = files.map(readFile)
  const managedOnly = files.some(
    ({ layer, value }) => layer === 'managed' && field(value, 'allowManagedPermissionRulesOnly') === true,
  )
  const counted = managedOnly ? found.filter(({ layer }) => layer === 'managed') : found
  const mayBypass = !found.some(({ block }) => block['disableBypassPermissionsMode'] === 'disable')
  const mayUseAuto = !found.some(({ block }) => block['disableAutoMode'] === 'disable')
  const isTaken = (mode: PermissionMode): boolean =>
    (mode === 'bypassPermissions' && !mayBypass) || (mode === 'auto' && !mayUseAuto)
  const defaultMode = found.map(modeOf).find((mode) => mode !== undefined && !isTaken(mode))
  return {
    rules: counted.flatMap(({ rules }) => rules),
    ...(defaultMode === undefined ? {} : { defaultMode }),
    additionalDirectories: [...new Set(found.flatMap(({ block }) => directoriesOf(block, options)))],
    mayBypass,
    mayUseAuto,
    canRemember: !managedOnly,
    problems: found.flatMap(({ problems }) => problems),
  }
}

interface FoundFile {
  readonly layer: RuleLayer
  readonly block: Readonly<Record<string, unknown>>
  readonly rules: readonly PermissionRule[]
  readonly problems: ReadPermissions['problems']
}

function readFile({ layer, file, value }: PermissionsFile): FoundFile {
  const from = file === undefined ? {} : { file }
  const given = field(value, 'permissions')
  const { block, messages } = keepGood(given)
  const rules = ruleBehaviors.flatMap((behavior) =>
    textsOf(block[behavior]).map((text) => ({ behavior, text, layer, ...from })),
  )
  return { layer, block, rules, problems: messages.map((message) => ({ ...from, message })) }
}

/** Leaves out what the schema refuses, entry by entry. */
function keepGood(given: unknown): { block: Readonly<Record<string, unknown>>; messages: readonly string[] } {
  if (given === undefined) return { block: {}, messages: [] }
  if (!isRecord(given)) return { block: {}, messages: ['permissions must be an object'] }
  const { success, error } = permissionsSection.safeParse(given)
  if (success) return { block: given, messages: [] }
  const block = Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => {
      const own = error.issues.filter(({ path }) => path[0] === key)
      if (own.length === 0) return [[key, value]]
      return Array.isArray(value)
        ? [[key, value.filter((_, index) => !own.some(({ path }) => path[1] === index))]]
        : []
    }),
  )
  return {
    block,
    messages: error.issues.map(({ path, message }) => `permissions.${path.join('.')}: ${message}`),
  }
}

/** A project must not choose the mode in which a classifier stands in for the user. */
function modeOf({ layer, block }: FoundFile): PermissionMode | undefined {
  const mode = toPermissionMode(block['defaultMode'])
  return mode === 'auto' && (layer === 'project' || layer === 'local') ? undefined : mode
}

function directoriesOf(
  block: Readonly<Record<string, unknown>>,
  { projectDir = process.cwd(), home = homedir() }: ReadPermissionsOptions,
): readonly string[] {
  return textsOf(block['additionalDirectories']).map((path) => {
    if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1))
    return isAbsolute(path) ? path : resolve(projectDir, path)
  })
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function field(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined
}
