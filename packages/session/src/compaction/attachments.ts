import { readFile, stat } from 'node:fs/promises'
import type { TaskRegistry, TextBlock } from '@x/contract'
import type { SessionFileCache } from '@x/tools-files'

/** Most files that are attached again, and most characters of each. */
const maxFiles = 5
const maxFileChars = 8_000
/** A larger file is named and not read. In bytes. */
const maxFileBytes = 1_000_000

/** What a conversation was at work on. */
export interface Work {
  readonly files: Pick<SessionFileCache, 'recent'>
  readonly tasks: TaskRegistry
  /** Rules keep the file from it. */
  readonly isHidden: (path: string) => boolean
  /** The agent whose conversation it is. @default the main one */
  readonly owner?: string | undefined
}

/** What the model needs when its conversation has become a summary: the files it worked on last, and what it runs in the background. */
export async function attachWork({ files, tasks, isHidden, owner }: Work): Promise<readonly TextBlock[]> {
  const paths = files
    .recent()
    .filter((path) => !isHidden(path))
    .slice(0, maxFiles)
  const shown = await Promise.all(paths.map(showFile))
  return [...shown.flatMap((text) => text ?? []), ...showTasks(tasks, owner)].map((text) => ({
    type: 'text',
    text,
  }))
}

async function showFile(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path)
    if (size > maxFileBytes) return `You worked on ${path}; it is large, read the part you need.`
    const content = (await readFile(path, 'utf8')).toWellFormed()
    const isCut = content.length > maxFileChars
    const shown = isCut ? content.slice(0, maxFileChars).toWellFormed() : content
    const note = isCut ? `\n[cut after ${maxFileChars} characters; Read gives the rest]` : ''
    return `You worked on ${path}. It now holds:\n${shown}${note}`
  } catch {
    // A file that is gone is no news worth a line.
    return undefined
  }
}

function showTasks(tasks: TaskRegistry, owner: string | undefined): readonly string[] {
  const running = tasks.list().filter(({ end, task }) => end === undefined && task.agentId === owner)
  if (running.length === 0) return []
  const lines = running.map(({ task }) => `- ${task.id}: ${task.description} (output: ${task.outputFile})`)
  return [`Still running in the background:\n${lines.join('\n')}`]
}
