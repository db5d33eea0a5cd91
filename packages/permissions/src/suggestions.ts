import type { OpenPart, Suggestable } from './checker.ts'
import { toPermissionMode } from './mode.ts'
import { parseRule } from './parse-rule.ts'
import type { PermissionUpdate } from './permission-update.ts'
import type { Suggestion } from './verdict.ts'

/** More rules than this cannot be shown in one question. */
const maxRules = 5

/** The smallest changes that cover exactly what was not covered; none if some part has none. */
export function toSuggestions(open: readonly OpenPart[]): readonly Suggestion[] {
  const found = open.map(({ suggestion }) => suggestion)
  const all = [...new Map(found.flatMap((one) => (one ? [[one.text, one]] : []))).values()]
  if (all.length === 0 || all.length > maxRules || found.includes(undefined)) return []
  return all.flatMap((one) => {
    const update = toUpdate(one)
    return update ? [{ update, text: one.text, alsoAllows: one.alsoAllows }] : []
  })
}

function toUpdate({ kind, text }: Suggestable): PermissionUpdate | undefined {
  if (kind === 'directory') return { type: 'addDirectories', directories: [text], destination: 'session' }
  if (kind === 'mode') {
    const mode = toPermissionMode(text)
    return mode && { type: 'setMode', mode, destination: 'session' }
  }
  const rule = parseRule(text)
  if (!rule.ok) return undefined
  const { toolName, specifier } = rule
  return {
    type: 'addRules',
    rules: [specifier === undefined ? { toolName } : { toolName, ruleContent: specifier }],
    behavior: 'allow',
    destination: kind === 'session-rule' ? 'session' : 'localSettings',
  }
}
