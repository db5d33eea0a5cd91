import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file that the hooks of one event append `export` lines to. */
export interface EnvFile extends AsyncDisposable {
  /** Where it is. */
  readonly path: string
  /** What is in it. */
  read(): Promise<string>
}

/** Makes an empty file that only its owner can read; disposing removes it. */
export async function createEnvFile(): Promise<EnvFile> {
  const folder = await mkdtemp(join(tmpdir(), 'hook-env-'))
  const path = join(folder, 'env.sh')
  await writeFile(path, '', { mode: 0o600 })
  return {
    path,
    read: () => readFile(path, 'utf8').catch(() => ''),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
