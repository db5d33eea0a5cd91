import { homedir } from 'node:os'
import { declareCall, type HookVerdict, type JsonObject, type Tool } from '@x/contract'
import { applyRuleUpdate } from './apply-update.ts'
import { isSetAside } from './auto-mode.ts'
import { type CallToCheck, checkCall } from './check-call.ts'
import type { Question } from './checker.ts'
import { createDisk } from './disk.ts'
import { findFileRule } from './file-checker.ts'
import type { ReadLink } from './follow-links.ts'
import { type PermissionMode, toPermissionMode } from './mode.ts'
import { destinationLayers, type PermissionUpdate } from './permission-update.ts'
import { findPath, type Places } from './places.ts'
import { readLinkOf } from './resolve-path.ts'
import type { PermissionRule, RuleProblem } from './rule.ts'
import { createRuleSet, type RuleSet } from './rule-set.ts'
import { canonicalName, interactiveTools } from './tool-names.ts'
import type { Verdict } from './verdict.ts'

/** What permissions rest on. */
export interface PermissionsOptions {
  /** All rules, of all layers; their order does not matter. @default none */
  readonly rules?: readonly PermissionRule[]
  /** The mode to begin with. @default 'default' */
  readonly mode?: PermissionMode
  /** The folder the session begins in. Absolute. @default the process's */
  readonly cwd?: string
  /** The root of the project. Absolute. @default `cwd` */
  readonly projectDir?: string
  /** Folders beside those two whose files may be used. Absolute. @default none */
  readonly workingDirectories?: readonly string[]
  /** The home folder. @default the user's */
  readonly home?: string
  /** Whether the session may switch to `bypassPermissions`. @default whether it begins in it */
  readonly isBypassAvailable?: boolean
  /** Whether the session may switch to `auto`. @default true */
  readonly isAutoAvailable?: boolean
  /** Whether answers may be remembered; false where only managed rules count. @default true */
  readonly canRemember?: boolean
  /** The file that plan mode may write. Absolute. @default none */
  readonly planFile?: string
  /** Tells whether a shell call would run in a sandbox that makes asking needless. Must not throw. @default never */
  readonly isSandboxed?: (input: JsonObject) => boolean
  /** Looks at one path on the disk, for links. May throw: then the path counts as outside. @default the file system */
  readonly readLink?: ReadLink
}

/** What surrounds one call. */
export interface CheckContext {
  /** The mode of this call, where it is not the session's: an agent has its own. @default the session's */
  readonly mode?: PermissionMode
  /** The folder that relative paths refer to now. @default the folder the session began in */
  readonly cwd?: string
  /** The root of the checkout that the call works in, where that is a copy of the project: an agent may have a worktree. @default none */
  readonly checkoutDir?: string
  /** What the PreToolUse hooks want. */
  readonly hook?: HookVerdict
  /** Whether a hook changed the input: then its allow answers for the user. @default false */
  readonly hookChangedInput?: boolean
  /** Whether the tool is a question to the user; known by itself for a tool object. @default false */
  readonly requiresUserInteraction?: boolean
  /** Rules that count for this call only: what a skill allows during its turn. @default none */
  readonly extraRules?: readonly PermissionRule[]
}

/** Decides about calls. */
export interface Permissions {
  /** The mode that counts now. */
  readonly mode: PermissionMode
  /** All rules that count now. */
  readonly rules: readonly PermissionRule[]
  /** Folders beside the project whose files may be used. */
  readonly workingDirectories: readonly string[]
  /** What the user should be told about the rules. */
  readonly problems: readonly RuleProblem[]
  /**
   * Judges one call. Asks nobody, runs nothing, and never throws; looks at the disk for links only.
   *
   * With a tool object its aliases and declarations count too.
   */
  check(tool: string | Tool, input: JsonObject, context?: CheckContext): Verdict
  /** Does a rule take the tool away from the model altogether? */
  isRemoved(tool: string | Tool): boolean
  /** Does a rule deny reading the file? For tools that search: such files stay out of their results. */
  isReadDenied(path: string, context?: Pick<CheckContext, 'cwd' | 'checkoutDir'>): boolean
  /** Takes over what a callback, hook or answer changed, for this session. Saving it is the caller's. */
  update(updates: readonly PermissionUpdate[]): void
  /** Puts other rules in place of all but those of the session; for settings that changed on disk. */
  setRules(rules: readonly PermissionRule[]): void
  /** Switches the mode; false if the session may not. */
  setMode(mode: PermissionMode): boolean
}

/**
 * Makes the permissions of one session. Rules are compiled once and found by tool.
 *
 * @example
 * const permissions = createPermissions({ rules: [{ behavior: 'allow', text: 'Bash(npm test)' }] })
 * permissions.check('Bash', { command: 'npm test; rm -rf x' }).behavior // 'ask'
 */
export function createPermissions(options: PermissionsOptions = {}): Permissions {
  return new SessionPermissions(options)
}

class SessionPermissions implements Permissions {
  mode: PermissionMode
  workingDirectories: readonly string[]
  readonly #options: PermissionsOptions
  readonly #startDir: string
  readonly #home: string
  readonly #isBypassAvailable: boolean
  #set: RuleSet
  #autoSet: RuleSet | undefined
  #extraSet: { readonly key: string; readonly set: RuleSet } | undefined

  constructor(options: PermissionsOptions) {
    const {
      rules = [],
      mode = 'default',
      cwd = process.cwd(),
      home = homedir(),
      workingDirectories = [],
    } = options
    this.#options = options
    this.mode = mode
    this.workingDirectories = workingDirectories
    this.#startDir = cwd
    this.#home = home
    this.#isBypassAvailable = options.isBypassAvailable ?? mode === 'bypassPermissions'
    this.#set = createRuleSet(rules)
  }

