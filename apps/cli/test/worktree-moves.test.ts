import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'
import { lockWorktree, openWorktree, releaseWorktree } from '@x/worktree'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  agentCall,
  all,
  git,
  makeRepository,
  noticesIn,
  type Reply,
  requestsOf,
  startCli,
} from './agent-script.ts'
import { Cli, hasTerminal } from './cli.ts'

const bash = (command: string): Reply => toolUse('Bash', { command })
const enter = (name = 'try'): Reply => toolUse('EnterWorktree', { name })
const exit = (action: 'keep' | 'remove', more: object = {}): Reply =>
  toolUse('ExitWorktree', { action, ...more })

async function startInRepository(...turns: readonly (readonly Reply[])[]): Promise<Cli> {
  const cli = await startCli({ Main: turns })
  cli.write('a.txt', 'hello\n')
  makeRepository(cli)
  return cli
}

/** Runs the first prompt; gives the flags that go on with the session. */
async function begin(cli: Cli, ...args: readonly string[]): Promise<readonly string[]> {
  const { events, code } = await cli.stream('Main', ...all, ...args)
  expect(code).toBe(0)
  return ['--resume', events[0]?.session_id ?? '', ...all]
}

/** What the model was told last. */
function lastTold(cli: Cli): string {
  return JSON.stringify(cli.server.requests.at(-1)?.body.messages.at(-1))
}

const tryPath = (cli: Cli) => cli.path('.claude/worktrees/try')
const isLocked = (cli: Cli) => git(cli.cwd, 'worktree', 'list', '--porcelain').includes('locked')

describe('a session that the model moved into a worktree', () => {
  it('goes back in when it is resumed; ExitWorktree leads to where it began (agents.md 7)', async () => {
    await using cli = await startInRepository(
      [enter()],
      [text('In.')],
      [bash('pwd')],
      [text('Still in.')],
      [exit('keep')],
      [bash('pwd')],
      [text('Out.')],
      [bash('pwd')],
      [text('Still out.')],
    )
    const resume = await begin(cli)
    expect(isLocked(cli)).toBe(false)
    const back = await cli.stream('Where?', ...resume)
    expect(noticesIn(back.events)).toEqual([`Back in the worktree ${tryPath(cli)}.`])
    expect(back.events[0]).toMatchObject({ subtype: 'init', cwd: tryPath(cli) })
    expect(lastTold(cli)).toContain(tryPath(cli))
    const out = await cli.stream('Leave', ...resume)
    expect([out.code, noticesIn(out.events).length]).toEqual([0, 1])
    expect(lastTold(cli)).toContain(`"${cli.cwd}"`)
    const later = await cli.stream('Where now?', ...resume)
    expect(noticesIn(later.events)).toEqual([])
    expect(lastTold(cli)).toContain(`"${cli.cwd}"`)
    expect(existsSync(tryPath(cli))).toBe(true)
  })

  it('goes back in after a kill, and may discard what it made there', async () => {
    await using cli = await startInRepository(
      [enter()],
      [bash('echo mine > new.txt; echo $$ > held.pid; sleep 600')],
      [exit('remove')],
      [exit('remove', { discard_changes: true })],
      [bash('pwd')],
      [text('Out.')],
    )
    const id = '11111111-1111-4111-8111-111111111111'
    const running = cli.start(['-p', 'Main', '--session-id', id, ...all])
    await expect.poll(() => cli.read('.claude/worktrees/try/held.pid')).toMatch(/\n$/)
    running.child.kill('SIGKILL')
    await running.ended
    const { code, stderr } = await cli.run(['-p', 'Leave', '--resume', id, ...all])
    expect(stderr).toContain(`Back in the worktree ${tryPath(cli)}.`)
    const told = JSON.stringify(cli.server.requests.at(-1)?.body.messages)
    expect(told).toMatch(/is not removed[^]*untracked files: [^]*new\.txt[^]*Removed the worktree/)
    expect(lastTold(cli)).toContain(`"${cli.cwd}"`)
    expect([code, existsSync(tryPath(cli))]).toEqual([0, false])
    expect(git(cli.cwd, 'status', '--porcelain')).toBe('')
  })

  it('goes on in the launch folder where the worktree is gone; user and model are told', async () => {
    await using cli = await startInRepository([enter()], [text('In.')], [bash('pwd')], [text('Out.')])
    const resume = await begin(cli)
    git(cli.cwd, 'worktree', 'remove', tryPath(cli))
    const { code, events } = await cli.stream('Where?', ...resume)
    expect([code, noticesIn(events)]).toEqual([
      0,
      [`The worktree of this session is gone; it goes on in ${cli.cwd}.`],
    ])
    expect(JSON.stringify(cli.server.requests[2]?.body.messages)).toContain(
      `The worktree ${tryPath(cli)} is gone`,
    )
    expect(lastTold(cli)).toContain(`"${cli.cwd}"`)
    const again = await cli.stream('Again', ...resume)
    expect(noticesIn(again.events)).toEqual([])
  })

  it('stops where another program works in it, and goes on when that has ended', async () => {
    await using cli = await startInRepository([enter()], [text('In.')], [text('Back.')])
    const resume = await begin(cli)
    const opened = await openWorktree(tryPath(cli), { cwd: cli.cwd })
    if (opened.type === 'refused') throw new Error(opened.why)
    expect(await lockWorktree(opened.worktree)).toEqual({ type: 'locked' })
    const { code, stderr, stdout } = await cli.run(['-p', 'Go on', ...resume])
    expect([code, stdout, cli.server.requests.length]).toEqual([1, '', 2])
    expect(stderr).toMatch(/^Error: cannot resume into worktree .*try: .*in use by process/)
    await releaseWorktree(opened.worktree)
    expect((await cli.run(['-p', 'Go on', ...resume])).stdout).toBe('Back.\n')
  })

  it.each([
    ['a link', (path: string, cwd: string) => symlinkSync(cwd, path), /symbolic link/],
    ['a plain folder', (path: string) => mkdirSync(path), /knows no worktree there/],
  ])('stops where %s stands in its place', async (_title, replace, why) => {
    await using cli = await startInRepository([enter()], [text('In.')])
    const resume = await begin(cli)
    rmSync(tryPath(cli), { recursive: true })
    replace(tryPath(cli), cli.cwd)
    const { code, stderr } = await cli.run(['-p', 'Go on', ...resume])
    expect([code, cli.server.requests.length]).toEqual([1, 2])
    expect(stderr).toMatch(/^Error: cannot resume into worktree .*try: /)
    expect(stderr).toMatch(why)
  })

  it('is not followed by a copy, but by a resumption that keeps nothing', async () => {
    await using cli = await startInRepository([enter()], [text('In.')], [bash('pwd')], [text('There.')])
    const resume = await begin(cli)
    const copy = await cli.stream('Where?', ...resume, '--fork-session')
    expect(copy.events[0]).toMatchObject({ subtype: 'init', cwd: cli.cwd })
    expect(lastTold(cli)).toContain(`"${cli.cwd}"`)
    await cli.stream('Where?', ...resume, '--no-session-persistence')
    expect(lastTold(cli)).toContain(tryPath(cli))
  })
})

