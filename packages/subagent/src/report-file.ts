import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreReport } from './cut-report.ts'

/** Keeps reports as files in a new temporary folder, readable by their owner only. The folder is made when first needed. */
export function createReportFiles(): StoreReport {
  let folder: Promise<string> | undefined
  let count = 0
  return async (agentId, text) => {
    folder ??= mkdtemp(join(tmpdir(), 'x-agents-'))
    count += 1
    const path = join(await folder, `${agentId.replaceAll(/[^\w-]/g, '_')}-${count}.txt`)
    await writeFile(path, text, { mode: 0o600 })
    return { path }
  }
}
