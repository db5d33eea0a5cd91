import { hostname } from 'node:os'
import { identifySelf, isProcessAlive, type ProcessIdentity } from '@x/process'

/** The process that holds a lock. */
export interface LockOwner extends ProcessIdentity {
  /** The machine or container: an id means nothing elsewhere. */
  readonly host: string
}

/** This process as an owner. */
export function ownOwner(): LockOwner {
  return { ...identifySelf(), host: ownHost() }
}

/** Is it this very process? */
export function isSelf({ pid, started, host }: LockOwner): boolean {
  const self = ownOwner()
  return pid === self.pid && started === self.started && host === self.host
}

/** Does the process live? `unknown` when it ran on another machine. */
export function lifeOf(owner: LockOwner): 'alive' | 'dead' | 'unknown' {
  if (owner.host !== ownHost()) return 'unknown'
  return isProcessAlive(owner) ? 'alive' : 'dead'
}

/** As one word, as a lock is a line of words. */
function ownHost(): string {
  return hostname().replace(/[^A-Za-z0-9._-]/g, '-')
}
