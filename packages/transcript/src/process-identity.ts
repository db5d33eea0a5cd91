import { readFileSync } from 'node:fs'

/** Tells one process from all others of this machine, also from a later one with the same number. */
export interface ProcessIdentity {
  /** Its number. */
  readonly pid: number
  /** When it began, in the system's own count; empty where the system does not tell. */
  readonly start: string
  /** Which start of the machine; empty where the system does not tell. */
  readonly boot: string
}

/** The identity of the process that this code runs in. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, start: readStart(process.pid)?.start ?? '', boot: readBoot() }
}

/** Tells whether a process still runs. In doubt (another user's process) it does. */
export function isAlive({ pid, start, boot }: ProcessIdentity): boolean {
  const ownBoot = readBoot()
  if (boot !== '' && ownBoot !== '' && boot !== ownBoot) return false
  if (!exists(pid)) return false
  const now = readStart(pid)
  if (now === undefined) return true
  return !now.hasEnded && (start === '' || start === now.start)
}

function exists(pid: number): boolean {
  // Zero and below stand for groups of processes.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** From `/proc`, where there is one: the fields behind the name, which may hold spaces and brackets itself. */
function readStart(pid: number): { readonly start: string; readonly hasEnded: boolean } | undefined {
  const text = readText(`/proc/${pid}/stat`)
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, start] = [fields[0], fields[19]]
  if (state === undefined || start === undefined) return undefined
  return { start, hasEnded: state === 'Z' || state === 'X' }
}

function readBoot(): string {
  return readText('/proc/sys/kernel/random/boot_id').trim()
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
