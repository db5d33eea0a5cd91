import { execFileSync } from 'node:child_process'
import type { SessionEvent } from '@x/contract'
import { type RecordedRequest, startScriptedServer, type text, toolUse } from '@x/model-anthropic/testing'
import { Cli } from './cli.ts'

/** One part of a scripted answer. */
export type Reply = ReturnType<typeof text>

/** Everything is allowed. */
export const all = ['--permission-mode', 'bypassPermissions']

/**
 * The program against a model that answers by what a conversation was begun with: several conversations run side by side. A conversation
 * is found by a part of its first prompt; each has its answers in order.
 */
export async function startCli(
  answers: Readonly<Record<string, readonly (readonly Reply[])[]>>,
  files: Readonly<Record<string, object | string>> = {},
): Promise<Cli> {
  const server = await startScriptedServer({
    respond(request) {
      const key = Object.keys(answers).find((name) => firstPrompt(request).includes(name)) ?? ''
      const turn = request.body.messages.filter(({ role }) => role === 'assistant').length
      return [...(answers[key]?.[turn] ?? [])]
    },
  })
  const cli = new Cli(server, {})
  for (const [name, content] of Object.entries(files)) cli.write(name, content)
  return cli
}

/** The requests of the conversations that began with this. */
export function requestsOf(cli: Cli, prompt: string): readonly RecordedRequest[] {
  return cli.server.requests.filter((request) => firstPrompt(request).includes(prompt))
}

function firstPrompt({ body }: RecordedRequest): string {
  return JSON.stringify(body.messages[0]?.content ?? '')
}

/** A call that starts an agent. */
export function agentCall(prompt: string, type = 'general-purpose', more: object = {}): Reply {
  return toolUse('Agent', { description: 'a task', prompt, subagent_type: type, ...more })
}

/** The text of an agent file. */
export function agentFile(name: string, prompt: string, more = ''): string {
  return `---\nname: ${name}\ndescription: For tests\n${more}---\n${prompt}\n`
}

/** Runs git in a folder. */
export function git(cwd: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'init.defaultBranch=main']
  return execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8' })
}

/** Makes a repository of the folder, with all that is in it but the state of the program. */
export function makeRepository(cli: Cli): void {
  cli.write('.gitignore', '.x\nhome\n*.pid\n')
  git(cli.cwd, 'init', '-q')
  git(cli.cwd, 'add', '.')
  git(cli.cwd, 'commit', '-qm', 'first')
}

/** What the records say to the user. */
export function noticesIn(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'system' && event.subtype === 'informational' ? String(event['content']) : [],
  )
}
