import { spawn } from 'node:child_process'
import { rgPath } from '@vscode/ripgrep'
import type { AssistantMessage, Tool, ToolUseContext } from '@x/contract'
import { createGlobTool, createGrepTool } from '@x/tools-search'
import type { ZodType } from 'zod'
import { makeTree } from './tree.ts'

// Ours beside bare ripgrep with the same work, in turns, so that both meet the same machine. Medians, in milliseconds.

const grep = createGrepTool()
const glob = createGlobTool()
const plain = ['--no-config', '--color=never', '--hidden', '--no-require-git', '--glob=!**/.git']

{
  using tree = makeTree(20_000, 6_000)
  const at = tree.path
  const few = [
    ...plain,
    '--null',
    '--with-filename',
    '--no-heading',
    '--line-number',
    '--column',
    '--regexp=rare',
    '--',
    './',
  ]
  await compare('search 20,000 files', { rounds: 15, target: 1.05 }, [
    () => call(grep, at, { pattern: 'rare', output_mode: 'content' }),
    () => runBare(at, few),
  ])
  await compare('search 20,000 files for paths, newest first', { rounds: 15, target: 1.15 }, [
    () => call(grep, at, { pattern: 'rare' }),
    () => runBare(at, [...plain, '--files-with-matches', '--regexp=rare', '--', './']),
  ])
  await compare(
    'search with 326,000 hits, stopped at the limit, beside reading all',
    { rounds: 9, target: 0.2 },
    [
      () => call(grep, at, { pattern: 'frequent', output_mode: 'content' }),
      () =>
        runBare(at, [
          ...plain,
          '--null',
          '--no-heading',
          '--line-number',
          '--column',
          '--regexp=frequent',
          '--',
          './',
        ]),
    ],
  )
  await compare('glob 20,000 files, newest first, beside ripgrep sorted', { rounds: 15, target: 1.18 }, [
    () => call(glob, at, { pattern: '**/*' }),
    () =>
      runBare(at, [
        '--no-config',
        '--files',
        '--no-ignore',
        '--hidden',
        '--sortr=modified',
        '--glob=**/*',
        './',
      ]),
  ])
}
{
  using tree = makeTree(62)
  const at = tree.path
  await compare('search a small tree (62 files)', { rounds: 60, target: 1.15 }, [
    () => call(grep, at, { pattern: 'rare', output_mode: 'content' }),
    () => runBare(at, [...plain, '--null', '--line-number', '--column', '--regexp=rare', '--', './']),
  ])
}

function call(tool: Tool<ZodType, unknown, never>, cwd: string, input: object): Promise<unknown> {
  const context: ToolUseContext = {
    cwd,
    toolUseId: 'call',
    messages: [],
    options: { tools: [], model: 'none', isNonInteractive: true, projectDir: cwd },
    abortController: new AbortController(),
    chain: { id: 'chain', depth: 0 },
    files: { get: () => undefined, set() {}, delete() {} },
    getState: (key) => key.initial(),
    setState() {},
  }
  const parsed = tool.inputSchema.parse(input)
  const message: AssistantMessage = { role: 'assistant', content: [] }
  return tool.call(
    parsed,
    context,
    async () => ({ behavior: 'allow', reason: { type: 'mode', detail: 'bench' } }),
    message,
    () => {},
  )
}

function runBare(cwd: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(rgPath, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
    child.stdout.on('data', () => {})
    child.on('close', () => resolve())
  })
}

type Work = () => Promise<unknown>

async function compare(
  figure: string,
  { rounds, target }: { readonly rounds: number; readonly target: number },
  [ours, bare]: readonly [Work, Work],
): Promise<void> {
  const times = { ours: [0], bare: [0] }
  times.ours.pop()
  times.bare.pop()
  for (let round = -2; round < rounds; round += 1) {
    const [one, other] = [await time(ours), await time(bare)]
    if (round < 0) continue
    times.ours.push(one)
    times.bare.push(other)
  }
  const result = { ours: middle(times.ours), bare: middle(times.bare) }
  const ratio = result.ours / result.bare
  console.log(
    JSON.stringify({
      bench: 'search',
      figure,
      ours: round2(result.ours),
      bare: round2(result.bare),
      ratio: round2(ratio),
      least: [round2(Math.min(...times.ours)), round2(Math.min(...times.bare))],
      target: `<= ${target} x`,
      ok: ratio <= target,
    }),
  )
}

async function time(work: Work): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