  get rules(): readonly PermissionRule[] {
    return this.#set.rules
  }

  get problems(): readonly RuleProblem[] {
    return this.#set.problems
  }

  check(tool: string | Tool, input: JsonObject, context: CheckContext = {}): Verdict {
    try {
      return checkCall(this.#toCall(tool, input, context))
    } catch (error) {
      const detail = `the check failed: ${error instanceof Error ? error.message : String(error)}`
      return {
        behavior: 'deny',
        message: `Permission denied: ${detail}.`,
        reason: { type: 'safety', detail },
      }
    }
  }

  isRemoved(tool: string | Tool): boolean {
    return namesOf(tool).some(
      (name) =>
        name !== 'EndConversation' &&
        this.#set.of('deny', name).some(({ matcher }) => matcher.kind === 'any'),
    )
  }

  isReadDenied(path: string, context: Pick<CheckContext, 'cwd' | 'checkoutDir'> = {}): boolean {
    const question = this.#ask('Read', {}, context)
    const found = findPath(path, question.places, question.disk)
    return findFileRule(question, ['Read'], { behavior: 'deny', path: found }) !== undefined
  }

  update(updates: readonly PermissionUpdate[]): void {
    for (const update of updates) {
      if (update.type === 'setMode') this.setMode(update.mode)
      else if ('directories' in update) this.#changeDirectories(update)
      else if (this.#options.canRemember !== false)
        this.#useRules(applyRuleUpdate(this.rules, update, destinationLayers[update.destination]))
    }
  }

  setRules(rules: readonly PermissionRule[]): void {
    this.#useRules([...rules, ...this.rules.filter(({ layer = 'session' }) => layer === 'session')])
  }

  setMode(wanted: PermissionMode): boolean {
    // Answers come from outside.
    const mode = toPermissionMode(wanted)
    if (mode === undefined) return false
    if (mode === 'bypassPermissions' && !this.#isBypassAvailable) return false
    if (mode === 'auto' && this.#options.isAutoAvailable === false) return false
    this.mode = mode
    return true
  }

  #changeDirectories(update: Extract<PermissionUpdate, { directories: readonly string[] }>): void {
    const others = this.workingDirectories.filter((folder) => !update.directories.includes(folder))
    this.workingDirectories = update.type === 'addDirectories' ? [...others, ...update.directories] : others
  }

  #useRules(rules: readonly PermissionRule[]): void {
    this.#set = createRuleSet(rules)
    this.#autoSet = undefined
    this.#extraSet = undefined
  }

  #toCall(tool: string | Tool, input: JsonObject, context: CheckContext): CallToCheck {
    const question = this.#ask(tool, input, context)
    const isOwnQuestion = interactiveTools.has(question.toolName)
    const declares = typeof tool !== 'string' && tool.requiresUserInteraction === true
    const needsPerson = isOwnQuestion || declares || context.requiresUserInteraction === true
    return {
      question,
      hook: context.hook,
      needsPerson,
      hookAnswers: isOwnQuestion && context.hook?.behavior === 'allow' && context.hookChangedInput === true,
      isBypassAvailable: this.#isBypassAvailable,
      canRemember: this.#options.canRemember ?? true,
    }
  }

  #ask(
    tool: string | Tool,
    input: JsonObject,
    { cwd, checkoutDir, extraRules = [], mode = this.mode }: CheckContext,
  ): Question {
    const { planFile, isSandboxed, readLink = readLinkOf } = this.#options
    const toolName = canonicalName(typeof tool === 'string' ? tool : tool.name)
    return {
      toolName,
      aliases: aliasesOf(tool),
      input,
      rules: this.#rulesNow(extraRules, mode),
      mode,
      places: this.#placesAt(cwd, checkoutDir),
      disk: createDisk(readLink),
      isSandboxed: isSandboxed?.(input) ?? false,
      saysReadOnly: saysReadOnly(tool, input),
      ...(planFile === undefined ? {} : { planFile }),
    }
  }

  #rulesNow(extra: readonly PermissionRule[], mode: PermissionMode): RuleSet {
    if (extra.length > 0) return this.#withExtra(extra, mode)
    if (mode !== 'auto') return this.#set
    this.#autoSet ??= createRuleSet(this.rules.filter((rule) => !isSetAside(rule)))
    return this.#autoSet
  }

  /** The rules of a skill are the same for all calls of its turn. */
  #withExtra(extra: readonly PermissionRule[], mode: PermissionMode): RuleSet {
    const key = JSON.stringify([mode === 'auto', extra])
    if (this.#extraSet?.key !== key) {
      const all = [...this.rules, ...extra]
      const counted = mode === 'auto' ? all.filter((rule) => !isSetAside(rule)) : all
      this.#extraSet = { key, set: createRuleSet(counted) }
    }
    return this.#extraSet.set
  }

  #placesAt(cwd = this.#startDir, checkoutDir?: string): Places {
    const { projectDir = this.#startDir } = this.#options
    const extraDirs = this.workingDirectories
    return { home: this.#home, projectDir, startDir: this.#startDir, cwd, checkoutDir, extraDirs }
  }
}

/** Servers and searches say so too, and still need a permission. */
function saysReadOnly(tool: string | Tool, input: JsonObject): boolean {
  if (typeof tool === 'string' || /^(mcp__|WebSearch$)/.test(tool.name)) return false
  return declareCall(tool, input).isReadOnly
}

function aliasesOf(tool: string | Tool): readonly string[] {
  return typeof tool === 'string' ? [] : (tool.aliases ?? [])
}

function namesOf(tool: string | Tool): readonly string[] {
  return typeof tool === 'string' ? [tool] : [tool.name, ...aliasesOf(tool)]
}
