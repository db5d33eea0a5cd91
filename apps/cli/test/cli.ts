import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SessionEvent } from '@x/contract'
import { type ScriptEntry, type ScriptedServer, startScriptedServer } from '@x/model-anthropic/testing'

const main = fileURLToPath(new URL('../dist/main.mjs', import.meta.url))

/** What a run of the program came to. */
export interface RunResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A run that goes on. */
export interface Running {
  readonly child: ChildProcess
  /** What standard output holds so far. */
  seen(): string
  /** Resolves when standard output holds this text. */
  sees(text: string): Promise<void>
  readonly ended: Promise<RunResult>
}

/** Options of a run. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Text for standard input, then its end. Null leaves it open; absent: no standard input. */
  readonly stdin?: string | Buffer | null
  /** A file that standard output goes to. @default it is collected */
  readonly stdoutFile?: string
  /** A folder below the program's own that it starts in. @default its own */
  readonly folder?: string
  /** With a terminal on both ends, made by `script`. @default pipes */
  readonly isTerminal?: boolean
}

/** There is a program that makes terminals, of the kind that takes a command. */
export const hasTerminal =
  spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0

/** The built program in a folder of its own, against a scripted model. Both are gone when disposed. */
export class Cli implements AsyncDisposable {
  readonly cwd: string
  readonly server: ScriptedServer

  static async start(
    script: readonly ScriptEntry[] = [],
    files: Readonly<Record<string, string>> = {},
    pieceLength = 8,
  ): Promise<Cli> {
    if (!existsSync(main)) throw new Error('The CLI is not built: run `turbo run build` first.')
    return new Cli(await startScriptedServer({ script, pieceLength }), files)
  }

  constructor(server: ScriptedServer, files: Readonly<Record<string, string>>) {
    this.server = server
    this.cwd = realpathSync(mkdtempSync(join(tmpdir(), 'x-cli-')))
    for (const [name, content] of Object.entries(files)) writeFileSync(join(this.cwd, name), content)
  }

  path(name: string): string {
    return join(this.cwd, name)
  }

  read(name: string): string | undefined {
    return existsSync(this.path(name)) ? readFileSync(this.path(name), 'utf8') : undefined
  }

  /** Writes a file, and the folders it is in; a value becomes JSON. */
  write(name: string, content: object | string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), typeof content === 'string' ? content : JSON.stringify(content))
  }

  /** Starts the program. */
  start(
    args: readonly string[],
    { env = {}, stdin, stdoutFile, folder = '.', isTerminal }: RunOptions = {},
  ): Running {
    const stdout = stdoutFile === undefined ? 'pipe' : openSync(stdoutFile, 'w')
    const { program, words } = toCommand([process.execPath, main, ...args], isTerminal)
    const child = spawn(program, words, {
      cwd: this.path(folder),
      env: {
        ...process.env,
        // Nothing of the person who runs the tests: no settings, no start-up files.
        HOME: this.path('home'),
        CLAUDE_CONFIG_DIR: undefined,
        X_HOME: this.path('.x'),
        ANTHROPIC_BASE_URL: this.server.url,
        ANTHROPIC_API_KEY: 'sk-test-123',
        ...env,
      },
      stdio: [stdin === undefined ? 'ignore' : 'pipe', stdout, 'pipe'],
    })
    if (typeof stdout === 'number') closeSync(stdout)
    if (typeof stdin === 'string' || Buffer.isBuffer(stdin)) child.stdin?.end(stdin)
    return watch(child)
  }

  /** Runs the program to its end. */
  run(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    return this.start(args, options).ended
  }

  /** Runs one prompt with stream-json output; gives the records too. */
  async stream(
    prompt: string,
    ...args: readonly string[]
  ): Promise<RunResult & { readonly events: readonly SessionEvent[] }> {
    const result = await this.run(['-p', prompt, '--output-format', 'stream-json', '--verbose', ...args])
    return { ...result, events: parseLines(result.stdout) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close()
    rmSync(this.cwd, { recursive: true, force: true })
  }
}

function toCommand(command: readonly string[], isTerminal = false) {
  const [program = '', ...words] = command
  if (!isTerminal) return { program, words }
  const quoted = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`)
  return { program: 'script', words: ['-qec', quoted.join(' '), '/dev/null'] }
}

/** The records of a stream-json output. */
export function parseLines(stdout: string): readonly SessionEvent[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): SessionEvent => JSON.parse(line))
}

/** Is a process with this id at work? One that has ended and waits to be collected is not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    const { 1: state } = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}

function watch(child: ChildProcess): Running {
  const output = { stdout: '', stderr: '' }
  const wishes = new Set<{ readonly text: string; readonly grant: () => void }>()
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
    for (const wish of wishes) if (output.stdout.includes(wish.text)) wish.grant()
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  child.stdin?.on('error', () => {})
  const ended = new Promise<RunResult>((resolve) =>
    child.once('close', (code) => resolve({ code, ...output })),
  )
  return {
    child,
    ended,
    seen: () => output.stdout.slice(0, output.stdout.lastIndexOf('\n') + 1),
    sees: (text) =>
      Promise.race([
        new Promise<void>((resolve) => {
          wishes.add({ text, grant: resolve })
          if (output.stdout.includes(text)) resolve()
        }),
        ended.then(({ stdout, stderr }) => {
          if (!stdout.includes(text)) throw new Error(`ended without "${text}": ${stdout}\n${stderr}`)
        }),
      ]),
  }
}
