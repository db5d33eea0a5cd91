import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { delay, message, text, toolUse } from '@x/model-anthropic/testing'
import { createWorktree, releaseWorktree } from '@x/worktree'
import { describe, expect, it } from 'vitest'
import { git, makeRepository } from './agent-script.ts'
import { Cli } from './cli.ts'

const replies = (count: number) => Array.from({ length: count }, () => [text('Fine.')])

/** Makes everything below look as old as this. */
function age(path: string, days: number): void {
  const at = new Date(Date.now() - days * 86_400_000)
  for (const name of existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [])
    utimesSync(join(path, name), at, at)
  utimesSync(path, at, at)
}

/** A session that changed a file, and was last used so long ago. */
async function oldSession(cli: Cli, days: number): Promise<string> {
  const { events } = await cli.stream('Old', '--permission-mode', 'bypassPermissions')
  age(cli.path('.x/projects'), days)
  rmSync(cli.path('.x/upkeep'), { recursive: true, force: true })
  return events[0]?.session_id ?? ''
}

const change = [toolUse('Write', { file_path: 'a.txt', content: 'x\n' })]

async function sessionsOf(cli: Cli): Promise<readonly string[]> {
  const listed: { id: string }[] = JSON.parse((await cli.run(['sessions', 'list', '--json'])).stdout)
  return listed.map(({ id }) => id)
}

describe('old sessions', () => {
  it('go, with what belongs to them, at most once a day', async () => {
    await using cli = await Cli.start([change, ...replies(1), change, ...replies(3)])
    const first = await oldSession(cli, 31)
    expect(existsSync(cli.path(`.x/file-history/${first}`))).toBe(true)
    const { events, stderr } = await cli.stream('New')
    const second = events[0]?.session_id
    expect([stderr, await sessionsOf(cli)]).toEqual(['', [second]])
    expect(existsSync(cli.path(`.x/file-history/${first}`))).toBe(false)
    age(cli.path('.x/projects'), 31)
    const third = await cli.stream('Newer')
    expect(await sessionsOf(cli)).toEqual([third.events[0]?.session_id, second])
  })

  it.each([
    { title: '29 days, nothing is said', days: 29, settings: undefined, stays: true },
    { title: '31 days, and 90 are wanted', days: 31, settings: { cleanupPeriodDays: 90 }, stays: true },
    { title: '3 days, and 2 are wanted', days: 3, settings: { cleanupPeriodDays: 2 }, stays: false },
    { title: '31 days, settings unreadable', days: 31, settings: '{ "cleanupPeriodDays": 90', stays: true },
    { title: '31 days, less than one is wanted', days: 31, settings: { cleanupPeriodDays: 0 }, stays: true },
  ])('of $title: stay $stays', async ({ days, settings, stays }) => {
    await using cli = await Cli.start([change, ...replies(2)])
    const id = await oldSession(cli, days)
    if (settings !== undefined) cli.write('home/.claude/settings.json', settings)
    await cli.run(['-p', 'New', '--setting-sources', 'project'])
    expect((await sessionsOf(cli)).includes(id)).toBe(stays)
  })

  it('are none of the business of a project: it cannot shorten the time', async () => {
    await using cli = await Cli.start([change, ...replies(2)])
    const id = await oldSession(cli, 3)
    cli.write('.claude/settings.json', { cleanupPeriodDays: 1 })
    await cli.run(['-p', 'New'])
    expect(await sessionsOf(cli)).toContain(id)
  })

  it('stay where the run fails before its first answer, and a state folder that cannot be written fails no run', async () => {
    await using cli = await Cli.start([change, ...replies(2)])
    const id = await oldSession(cli, 31)
    await cli.run(['-p', 'New', '--agent', 'nobody'])
    expect(await sessionsOf(cli)).toEqual([id])
    cli.write('.x/upkeep', 'a file where the folder should be')
    expect(await cli.run(['-p', 'New'])).toEqual({ code: 0, stdout: 'Fine.\n', stderr: '' })
    expect(await sessionsOf(cli)).toContain(id)
  })

  it('do not delay the first request: they go while the model answers', async () => {
    await using cli = await Cli.start([
      change,
      ...replies(1),
      message([text('So.'), delay(300), text('Done.')]),
    ])
    const id = await oldSession(cli, 31)
    const running = cli.start([
      '-p',
      'New',
      '--output-format',
      'stream-json',
      '--verbose',
      '--include-partial-messages',
    ])
    await running.sees('So.')
    expect(cli.server.requests).toHaveLength(3)
    await running.ended
    expect(await sessionsOf(cli)).not.toContain(id)
  })
})

describe('old worktrees', () => {
  it('go if they are empty, at most once a day for each repository', async () => {
    await using cli = await Cli.start(replies(2), { 'a.txt': 'hello\n' })
    makeRepository(cli)
    const make = async (name: string) => {
      const made = await createWorktree({ cwd: cli.cwd, name, baseRef: 'head' })
      if (made.type === 'failed') throw new Error(made.message)
      await releaseWorktree(made.worktree)
      age(made.worktree.path, 31)
      age(join(cli.cwd, '.git/worktrees', name), 31)
    }
    await make('agent-old')
    await make('agent-full')
    cli.write('.claude/worktrees/agent-full/new.txt', 'mine')
    age(cli.path('.claude/worktrees/agent-full'), 31)
    await cli.run(['-p', 'Hi'])
    expect(readdirSync(cli.path('.claude/worktrees')).sort()).toEqual(['.gitignore', 'agent-full'])
    expect(git(cli.cwd, 'branch', '--list', 'worktree-*').trim()).toBe('+ worktree-agent-full')
    await make('agent-later')
    await cli.run(['-p', 'Hi'])
    expect(readdirSync(cli.path('.claude/worktrees')).sort()).toEqual([
      '.gitignore',
      'agent-full',
      'agent-later',
    ])
  })
})
