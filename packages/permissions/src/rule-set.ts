import { firstWordOf } from './command-pattern.ts'
import { compileRule } from './compile-rule.ts'
import type { CompiledRule } from './compiled-rule.ts'
import { createPathIndex, type PathIndex } from './path-index.ts'
import type { PermissionRule, RuleBehavior, RuleProblem } from './rule.ts'
import { ruleBehaviors } from './rule.ts'
import { canonicalName, serverOf } from './tool-names.ts'
import { compileWildcard, type Wildcard } from './wildcard.ts'

/** Many rules, compiled once, found by the name of the tool. */
export interface RuleSet {
  /** What the user should be told about them. */
  readonly problems: readonly RuleProblem[]
  /** All rules as written, those with problems too. */
  readonly rules: readonly PermissionRule[]
  /** The rules that speak about a tool, in the order of the list. */
  of(behavior: RuleBehavior, toolName: string): readonly CompiledRule[]
  /** The one that speaks about every call of the tool. */
  bare(behavior: RuleBehavior, toolName: string): CompiledRule | undefined
  /** Those about one field of the input. */
  ofFields(behavior: RuleBehavior, toolName: string): readonly CompiledRule[]
  /** Those about files. */
  ofPaths(behavior: RuleBehavior, toolName: string): PathIndex
  /** Those of them about shell commands that may match a command with this beginning. */
  ofCommand(behavior: RuleBehavior, toolName: string, command: string): readonly CompiledRule[]
}

/** Compiles rules and sorts them by tool, so that a call meets only those that may speak about it. */
export function createRuleSet(rules: readonly PermissionRule[], isNarrow = false): RuleSet {
  const shelves = { allow: createShelf(), deny: createShelf(), ask: createShelf() }
  const problems: RuleProblem[] = []
  for (const rule of rules) {
    const { compiled, warning } = compileRule(rule, isNarrow)
    if (warning !== undefined) problems.push({ rule, message: warning })
    if (compiled) addTo(shelves[rule.behavior], compiled)
  }
  for (const behavior of ruleBehaviors) indexCommands(shelves[behavior])
  return {
    problems,
    rules,
    of: (behavior, toolName) => findByName(shelves[behavior], canonicalName(toolName)),
    bare: (behavior, toolName) => factsOf(shelves[behavior], canonicalName(toolName)).bare,
    ofFields: (behavior, toolName) => factsOf(shelves[behavior], canonicalName(toolName)).fields,
    ofPaths: (behavior, toolName) => factsOf(shelves[behavior], canonicalName(toolName)).paths,
    ofCommand: (behavior, toolName, command) => {
      const index = shelves[behavior].commands.get(canonicalName(toolName))
      if (!index) return []
      const named = index.byWord.get(firstWordOf(command))
      return named === undefined ? index.open : [...named, ...index.open]
    },
  }
}

interface Shelf {
  readonly named: Map<string, CompiledRule[]>
  readonly globs: { readonly name: Wildcard; readonly rule: CompiledRule }[]
  readonly commands: Map<string, CommandIndex>
  readonly facts: Map<string, Facts>
}

interface Facts {
  readonly bare: CompiledRule | undefined
  readonly fields: readonly CompiledRule[]
  readonly paths: PathIndex
}

interface CommandIndex {
  readonly byWord: Map<string, CompiledRule[]>
  readonly open: CompiledRule[]
}

function createShelf(): Shelf {
  return { named: new Map(), globs: [], commands: new Map(), facts: new Map() }
}

function addTo(shelf: Shelf, compiled: CompiledRule): void {
  const { toolName } = compiled
  // `mcp__server__*` is another word for `mcp__server`.
  const name = /^mcp__[^*]+__\*$/.test(toolName) ? toolName.slice(0, -3) : toolName
  if (name.includes('*')) shelf.globs.push({ name: compileWildcard(name), rule: compiled })
  else append(shelf.named, name, compiled)
}

function indexCommands(shelf: Shelf): void {
  for (const [name, rules] of shelf.named) {
    const index: CommandIndex = { byWord: new Map(), open: [] }
    for (const rule of rules) {
      if (rule.matcher.kind !== 'command') continue
      const { firstWord } = rule.matcher.pattern
      if (firstWord !== undefined) append(index.byWord, firstWord, rule)
      else index.open.push(rule)
    }
    if (index.byWord.size > 0 || index.open.length > 0) shelf.commands.set(name, index)
  }
}

function findByName(shelf: Shelf, name: string): readonly CompiledRule[] {
  const server = serverOf(name)
  const globs = shelf.globs.filter((glob) => glob.name.matches(name)).map(({ rule }) => rule)
  const ofServer = server !== undefined && server !== name ? (shelf.named.get(server) ?? []) : []
  const own = shelf.named.get(name) ?? []
  return globs.length + ofServer.length === 0 ? own : [...own, ...ofServer, ...globs]
}

/** What every call asks about a tool, found once. */
function factsOf(shelf: Shelf, name: string): Facts {
  const known = shelf.facts.get(name)
  if (known) return known
  const rules = findByName(shelf, name)
  const facts = {
    bare: rules.find(({ matcher }) => matcher.kind === 'any'),
    fields: rules.filter(({ matcher }) => matcher.kind === 'field'),
    paths: createPathIndex(rules),
  }
  shelf.facts.set(name, facts)
  return facts
}

function append(map: Map<string, CompiledRule[]>, key: string, rule: CompiledRule): void {
  const list = map.get(key)
  if (list) list.push(rule)
  else map.set(key, [rule])
}