describe('the project of a session is where it works', () => {
  it('a shell that leaves the worktree comes back to it, not to the main checkout', async () => {
    await using cli = await startInRepository([enter()], [bash('cd /')], [bash('pwd')], [text('In.')])
    await begin(cli)
    expect(lastTold(cli)).toContain(tryPath(cli))
  })

  it('searches find the files of the worktree although its folder is ignored', async () => {
    await using cli = await startInRepository(
      [enter()],
      [toolUse('Grep', { pattern: 'hello' }), toolUse('Glob', { pattern: '**/*.txt' })],
      [text('In.')],
    )
    await begin(cli)
    expect(lastTold(cli).match(/a\.txt/g)).toHaveLength(2)
  })

  it('what is forbidden in the project is forbidden in the worktree', async () => {
    const file = (cli: Cli) => `${tryPath(cli)}/secret/a.txt`
    await using cli = await startInRepository(
      [enter()],
      [toolUse('Write', { file_path: 'secret/a.txt', content: 'x' })],
      [text('No.')],
    )
    cli.write('.claude/settings.json', { permissions: { deny: ['Edit(/secret/**)'] } })
    await begin(cli)
    expect([lastTold(cli).includes('denied'), existsSync(file(cli))]).toEqual([true, false])
  })

  it('files of the worktree, and of the launch folder afterwards, need no question in acceptEdits', async () => {
    const edits = ['--permission-mode', 'acceptEdits']
    const write = (name: string) => toolUse('Write', { file_path: name, content: 'x' })
    await using cli = await startInRepository(
      [enter()],
      [write('in.txt')],
      [exit('keep')],
      [write('out.txt')],
      [text('Done.')],
    )
    cli.write('pkg/a.txt', 'a')
    await cli.run(['-p', 'Main', ...edits], { folder: 'pkg' })
    expect([cli.read('.claude/worktrees/try/in.txt'), cli.read('pkg/out.txt')]).toEqual(['x', 'x'])
  })

  it('after ExitWorktree a shell works in the launch folder, below it too', async () => {
    await using cli = await startInRepository(
      [exit('remove')],
      [bash('cd pkg')],
      [bash('pwd')],
      [text('Out.')],
    )
    cli.write('pkg/a.txt', 'a')
    await begin(cli, '-w', 'try')
    expect(lastTold(cli)).toContain(`"${cli.path('pkg')}"`)
  })

  it('files of the launch folder need no question once --worktree was left', async () => {
    await using cli = await startInRepository(
      [exit('remove')],
      [toolUse('Write', { file_path: 'out.txt', content: 'x' })],
      [text('Done.')],
    )
    await cli.run(['-p', 'Main', '-w', 'try', '--permission-mode', 'acceptEdits'])
    expect(cli.read('out.txt')).toBe('x')
  })
})

