import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FILES_PER_FOLDER = 20
const LINES = 40
/** Lines of each file that hold the frequent word. */
const FREQUENT = 16
/** One file in so many holds the rare word. */
const RARITY = 97

/** Makes a tree of source files; the first of them holds `extra` more lines with the frequent word. */
export function makeTree(files: number, extra = 0): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'search-bench-'))
  for (let index = 0; index < files; index += 1) {
    const part = Math.floor(index / FILES_PER_FOLDER)
    const folder = join(path, `area${part % 20}`, `part${part}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `file${index}.${index % 3 === 0 ? 'md' : 'ts'}`), makeText(index, extra))
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

function makeText(index: number, extra: number): string {
  const lines = Array.from(
    { length: LINES },
    (_, line) => `  ${line < FREQUENT ? 'frequent' : 'other'}(${index}, ${line})`,
  )
  if (index % RARITY === 0) lines.push('a rare word')
  if (index === 0) lines.push(...Array.from({ length: extra }, () => 'frequent'))
  return `${lines.join('\n')}\n`
}
