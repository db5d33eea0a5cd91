import { spawnSync } from 'node:child_process'

/** Ends a process and its children on Windows, where there is neither a group nor a polite signal. Not yet tried on Windows. */
export function killTreeOnWindows(pid: number): void {
  spawnSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
}
