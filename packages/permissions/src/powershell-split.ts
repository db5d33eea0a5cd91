/** A PowerShell script in its commands. */
export interface PowerShellParts {
  /** The commands, between `|`, `;`, line ends, `&&` and `||`. */
  readonly commands: readonly string[]
  /** Whether that is all that it runs: no nested script, no expansion that hides a name. */
  readonly isUnderstood: boolean
}

/** Nested scripts, calls by value, escapes, redirections, and cmdlets that run text. */
const strange =
  /[`{}()<>&]|\$\(|@\(|^\s*[.$"'@[\\]|^\s*(?:iex|icm|invoke-(?:expression|command)|start-process|saps|start|set-alias|sal|new-alias|nal|pwsh|powershell|cmd)(?:\.exe)?(?:\s|$)|\s-(?:enc\w*|command|c)\s/i

/** Splits a script; quotes hold their text together. */
export function splitPowerShell(script: string): PowerShellParts {
  const { commands, isClosed } = cut(script)
  const outside = commands.map((command) => command.replaceAll(/'[^']*'|"[^"$`]*"/g, 'x'))
  const isPlain = !commands.some((command) => /^["'&.]/.test(command))
  return {
    commands,
    isUnderstood:
      isClosed && isPlain && script.length <= 10_000 && !outside.some((part) => strange.test(part)),
  }
}

/** Quoted text, a sign that separates, or anything else. */
const piece = /"[^"]*"|'[^']*'|&&|\|\|?|[;\n\r]|[^"'&|;\n\r]+|./gs

function cut(script: string): { commands: string[]; isClosed: boolean } {
  const commands = ['']
  let isClosed = true
  for (const [text] of script.matchAll(piece)) {
    if (/^(&&|\|\|?|[;\n\r])$/.test(text)) commands.push('')
    else commands.push((commands.pop() ?? '') + text)
    if (text === '"' || text === "'") isClosed = false
  }
  return { commands: commands.map((command) => command.trim()).filter((command) => command !== ''), isClosed }
}
