import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  BackgroundTask,
  FileReadState,
  TaskEnd,
  TaskRegistry,
  ToolResult,
  ToolUseContext,
} from '@x/contract'
import {
  type BashInput,
  type BashProgress,
  type BashResult,
  type BashToolOptions,
  createBashTool,
} from '@x/tools-shell'

/** A new temporary folder; `using` removes it. */
export function temporaryFolder(): { readonly path: string; file(name: string): string } & Disposable {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'tools-shell-')))
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}

/** A registry that only keeps what it is given. */
export function fakeRegistry(): TaskRegistry & {
  readonly tasks: BackgroundTask[]
  readonly ends: TaskEnd[]
} {
  const tasks: BackgroundTask[] = []
  const ends: TaskEnd[] = []
  return {
    tasks,
    ends,
    nextId: (prefix) => `${prefix}_${tasks.length + 1}`,
    add(task) {
      tasks.push(task)
      void task.ended.then((end) => ends.push(end))
    },
    report() {},
    get: (id) => tasks.filter((task) => task.id === id).map((task) => ({ task }))[0],
    list: () => tasks.map((task) => ({ task })),
    subscribe: () => () => {},
    takeNotices: () => [],
    stopAll: async () => void (await Promise.all(tasks.map((task) => task.stop()))),
  }
}

/** What a session is made of in a test. */
export interface SessionOptions extends Omit<BashToolOptions, 'outputFolder'> {
  readonly outputFolder?: string | undefined
  readonly env?: Readonly<Record<string, string>>
  readonly additionalDirectories?: readonly string[]
  readonly agent?: { readonly id: string; readonly type: string }
}

/** A session with a Bash tool in a folder: context modifiers move it, as the executor would. */
export function createSession(projectDir: string, options: SessionOptions = {}) {
  const { env, additionalDirectories, agent, outputFolder, ...toolOptions } = options
  const folder = 'outputFolder' in options ? outputFolder : join(projectDir, '.out')
  const tool = createBashTool({
    usesStartupFile: false,
    killGraceMs: 100,
    settleMs: 60,
    ...(folder !== undefined && { outputFolder: folder }),
    ...toolOptions,
  })
  const known = new Map<string, FileReadState>()
  let context = {
    cwd: projectDir,
    toolUseId: 'toolu_1',
    messages: [],
    options: {
      tools: [],
      model: 'm',
      isNonInteractive: true,
      projectDir,
      ...(env && { env }),
      ...(additionalDirectories && { additionalDirectories }),
    },
    abortController: new AbortController(),
    ...(agent && { agent }),
    chain: { id: 'c', depth: 0 },
    files: {
      get: (path: string) => known.get(path),
      set: (path: string, state: FileReadState) => void known.set(path, state),
      delete: (path: string) => void known.delete(path),
    },
    getState: <Value>(key: { initial(): Value }) => key.initial(),
    setState: () => {},
  } satisfies ToolUseContext as ToolUseContext
  const progress: BashProgress[] = []
  const call = async (
    input: BashInput,
    abortController = new AbortController(),
  ): Promise<ToolResult<BashResult> & { readonly text: string }> => {
    const result = await tool.call(
      input,
      { ...context, abortController },
      async () => ({ behavior: 'allow', reason: { type: 'mode', detail: 'test' } }),
      { role: 'assistant', content: [] },
      (report) => progress.push(report),
    )
    context = result.contextModifier?.(context) ?? context
    const { content } = tool.mapResult(result.data, 'toolu_1')
    return { ...result, text: typeof content === 'string' ? content : JSON.stringify(content) }
  }
  return {
    tool,
    call,
    /** Runs a command and returns what the model would read. */
    text: async (command: string, more: Partial<BashInput> = {}) => (await call({ command, ...more })).text,
    known,
    progress,
    cwd: () => context.cwd,
  }
}
