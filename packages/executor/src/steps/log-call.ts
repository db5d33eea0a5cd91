import type { Run } from '../run.ts'

/** Lets the host write a call that may change something down before it begins. One that cannot be written down does not run. */
export function logCall({ call, kit }: Run): Promise<void> | undefined {
  const { beforeEffects } = kit.options
  if (beforeEffects === undefined || call.declared.isReadOnly) return undefined
  return beforeEffects(call.id, call.parentMessage)
}
