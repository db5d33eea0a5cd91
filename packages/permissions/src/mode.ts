/** The documented permission modes. */
export const permissionModes = [
  'default',
  'acceptEdits',
  'plan',
  'auto',
  'dontAsk',
  'bypassPermissions',
] as const

/**
 * What may run without asking.
 *
 * - `default`: what only reads inside the working directories.
 * - `acceptEdits`: edits and simple file commands inside them too.
 * - `plan`: only what reads, and the plan file.
 * - `auto`: rules, reads and edits inside; a classifier decides about the rest, or the user where there is none.
 * - `dontAsk`: what rules allow and what reads; the rest is denied, nobody is asked.
 * - `bypassPermissions`: everything that no deny rule, ask rule or critical removal stops.
 */
export type PermissionMode = (typeof permissionModes)[number]

/** Reads the name of a mode; `manual` is another word for `default`. Undefined for anything else. */
export function toPermissionMode(value: unknown): PermissionMode | undefined {
  if (value === 'manual') return 'default'
  return permissionModes.find((mode) => mode === value)
}
