import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** At most this much of one result is kept. In bytes. */
const maxStoredBytes = 64 * 1024 * 1024

/** Keeps a result that is too large for the conversation; tells where. */
export type StoreResult = (toolUseId: string, text: string) => Promise<{ readonly path: string }>

/** Keeps large results as `<home>/tool-results/<call id>.txt`, readable by their owner only. The folder is made when first needed. */
export function createResultStore(home: () => string): StoreResult {
  return async (toolUseId, text) => {
    const folder = resultFolder(home())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${toFileName(toolUseId)}.txt`)
    await writeFile(path, cut(text), { mode: 0o600 })
    return { path }
  }
}

/** Where the results of a session are kept that are too large, or no text. `home` is the folder of the session. */
export function resultFolder(home: string): string {
  return join(home, 'tool-results')
}

/** The id comes from the model: only harmless characters become part of a path. */
function toFileName(id: string): string {
  const safe = id.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 100)
  return safe === '' ? 'result' : safe
}

function cut(text: string): string | Buffer {
  if (text.length * 3 <= maxStoredBytes) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= maxStoredBytes) return bytes
  // Back to the start of a character: a file must not end in half of one.
  let end = maxStoredBytes
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end)
}
