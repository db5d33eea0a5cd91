import { release } from 'node:os'

/** Describes where an agent works: folder, platform and date. */
export function describePlace(cwd: string): string {
  const lines = [
    `Working folder: ${cwd}`,
    `Platform: ${process.platform} (${release()})`,
    `Date: ${new Date().toISOString().slice(0, 10)}`,
  ]
  return `Environment\n${lines.map((line) => `- ${line}`).join('\n')}`
}
