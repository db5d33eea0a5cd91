import { z } from 'zod'
import { toPermissionMode } from './mode.ts'
import { parseRule } from './parse-rule.ts'

const rule = z.string().refine((text) => parseRule(text).ok, {
  error: ({ input }) => {
    const parsed = typeof input === 'string' ? parseRule(input) : undefined
    return parsed && !parsed.ok ? parsed.message : 'must be Tool or Tool(specifier)'
  },
})

/**
 * The schema of the key `permissions` of a settings file. It changes nothing and keeps unknown keys; each entry of a list
 * is checked for itself, so that one that is wrong costs no other.
 */
export const permissionsSection = z.looseObject({
  /** Calls that need no question. */
  allow: z.array(rule).optional(),
  /** Calls that never run. */
  deny: z.array(rule).optional(),
  /** Calls that are asked about, in every mode. */
  ask: z.array(rule).optional(),
  /** The mode a session begins in. */
  defaultMode: z
    .string()
    .refine((name) => toPermissionMode(name) !== undefined, {
      error: 'must be default, acceptEdits, plan, auto, dontAsk or bypassPermissions',
    })
    .optional(),
  /** Folders beside the project whose files may be used. */
  additionalDirectories: z.array(z.string().min(1)).optional(),
  /** Takes the mode bypassPermissions away. */
  disableBypassPermissionsMode: z.literal('disable').optional(),
  /** Takes the mode auto away. */
  disableAutoMode: z.literal('disable').optional(),
})
