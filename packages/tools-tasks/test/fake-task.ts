import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BackgroundTask, TaskEnd, ToolUseContext } from '@x/contract'

/** A task whose end the test decides. */
export function fakeTask(
  overrides: Partial<BackgroundTask> = {},
): BackgroundTask & { end(end: TaskEnd): Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<TaskEnd>()
  return {
    id: 'bash_1',
    type: 'local_bash',
    description: 'dev server',
    command: 'npm run dev',
    toolUseId: 'toolu_1',
    outputFile: '/nowhere/bash_1.output',
    startedAtMs: 0,
    ended: promise,
    async stop() {
      resolve({ status: 'killed', summary: 'stopped' })
    },
    async end(end) {
      resolve(end)
      await new Promise((done) => setImmediate(done))
    },
    ...overrides,
  }
}

/** A context with nothing in it but what the task tools use. */
export function fakeContext(controller = new AbortController()): ToolUseContext {
  return {
    cwd: '/',
    toolUseId: 'toolu_test',
    messages: [],
    options: { tools: [], model: 'test', isNonInteractive: true, projectDir: '/' },
    abortController: controller,
    chain: { id: 'chain', depth: 0 },
    files: { get: () => undefined, set: () => {}, delete: () => {} },
    getState: (key) => key.initial(),
    setState: () => {},
  }
}

/** A folder that is gone when the test ends. */
export class TemporaryFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'x-tools-tasks-'))

  write(name: string, content: string | Uint8Array): string {
    const file = join(this.path, name)
    writeFileSync(file, content)
    return file
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
