/** The parts of a rule text. */
export interface RuleParts {
  /** The name of the tool, as written. */
  readonly toolName: string
  /** What stands in the parentheses; absent for a rule about every call. */
  readonly specifier?: string
}

/** A rule text in its parts, or what is wrong with it. */
export type ParsedRule =
  | ({
      /** It is a rule. */
      readonly ok: true
    } & RuleParts)
  | {
      /** It is none. */
      readonly ok: false
      /** Why, and what to write. */
      readonly message: string
    }

/**
 * Reads `Tool` or `Tool(specifier)`: the name goes to the first parenthesis, the specifier to the last. An empty
 * specifier and `*` are the bare name. Never throws.
 *
 * @example
 * parseRule('Bash(npm run test:unit)') // { ok: true, toolName: 'Bash', specifier: 'npm run test:unit' }
 */
export function parseRule(text: string): ParsedRule {
  const trimmed = text.trim()
  const open = trimmed.indexOf('(')
  const toolName = (open < 0 ? trimmed : trimmed.slice(0, open)).trimEnd()
  if (toolName === '') return wrong(text, 'it names no tool')
  if (/[\s,"'`]/.test(toolName) && open >= 0) return wrong(text, 'the name of a tool has no blanks or quotes')
  if (open < 0) {
    return trimmed.includes(')') ? wrong(text, 'a parenthesis is never opened') : { ok: true, toolName }
  }
  if (!trimmed.endsWith(')')) return wrong(text, 'the last character must be the closing parenthesis')
  const specifier = trimmed.slice(open + 1, -1)
  const isBare = specifier.trim() === '' || specifier.trim() === '*'
  return isBare ? { ok: true, toolName } : { ok: true, toolName, specifier }
}

function wrong(text: string, why: string): ParsedRule {
  return {
    ok: false,
    message: `${JSON.stringify(text)} is not a permission rule: ${why}. Write Tool or Tool(specifier).`,
  }
}

/** Writes a rule text; the inverse of `parseRule`. */
export function formatRule({ toolName, specifier }: RuleParts): string {
  return specifier === undefined ? toolName : `${toolName}(${specifier})`
}

/**
 * Splits the value of `--allowedTools`: rules apart by commas or blanks; those inside parentheses belong to the rule.
 *
 * @example
 * splitRuleList('Read, Bash(git log *) Edit') // ['Read', 'Bash(git log *)', 'Edit']
 */
export function splitRuleList(text: string): readonly string[] {
  const rules: string[] = []
  let depth = 0
  let current = ''
  for (const character of text) {
    if (character === '(') depth += 1
    if (character === ')') depth = Math.max(0, depth - 1)
    const separates = depth === 0 && /[\s,]/.test(character)
    if (!separates) current += character
    else if (current !== '') rules.push(current)
    if (separates) current = ''
  }
  return current === '' ? rules : [...rules, current]
}
