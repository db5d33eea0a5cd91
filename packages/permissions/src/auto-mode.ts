import { parseRule } from './parse-rule.ts'
import type { PermissionRule } from './rule.ts'
import { canonicalName } from './tool-names.ts'

/** Does auto mode set an allow rule aside because it would allow anything at all? It comes back when the mode ends. */
export function isSetAside({ behavior, text }: PermissionRule): boolean {
  if (behavior !== 'allow') return false
  const rule = parseRule(text)
  if (!rule.ok) return false
  const name = canonicalName(rule.toolName)
  if (name === 'Agent' || name === 'Monitor') return true
  if (name !== 'Bash' && name !== 'PowerShell') return false
  return rule.specifier === undefined || anything.test(rule.specifier.trim())
}

/** Interpreters and package managers with a `*` behind them. */
const anything =
  /^(\*|((python|node|ruby|perl|php|deno|bun|tsx|ts-node|sh|bash|zsh|dash|pwsh|powershell|eval|env|sudo|ssh)[\d.]*|npx|bunx|uvx|(npm|pnpm|yarn|bun|poetry|uv|pipenv|cargo|make|just|task|rake|gradle|mvn)( (run|run-script|exec|dlx|x))?)([ :]?\*|:\*| [^*\n\r\u2028\u2029]*\*.*))$/
