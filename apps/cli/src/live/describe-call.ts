import { relative } from 'node:path'
import { toLine } from './paint.ts'

const maxWidth = 70

/** Says in a few words what a call is about. */
export function describeCall(toolName: string, input: unknown, cwd: string): string {
  const fields = isObject(input) ? input : {}
  switch (toolName) {
    case 'Grep':
      return toLine(`"${text(fields['pattern'])}" ${place(fields, cwd)}`, maxWidth)
    case 'Glob':
      return toLine(`${text(fields['pattern'])} ${place(fields, cwd)}`, maxWidth)
    case 'Bash':
      return toLine(text(fields['command']), maxWidth)
    case 'Read':
    case 'Write':
    case 'Edit':
      return toLine(shortPath(text(fields['file_path']), cwd), maxWidth)
    case 'Agent':
      return toLine(`${text(fields['description'])}${typeOf(fields)}`, maxWidth)
    case 'NotebookEdit':
      return toLine(shortPath(text(fields['notebook_path']), cwd), maxWidth)
    default:
      return toLine(JSON.stringify(fields), maxWidth)
  }
}

/** A path as a person would say it: relative where it is below the working folder. */
function shortPath(path: string, cwd: string): string {
  const way = relative(cwd, path)
  return path.startsWith('/') && way !== '' && !way.startsWith('..') ? way : path
}

function place({ path }: Readonly<Record<string, unknown>>, cwd: string): string {
  return typeof path === 'string' ? `in ${shortPath(path, cwd)}` : ''
}

function typeOf({ subagent_type: type }: Readonly<Record<string, unknown>>): string {
  return typeof type === 'string' ? ` (${type})` : ''
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
