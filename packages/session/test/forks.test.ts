import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RecordedRequest, startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { collect, requestRows, resultsOf, Scripted } from './scripted.ts'

const isFork = ({ body }: RecordedRequest): boolean =>
  JSON.stringify(body.messages).includes('You are a fork')

/** A conversation that reads a file and then forks twice in one message. */
async function startForking(): Promise<Scripted> {
  const half = (prompt: string) => toolUse('Agent', { description: 'half of it', prompt })
  const turns = [[toolUse('Read', { file_path: 'a.txt' })], [half('Do A.'), half('Do B.')]]
  let turn = 0
  const server = await startScriptedServer({
    respond(request) {
      if (isFork(request)) {
        const isBeginning = JSON.stringify(request.body.messages.at(-1)).includes('You are a fork')
        const edit = toolUse('Edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hullo' })
        return isBeginning ? [edit] : [text('The half is done.')]
      }
      turn += 1
      return turns[turn - 1] ?? [text('Both run.')]
    },
  })
  return new Scripted(server, { 'a.txt': 'hello' })
}

describe('forks', () => {
  it('make requests that begin with the bytes of the request of their parent, so that the service has them cached', async () => {
    await using scripted = await startForking()
    const env = { ...scripted.env, CLAUDE_CODE_FORK_SUBAGENT: '1' }
    const events = await collect(scripted.ask('Main task', { env, permissionMode: 'acceptEdits' }))
    const { requests } = scripted.server
    const parent = requests.filter((request) => !isFork(request))[1]
    const forks = requests.filter(isFork)
    expect(parent).toBeDefined()
    expect(forks.length).toBeGreaterThanOrEqual(4)
    const prefix = parent === undefined ? [] : requestRows(parent)
    expect(prefix.length).toBeGreaterThan(5)
    for (const fork of forks) expect(requestRows(fork).slice(0, prefix.length)).toEqual(prefix)
    // What the parent has read the fork may change.
    expect(scripted.read('a.txt')).toBe('hullo')
    expect(JSON.stringify(requests.at(-1)?.body.messages)).toContain('The half is done.')
    expect(resultsOf(events).at(-1)?.is_error).toBe(false)
  })

  it('are held by rules like every agent, also where the call names no type', async () => {
    await using scripted = await startForking()
    const env = { ...scripted.env, CLAUDE_CODE_FORK_SUBAGENT: '1' }
    await collect(scripted.ask('Main task', { env, disallowedTools: ['Agent(fork)'] }))
    expect(scripted.server.requests.filter(isFork)).toEqual([])
  })

  it('with a worktree of their own keep out of the worktree that their parent works in, wherever that is', async () => {
    const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'x-session-')))
    const cwd = join(elsewhere, 'linked')
    const intrusions = [
      toolUse('Write', { file_path: join(cwd, 'new.txt'), content: 'a' }),
      toolUse('Bash', { command: `cd ${cwd} && echo a >> new.txt` }),
    ]
    const server = await startScriptedServer({
      respond(request) {
        const turn = request.body.messages.filter(({ role }) => role === 'assistant').length
        if (isFork(request)) return [intrusions[turn] ?? text('Nothing can be done.')]
        const fork = toolUse('Agent', { description: 'all', prompt: 'Do it.', isolation: 'worktree' })
        return [turn === 0 ? fork : text('It runs.')]
      },
    })
    await using scripted = new Scripted(server, { 'a.txt': 'hello' })
    using cleanUp = new DisposableStack()
    cleanUp.defer(() => rmSync(elsewhere, { recursive: true, force: true }))
    git(scripted.cwd, 'init', '-q')
    git(scripted.cwd, 'add', 'a.txt')
    git(scripted.cwd, 'commit', '-qm', 'first')
    git(scripted.cwd, 'worktree', 'add', '-q', cwd)
    const env = { ...scripted.env, CLAUDE_CODE_FORK_SUBAGENT: '1' }
    await collect(scripted.ask('Main task', { cwd, env, permissionMode: 'bypassPermissions' }))
    const said = JSON.stringify(scripted.server.requests.findLast(isFork)?.body.messages)
    expect(said.split('This work is isolated in the worktree')).toHaveLength(3)
    expect(git(cwd, 'status', '--porcelain')).toBe('')
  })
})

function git(cwd: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@localhost']
  return execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8' })
}