describe('ExitWorktree in a session of --worktree', () => {
  it.each([
    ['keep', true],
    ['remove', false],
  ] as const)('%s leads to the launch folder, for good', async (action, isThere) => {
    await using cli = await startInRepository(
      [exit(action)],
      [bash('pwd')],
      [text('Out.')],
      [bash('pwd')],
      [text('Still out.')],
    )
    const resume = await begin(cli, '-w', 'try')
    expect(lastTold(cli)).toContain(`"${cli.cwd}"`)
    expect([existsSync(tryPath(cli)), isLocked(cli)]).toEqual([isThere, false])
    const later = await cli.stream('Where now?', ...resume)
    expect(noticesIn(later.events)).toEqual([])
    expect(later.events[0]).toMatchObject({ subtype: 'init', cwd: cli.cwd })
    expect(lastTold(cli)).toContain(`"${cli.cwd}"`)
  })

  it('does not remove what has something new in it, and the session stays there', async () => {
    await using cli = await startInRepository(
      [bash('echo mine > new.txt')],
      [exit('remove')],
      [bash('pwd')],
      [text('In.')],
    )
    await begin(cli, '-w', 'try')
    expect(JSON.stringify(cli.server.requests[2]?.body.messages.at(-1))).toMatch(/untracked files: new\.txt/)
    expect(lastTold(cli)).toContain(tryPath(cli))
    expect(cli.read('.claude/worktrees/try/new.txt')).toBe('mine\n')
  })

  it('leaves it when the session was resumed, too', async () => {
    await using cli = await startInRepository([text('In.')], [exit('keep')], [bash('pwd')], [text('Out.')])
    const resume = await begin(cli, '-w', 'try')
    await cli.stream('Leave', ...resume)
    expect(lastTold(cli)).toContain(`"${cli.cwd}"`)
  })

  // There is no terminal without a program that makes one.
  it.skipIf(!hasTerminal).each([
    ['keep', 1],
    ['remove', 0],
  ] as const)('%s is not done a second time at the end', async (action, count) => {
    await using cli = await startInRepository([exit(action)], [text('Out.')])
    const { stdout, code } = await cli.run(['Main', ...all, '-w'], { isTerminal: true })
    expect([code, git(cli.cwd, 'branch', '--list', 'worktree-*').split('\n').filter(Boolean).length]).toEqual(
      [0, count],
    )
    expect(stdout).not.toContain('held nothing new')
    expect(stdout).not.toMatch(/worktree-\S+ is kept/)
  })
})

