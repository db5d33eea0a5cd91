import process from 'node:process'
import type { CliArguments } from './arguments.ts'

/** Whether nobody sits at the screen: with `-p`, and where the output goes elsewhere. */
export function isHeadless({ print }: Pick<CliArguments, 'print'>): boolean {
  return print || !process.stdout.isTTY
}
