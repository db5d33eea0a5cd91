/** The documented permission modes. */
export const permissionModes = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const

/**
 * What may run without asking. `default`: what only reads. `acceptEdits`: edits inside the working directories too.
 * `plan`: only what reads. `dontAsk`: as `default`, and nobody is asked about the rest. `bypassPermissions`: everything.
 */
export type PermissionMode = (typeof permissionModes)[number]

/** Tells whether a text names a permission mode. */
export function isPermissionMode(value: unknown): value is PermissionMode {
  return permissionModes.some((mode) => mode === value)
}