describe('an agent that moved into a worktree', () => {
  const writes = (message: string): readonly (readonly Reply[])[] => [
    [toolUse('SendMessage', { to: 'bob', message })],
    [text('Waiting.')],
    [text('Heard.')],
  ]
  /** What the agent was told in its last turn but one: where it is. */
  const lookedAt = (cli: Cli) =>
    requestsOf(cli, 'Look').map(({ body }) => JSON.stringify(body.messages.at(-1)?.content))

  async function startWithBob(...answers: readonly (readonly Reply[])[]): Promise<Cli> {
    const start = [agentCall('Look', 'general-purpose', { name: 'bob' })]
    const cli = await startCli({
      Main: [start, [text('Started.')], ...writes('Go on'), ...writes('And on'), ...writes('Once more')],
      Look: [[enter()], [text('In.')], ...answers],
    })
    cli.write('a.txt', 'hello\n')
    makeRepository(cli)
    return cli
  }

  it('is in it when it goes on, however often; where it is gone it is told', async () => {
    const look = [bash('pwd')]
    await using cli = await startWithBob(look, [text('1')], look, [text('2')], look, [text('3')])
    const resume = await begin(cli)
    expect(isLocked(cli)).toBe(false)
    await cli.run(['-p', 'Write to bob', ...resume])
    expect(lookedAt(cli).at(-1)).toContain(tryPath(cli))
    await cli.run(['-p', 'Write to bob', ...resume])
    expect(lookedAt(cli).at(-1)).toContain(tryPath(cli))
    git(cli.cwd, 'worktree', 'remove', tryPath(cli))
    await cli.run(['-p', 'Write to bob', ...resume])
    const told = lookedAt(cli)
    expect(told.at(-2)).toContain(`The worktree ${tryPath(cli)} is gone. You go on in ${cli.cwd}.`)
    expect(told.at(-1)).not.toContain(tryPath(cli))
  })

  it('does nothing where another program works in it', async () => {
    await using cli = await startWithBob([bash('touch late.txt')], [text('1')])
    const resume = await begin(cli)
    const opened = await openWorktree(tryPath(cli), { cwd: cli.cwd })
    if (opened.type === 'refused') throw new Error(opened.why)
    expect(await lockWorktree(opened.worktree)).toEqual({ type: 'locked' })
    await cli.run(['-p', 'Write to bob', ...resume])
    expect(existsSync(cli.path('late.txt'))).toBe(false)
    expect(JSON.stringify(cli.server.requests.at(-1)?.body.messages)).toMatch(
      /cannot go on in the worktree .*try: .*in use by process/,
    )
    await releaseWorktree(opened.worktree)
  })
})

describe('an agent in a worktree of its own', () => {
  const newFile = toolUse('Write', { file_path: 'new.txt', content: 'mine\n' })
  const start = agentCall('Look', 'general-purpose', { name: 'bob', isolation: 'worktree' })
  const wake = toolUse('SendMessage', { to: 'bob', message: 'Go on' })

  async function startIsolated(...between: readonly Reply[]): Promise<Cli> {
    const cli = await startCli({
      Main: [[start], ...between.map((reply) => [reply]), [wake], [text('Waiting.')], [text('Heard.')]],
      Look: [[newFile], [text('Written.')], [bash('ls')], [text('Looked.')]],
    })
    cli.write('a.txt', 'hello\n')
    makeRepository(cli)
    return cli
  }

  it('is told when it goes on and that was removed meanwhile', async () => {
    const remove = 'git worktree remove --force .claude/worktrees/agent-*'
    await using cli = await startIsolated(bash(remove))
    await begin(cli)
    const [, , woken, looked] = requestsOf(cli, 'Look').map(({ body }) =>
      JSON.stringify(body.messages.at(-1)),
    )
    expect(woken).toMatch(/Your worktree .*agent-.* was removed after you ended.*Go on/)
    expect(looked).not.toContain('new.txt')
  })

  it('does not go on while the session itself is in it', async () => {
    const main = (path: string) => [[start], [toolUse('EnterWorktree', { path })], [wake], [text('Waiting.')]]
    const server = await startScriptedServer({
      respond({ body: { messages } }) {
        const said = JSON.stringify(messages)
        const turn = messages.filter(({ role }) => role === 'assistant').length
        const path = /worktree: (\S+) /.exec(said)?.[1] ?? ''
        const answers = said.includes('"Main"') ? main(path) : [[newFile]]
        return [...(answers[turn] ?? [text('Done.')])]
      },
    })
    await using cli = new Cli(server, { 'a.txt': 'hello\n' })
    makeRepository(cli)
    await begin(cli)
    expect(lastTold(cli)).toMatch(/it cannot go back to .*agent-.*: It is in use by process/)
  })

  it('goes back to the one that a hook made', async () => {
    await using cli = await startIsolated()
    const made = `${cli.cwd}-made`
    onTestFinished(() => rmSync(made, { recursive: true, force: true }))
    const create = { type: 'command', command: `mkdir ${made} && echo ${made}` }
    cli.write('home/.claude/settings.json', { hooks: { WorktreeCreate: [{ hooks: [create] }] } })
    await begin(cli)
    const looked = requestsOf(cli, 'Look').at(-1)
    expect(JSON.stringify(looked?.body.messages.at(-1))).toContain('new.txt')
  })
})
