import type { Tool } from '@x/contract'
import type { BaseContext } from '@x/executor'
import { createFileReadCache } from '@x/tools-files'

/** The smallest context a call can be made from: a folder, some tools, nothing remembered. */
export function createContext(tools: readonly Tool[], cwd = process.cwd()): BaseContext {
  return {
    cwd,
    messages: [],
    options: { tools, model: 'none', isNonInteractive: true, projectDir: cwd },
    chain: { id: 'example', depth: 0 },
    files: createFileReadCache(),
    getState: (key) => key.initial(),
    setState: () => {},
  }
}
