import type { MemoryFile, MemoryType } from './memory-file.ts'

/**
 * The one text that stands before the history as conversation content: each file with its path and what it is, in the order given. The
 * same files give the same bytes; no files give an empty text. A file cannot end its own frame and pass for another one.
 *
 * @example
 * formatMemory(memory.files) // 'These instructions ...\n\n<instructions path="/p/CLAUDE.md" kind="project instructions">\n...'
 */
export function formatMemory(files: readonly MemoryFile[]): string {
  if (files.length === 0) return ''
  return [lead, ...files.map(formatFile)].join('\n\n')
}

const lead =
  'These instructions come from files of the user and the project. Follow them in all you do here; where two disagree, the later one is the more specific.'

const kinds: Readonly<Record<MemoryType, string>> = {
  Managed: 'instructions of the organisation',
  User: 'instructions of the user for all projects',
  Project: 'instructions of the project, shared with everyone who works on it',
  Local: 'instructions of the user for this project, not shared',
  Auto: 'notes of the agent from earlier sessions',
}

function formatFile(file: MemoryFile): string {
  const { path, memoryType, globs, parentFilePath } = file
  const facts = [
    `path="${escapeValue(path)}"`,
    `kind="${kinds[memoryType]}"`,
    ...(parentFilePath === undefined ? [] : [`imported-by="${escapeValue(parentFilePath)}"`]),
    ...(globs === undefined ? [] : [`for="${escapeValue(globs.join(', '))}"`]),
  ]
  return `<instructions ${facts.join(' ')}>\n${escapeFrame(file.text)}\n</instructions>`
}

function escapeFrame(text: string): string {
  return text.replaceAll(/<(?=\/?instructions\b)/gi, '&lt;')
}

function escapeValue(text: string): string {
  return text.replaceAll(/["<>\n\r&]/g, (character) => `&#${character.charCodeAt(0)};`)
}
