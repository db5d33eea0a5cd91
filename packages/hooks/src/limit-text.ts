import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Characters of one text of a hook that go on as they are. */
export const MAX_TEXT = 10_000

/** Characters that are shown of a longer one. */
const MAX_PREVIEW = 2_000

/** Puts a text that is too long into a file, and gives the path and its beginning in its place. */
export async function limitText(text: string, folder: string): Promise<string> {
  if (text.length <= MAX_TEXT) return text
  const preview = text.slice(0, MAX_PREVIEW).toWellFormed()
  const path = join(folder, `hook-output-${randomUUID()}.txt`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(path, text, { mode: 0o600 })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `The output of the hook is too long (${text.length} characters) and could not be saved: ${reason}. It begins:\n${preview}`
  }
  return `The output of the hook is too long (${text.length} characters); all of it is in ${path}. It begins:\n${preview}`
}
