import type { Question } from './checker.ts'

/** Commands that destroy what cannot be brought back. The text alone cannot prove it, so it is only a warning. */
const losses: readonly (readonly [pattern: RegExp, warning: string])[] = [
  [/\brm\s+(-\S*\s+)*-\S*[rRf]/, 'may remove files for good'],
  [/\bgit\s+(\S+\s+)*?reset\s+(\S+\s+)*--hard/, 'may discard changes that are not committed'],
  [/\bgit\s+(\S+\s+)*?clean\s+(\S+\s+)*-\S*f/, 'may remove files that git does not know'],
  [/\bgit\s+(\S+\s+)*?push\s+(\S+\s+)*(-f\b|--force)/, 'may overwrite commits of others'],
  [
    /\bgit\s+(\S+\s+)*?(checkout|restore)\s+(\S+\s+)*(--\s|\.(\s|$))/,
    'may discard changes that are not committed',
  ],
  [/\bgit\s+(\S+\s+)*?branch\s+(\S+\s+)*-D\b/, 'may remove commits that are not merged'],
  [/\bgit\s+(\S+\s+)*?stash\s+(drop|clear)/, 'may discard what was put aside'],
  [/\b(mkfs\S*|dd|shred|truncate)\s/, 'may overwrite data for good'],
  [/\bDROP\s+(TABLE|DATABASE|SCHEMA)\b/i, 'may remove data for good'],
  [/\bterraform\s+destroy|\bkubectl\s+delete|\bdocker\s+(system|volume)\s+prune/, 'may remove what runs'],
  [/\bRemove-Item\b.*-(Recurse|Force)/i, 'may remove files for good'],
]

/** What a person should know before saying yes to a shell command. */
export function warnOfLoss({ input }: Question): string | undefined {
  const { command } = input
  if (typeof command !== 'string' || command.length > 2_000) return undefined
  const found = losses.find(([pattern]) => pattern.test(command))
  return found && `This command ${found[1]}.`
}
