import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { runProcess } from '@x/process'

/** What was found when the demo looked for itself. */
export interface Verification {
  readonly passed: number
  readonly failed: number
  /** The file that was at fault holds the comparison. */
  readonly isFixed: boolean
}

/** Runs the project's tests and reads the file, whatever the model said. */
export async function verifyProject(folder: string): Promise<Verification> {
  const result = await runProcess(process.execPath, ['--test', '--test-reporter=tap'], { cwd: folder })
  const source = await readFile(join(folder, 'src', 'login.js'), 'utf8')
  return {
    passed: count(result.stdout.text, 'pass'),
    failed: count(result.stdout.text, 'fail'),
    isFixed: source.includes('user.password === password'),
  }
}

function count(tap: string, name: 'pass' | 'fail'): number {
  const [, number = '0'] = new RegExp(`^# ${name} (\\d+)$`, 'm').exec(tap) ?? []
  return Number(number)
}
