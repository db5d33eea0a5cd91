import { rm } from 'node:fs/promises'
import { delimiter, dirname } from 'node:path'
import process from 'node:process'
import type { PermissionDecision } from '@x/contract'
import { startScriptedServer } from '@x/model-anthropic/testing'
import { query } from '@x/session'
import { createLiveView, type LiveView } from '../live/view.ts'
import { watchSignals } from '../signals.ts'
import { createProject } from './project.ts'
import { script, task } from './script.ts'
import { type Verification, verifyProject } from './verify.ts'

/** Shows the main job offline: a scripted model on loopback, real tools on a real temporary project. Resolves with the exit code. */
export async function runDemo(argv: readonly string[]): Promise<number> {
  if (argv.length > 0) return explainDemo(argv)
  say('x demo: offline. The model is a script on 127.0.0.1; HTTP, streaming, tools and project are real.\n')
  const folder = await createProject()
  const before = await verifyProject(folder)
  say(`Project: a login page in ${folder}; ${before.failed} of ${before.passed + before.failed} tests fail.`)
  say(`> ${task}\n`)
  await using server = await startScriptedServer({ script })
  const view = createLiveView({ stream: process.stdout })
  const exitCode = await work(folder, server.url, view)
  const after = await verifyProject(folder)
  say(`\nVerified without the model: ${describe(after)}`)
  say(`\nWho ran when (─ the model speaks, █ a call runs)\n${view.timeline().join('\n')}`)
  if (exitCode === undefined)
    say('\nOn your own project, with ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL set:  npm start -- "your task"')
  await rm(folder, { recursive: true, force: true })
  return exitCode ?? (after.isFixed && after.failed === 0 ? 0 : 1)
}

const usage = `x demo
  Shows a small job on a temporary project, offline: the model is a script, all the rest is real. It takes no arguments.
`

function explainDemo([word]: readonly string[]): number {
  const isHelp = word === '--help' || word === '-h'
  const stream = isHelp ? process.stdout : process.stderr
  stream.write(usage)
  return isHelp ? 0 : 1
}

/** Lets the agent work; resolves with the exit code that a signal asks for, if one came. */
async function work(folder: string, url: string, view: LiveView): Promise<number | undefined> {
  const path = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)
  const running = query({
    prompt: task,
    options: {
      cwd: folder,
      env: { ...process.env, PATH: path, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: undefined },
      permissionMode: 'acceptEdits',
      allowedTools: ['Bash(node --test)'],
      includePartialMessages: true,
      onDecision: (call, decision) => sayDecision(call.tool.name, decision),
    },
  })
  using signals = watchSignals(running)
  for await (const event of running) {
    signals.saw(event)
    view.event(event)
  }
  return signals.exitCode
}

/** Reads need no decision worth a line; what changes something says why it may. */
function sayDecision(toolName: string, { behavior, reason }: PermissionDecision): void {
  if (toolName === 'Edit' || toolName === 'Bash')
    say(`  permission: ${toolName} ${behavior === 'allow' ? 'allowed' : 'denied'}: ${reason.detail}`)
}

function describe({ passed, failed, isFixed }: Verification): string {
  if (failed === 0 && isFixed) return `src/login.js is fixed, ${passed} of ${passed} tests pass.`
  return `src/login.js is ${isFixed ? 'fixed' : 'not fixed'}, ${failed} of ${passed + failed} tests fail.`
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
