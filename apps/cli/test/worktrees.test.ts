import { existsSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { text, toolUse } from '@x/model-anthropic/testing'
import { createWorktree, lockWorktree, openWorktree, releaseWorktree } from '@x/worktree'
import { describe, expect, it } from 'vitest'
import { agentCall, all, git, makeRepository, noticesIn, startCli } from './agent-script.ts'
import { type Cli, hasTerminal, isRunning, type RunOptions } from './cli.ts'

const bash = (command: string) => toolUse('Bash', { command })
const write = (file: string) => toolUse('Write', { file_path: file, content: 'mine\n' })
const where = { Main: [[bash('pwd')], [text('Here.')]] }

async function startInRepository(...given: Parameters<typeof startCli>): Promise<Cli> {
  const cli = await startCli(...given)
  cli.write('a.txt', 'hello\n')
  makeRepository(cli)
  return cli
}

function worktreesOf(cli: Cli): readonly string[] {
  const folder = cli.path('.claude/worktrees')
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.filter((name) => name !== '.gitignore').sort()
}

async function listed(cli: Cli, options: RunOptions = {}): Promise<readonly Record<string, unknown>[]> {
  return JSON.parse((await cli.run(['worktrees', 'list', '--json'], options)).stdout)
}

/** Makes worktrees as agents have them, and lets go of them: each is empty. */
async function makeEmpty(cli: Cli, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const made = await createWorktree({ cwd: cli.cwd, name: `agent-${index}`, baseRef: 'head' })
    if (made.type === 'failed') throw new Error(made.message)
    await releaseWorktree(made.worktree)
  }
}

describe('--worktree', () => {
  it('starts the session in a new worktree and tells its path; with -p it stays, and is free', async () => {
    await using cli = await startInRepository(where)
    const { code, stdout, stderr } = await cli.run(['-p', 'Main', '--worktree', 'try', ...all])
    const path = cli.path('.claude/worktrees/try')
    expect([code, stdout, stderr]).toEqual([
      0,
      'Here.\n',
      `Working in the worktree ${path} on the branch worktree-try.\n`,
    ])
    expect(JSON.stringify(cli.server.requests[1]?.body.messages.at(-1))).toContain(path)
    expect(await listed(cli)).toMatchObject([
      { name: 'try', path, branch: 'worktree-try', state: 'ready', contents: 'empty', isSweepable: false },
    ])
    expect(git(cli.cwd, 'status', '--porcelain')).toBe('')
  })

  it('without a name makes one up; what is written stays there', async () => {
    await using cli = await startInRepository({ Main: [[write('new.txt')], [text('Done.')]] })
    const { events } = await cli.stream('Main', ...all, '-w')
    const [name = ''] = worktreesOf(cli)
    expect(name).toMatch(/^session-[0-9a-f]{10}$/)
    expect(noticesIn(events)).toEqual([expect.stringContaining(`worktrees/${name} on the branch`)])
    expect(events[0]).toMatchObject({ subtype: 'init', cwd: cli.path(`.claude/worktrees/${name}`) })
    expect(cli.read(`.claude/worktrees/${name}/new.txt`)).toBe('mine\n')
    expect(cli.read('new.txt')).toBeUndefined()
  })

  it('takes files of the command line from where it was typed', async () => {
    await using cli = await startInRepository(where)
    cli.write('pkg/mine.json', { permissions: { deny: ['Bash'] } })
    const { code, stdout } = await cli.run(['-p', 'Main', '-w', 'try', '--settings', 'mine.json', ...all], {
      folder: 'pkg',
    })
    expect([code, stdout]).toEqual([0, 'Here.\n'])
    expect(cli.server.requests[0]?.body.tools?.map(({ name }) => name)).not.toContain('Bash')
  })

  it.each([
    [['-w', 'a/b'], /^Error: "a\/b" cannot name a worktree/],
    [['-w', 'try', '--agent', 'nobody'], /^Error: agent names nobody/],
    [['-w', 'try', '--add-dir', 'nowhere'], /^Error: --add-dir/],
    [['-w', 'try', '--resume', 'nothing'], /^Error: /],
  ])('%j is an error before the run, and leaves nothing', async (args, message) => {
    await using cli = await startInRepository(where)
    const { code, stderr } = await cli.run(['-p', 'Main', ...args])
    expect([code, cli.server.requests.length, worktreesOf(cli)]).toEqual([1, 0, []])
    expect(stderr).toMatch(message)
    expect(git(cli.cwd, 'branch', '--list', 'worktree-*')).toBe('')
  })

  it('outside of a repository is an error, never the folder itself', async () => {
    await using cli = await startCli(where)
    const { code, stderr } = await cli.run(['-p', 'Main', '-w'])
    expect([code, cli.server.requests.length]).toEqual([1, 0])
    expect(stderr).toMatch(/^Error: .*repository/)
  })

  it('is made by a WorktreeCreate hook where there is one; the last line is the path (agents.md 34)', async () => {
    await using cli = await startInRepository(where)
    const path = cli.path('home/made')
    const command = `echo Hello; git worktree add -q -b made ${path} && echo ${path}`
    cli.write('home/.claude/settings.json', {
      hooks: { WorktreeCreate: [{ hooks: [{ type: 'command', command }] }] },
    })
    const { code, stderr } = await cli.run(['-p', 'Main', '-w', 'try', ...all])
    expect([code, stderr]).toEqual([0, `Working in the worktree ${path} on the branch made.\n`])
    expect(JSON.stringify(cli.server.requests[1]?.body.messages.at(-1))).toContain(path)
    expect(worktreesOf(cli)).toEqual([])
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the session there; the worktree stays, and is free', async (signal, exitCode) => {
    await using cli = await startInRepository({
      Main: [[bash('echo $$ > held.pid; sleep 600')], [text('No.')]],
    })
    const running = cli.start(['-p', 'Main', '-w', 'try', ...all])
    const held = () => cli.read('.claude/worktrees/try/held.pid') ?? ''
    await expect.poll(held).toMatch(/\n$/)
    expect(await listed(cli)).toMatchObject([{ state: 'in-use' }])
    running.child.kill(signal)
    expect((await running.ended).code).toBe(exitCode)
    expect(isRunning(Number(held()))).toBe(false)
    expect(await listed(cli)).toMatchObject([{ name: 'try', state: 'ready', contents: 'changed' }])
  })
})

// There is no terminal without a program that makes one.
describe.skipIf(!hasTerminal)('--worktree of a run with a person', () => {
  const live: RunOptions = { isTerminal: true }

  it('without a name and with nothing new in it is removed at the end', async () => {
    await using cli = await startInRepository(where)
    const { code, stdout } = await cli.run(['Main', '--allowedTools', 'Bash', '-w'], live)
    expect(stdout).toMatch(/Working in the worktree/)
    expect(stdout).toMatch(/The worktree .* held nothing new and is removed\./)
    expect([code, worktreesOf(cli)]).toEqual([0, []])
  })

  it.each([
    ['with a name', ['-w', 'try'], where],
    ['with something new', ['-w'], { Main: [[write('new.txt')], [text('Done.')]] }],
  ])('%s is kept, and told', async (_title, args, script) => {
    await using cli = await startInRepository(script)
    const { stdout } = await cli.run(['Main', ...all, ...args], live)
    const [name = ''] = worktreesOf(cli)
    expect(stdout).toContain(`worktrees/${name} on the branch worktree-${name} is kept`)
    expect(await listed(cli)).toMatchObject([{ name, state: 'ready' }])
  })
})

describe('a program that git itself has started', () => {
  // As in a hook: whatever folder git is asked in, it works in this one.
  const leading = (cli: Cli) => ({ GIT_DIR: cli.path('.git'), GIT_WORK_TREE: cli.cwd })
  const commit = bash(
    'touch new.txt; git add -A; git -c user.name=a -c user.email=b commit -qm work; git rev-parse --show-toplevel',
  )
  const isolated = {
    Main: [[agentCall('Look', 'general-purpose', { isolation: 'worktree' })], [text('Done.')]],
  }

  it.each([
    ['an isolated agent', { ...isolated, Look: [[commit], [text('Seen.')]] }, []],
    ['a session in a worktree', { Main: [[commit], [text('Done.')]] }, ['-w', 'try']],
  ])('leaves the main checkout alone in %s', async (_who, answers, args) => {
    await using cli = await startInRepository(answers)
    cli.write('a.txt', 'not yet to be committed\n')
    const before = git(cli.cwd, 'rev-parse', 'main')
    await cli.run(['-p', 'Main', ...args, ...all], { env: leading(cli) })
    expect([git(cli.cwd, 'rev-parse', 'main'), git(cli.cwd, 'status', '--porcelain')]).toEqual([
      before,
      ' M a.txt\n',
    ])
    const [name = ''] = worktreesOf(cli)
    expect(git(cli.path(`.claude/worktrees/${name}`), 'log', '-1', '--format=%s')).toBe('work\n')
  })
})

describe('a session that began in a worktree', () => {
  it('goes on there; where it is gone, in the launch folder, and says so', async () => {
    await using cli = await startInRepository({
      Main: [[text('One.')], [bash('pwd')], [text('Two.')], [bash('pwd')], [text('Three.')]],
    })
    const path = cli.path('.claude/worktrees/try')
    const { events } = await cli.stream('Main', '-w', 'try')
    const resume = ['--resume', events[0]?.session_id ?? '', ...all]
    const back = await cli.stream('Where?', ...resume)
    expect(noticesIn(back.events)).toEqual([`Back in the worktree ${path}.`])
    expect(JSON.stringify(cli.server.requests[2]?.body.messages.at(-1))).toContain(path)
    expect(await listed(cli)).toMatchObject([{ state: 'ready' }])
    git(cli.cwd, 'worktree', 'remove', '--force', path)
    const gone = await cli.stream('Where now?', ...resume)
    expect(noticesIn(gone.events)).toEqual([
      `The worktree of this session is gone; it goes on in ${cli.cwd}.`,
    ])
    expect(gone.events[0]).toMatchObject({ subtype: 'init', cwd: cli.cwd })
    expect(gone.code).toBe(0)
  })

  it('does not go into one that another program works in, and a copy does not follow (agents.md 7)', async () => {
    await using cli = await startInRepository({ Main: [[text('One.')], [text('Two.')]] })
    const { events } = await cli.stream('Main', '-w', 'try')
    const resume = ['--resume', events[0]?.session_id ?? '']
    const opened = await openWorktree('.claude/worktrees/try', { cwd: cli.cwd })
    if (opened.type === 'refused') throw new Error(opened.why)
    expect(await lockWorktree(opened.worktree)).toEqual({ type: 'locked' })
    const { code, stderr } = await cli.run(['-p', 'Go on', ...resume])
    expect([code, cli.server.requests.length]).toEqual([1, 1])
    expect(stderr).toMatch(/^Error: cannot resume into worktree .*try: .*in use by process/)
    const copy = await cli.stream('Go on', ...resume, '--fork-session')
    expect(copy.events[0]).toMatchObject({ subtype: 'init', cwd: cli.cwd })
  })
})

describe('x worktrees', () => {
  it('list says how each stands and what is in it', async () => {
    await using cli = await startInRepository({})
    expect((await cli.run(['worktrees', 'list'])).stdout).toBe(
      'There are no worktrees below .claude/worktrees.\n',
    )
    await makeEmpty(cli, 2)
    cli.write('.claude/worktrees/agent-1/new.txt', 'mine')
    const { stdout } = await cli.run(['worktrees', 'list'])
    expect(stdout).toMatch(/^agent-0 {2}ready \[worktree-agent-0\] {2}used .*\n.*\n {2}nothing new in it$/m)
    expect(stdout).toMatch(/^agent-1 {2}ready .*\n.*\n {2}untracked files: new\.txt$/m)
    expect(await listed(cli, { folder: '.claude/worktrees/agent-0' })).toHaveLength(2)
  })

  it('clean removes what is empty, says what stays and why; --dry-run only says so', async () => {
    await using cli = await startInRepository({ Main: [[text('Done.')]] })
    await makeEmpty(cli, 3)
    cli.write('.claude/worktrees/agent-1/new.txt', 'mine')
    git(cli.path('.claude/worktrees/agent-2'), 'commit', '-q', '--allow-empty', '-m', 'work')
    await cli.run(['-p', 'Main', '-w', 'byhand'])
    const before = worktreesOf(cli)
    const dry = await cli.run(['worktrees', 'clean', '--dry-run'])
    expect(worktreesOf(cli)).toEqual(before)
    const late = await cli.run(['worktrees', 'clean', '--older-than', '7'])
    expect(late.stdout).toMatch(
      /Kept agent-0: it was used within the last day, and only what was not used for 7 days goes/,
    )
    expect(worktreesOf(cli)).toEqual(before)
    const { code, stdout } = await cli.run(['worktrees', 'clean'])
    expect([code, worktreesOf(cli)]).toEqual([0, ['agent-1', 'agent-2', 'byhand']])
    for (const [would, did] of [
      [dry.stdout, 'Would remove'],
      [stdout, 'Removed'],
    ] as const)
      expect(would).toContain(`${did} agent-0 (`)
    for (const text of [dry.stdout, stdout]) {
      expect(text).toMatch(/(?:Kept|keep) agent-1: .*untracked files: new\.txt/)
      expect(text).toMatch(/(?:Kept|keep) agent-2: .*commits that no remote has/)
      expect(text).toMatch(
        /(?:Kept|keep) byhand: .*git worktree remove '.*byhand' && git branch -d worktree-byhand removes it/,
      )
    }
    // Git would delete the ignored with it.
    cli.write('.claude/worktrees/byhand/kept.pid', 'mine')
    for (const dryRun of [[], ['--dry-run']]) {
      const told = (await cli.run(['worktrees', 'clean', ...dryRun])).stdout
      expect(told).toMatch(/(?:Kept|keep) byhand: .*; ignored files .*: kept\.pid$/m)
    }
    expect((await cli.run(['worktrees', 'clean', '--older-than', 'soon'])).code).toBe(1)
  })

  it('say in one line each why a worktree stays, whatever is in it', async () => {
    await using cli = await startInRepository({})
    await makeEmpty(cli, 4)
    cli.write('.claude/worktrees/agent-0/two\nlines\u001b[31m.txt', 'mine')
    git(cli.path('.claude/worktrees/agent-1'), 'commit', '-q', '--allow-empty', '-m', 'work')
    rmSync(cli.path('.claude/worktrees/agent-2'), { recursive: true })
    cli.write('.claude/worktrees/not\nours/x', 'mine')
    const head = git(cli.path('.claude/worktrees/agent-1'), 'rev-parse', '--short=10', 'HEAD').trim()
    const list = (await cli.run(['worktrees', 'list'])).stdout
    expect(list).toMatch(/^ {2}untracked files: "two\\nlines\\u001b\[31m\.txt"$/m)
    expect(list).toMatch(/^agent-2 {2}missing .*\n.*\n {2}Its folder was deleted\.$/m)
    expect(list).toMatch(/^not ours {2}unregistered .*\n.*\n {2}Git does not know this folder\.$/m)
    const dry = (await cli.run(['worktrees', 'clean', '--dry-run'])).stdout
    expect(dry).toContain('Would go on with agent-2: Its folder was deleted. It goes if nothing is in it.\n')
    const { stdout } = await cli.run(['worktrees', 'clean'])
    expect(stdout.trimEnd().split('\n').sort()).toEqual([
      'Kept agent-0: untracked files: "two\\nlines\\u001b[31m.txt"',
      `Kept agent-1: commits beyond where it began, or HEAD moved: ${head}; commits that no remote has: ${head}; commits that no other branch or tag holds: ${head}`,
      'Kept not ours: git does not know this folder; remove it yourself if you do not need it',
      `Removed agent-2 (${cli.path('.claude/worktrees/agent-2')})`,
      `Removed agent-3 (${cli.path('.claude/worktrees/agent-3')})`,
    ])
  })

  it.each(['list', 'clean'])('%s outside of a repository says so', async (command) => {
    await using cli = await startCli({})
    const { code, stdout, stderr } = await cli.run(['worktrees', command])
    expect([code, stdout, stderr]).toEqual([1, '', `Error: ${cli.cwd} is not in a git repository.\n`])
  })

  it('clean frees what a killed program held, and never what a living one does', async () => {
    const hold = [[bash('echo $$ > held.pid; sleep 600')]]
    await using cli = await startInRepository({
      Main: [
        [
          agentCall('First', 'general-purpose', { isolation: 'worktree' }),
          agentCall('Second', 'general-purpose', { isolation: 'worktree' }),
        ],
      ],
      First: hold,
      Second: [[bash('sleep 60')]],
    })
    const running = cli.start(['-p', 'Main', ...all])
    await expect
      .poll(() => worktreesOf(cli).map((name) => cli.read(`.claude/worktrees/${name}/held.pid`)))
      .toContainEqual(expect.stringMatching(/\n$/))
    await expect.poll(() => [worktreesOf(cli).length, cli.server.requests.length]).toEqual([2, 3])
    const names = worktreesOf(cli)
    const early = await cli.run(['worktrees', 'clean'])
    expect(worktreesOf(cli)).toEqual(names)
    expect(early.stdout).toContain(`in use by process ${running.child.pid}`)
    running.child.kill('SIGKILL')
    await running.ended
    expect(await listed(cli)).toMatchObject([{ state: 'abandoned' }, { state: 'abandoned' }])
    const dry = await cli.run(['worktrees', 'clean', '--dry-run'])
    expect(dry.stdout.match(/Would release/g)).toHaveLength(2)
    const { stdout } = await cli.run(['worktrees', 'clean'])
    expect(stdout).toMatch(/Removed [\s\S]*Released [\s\S]*Kept .*held\.pid/)
    expect(await listed(cli)).toMatchObject([{ state: 'ready', contents: 'changed' }])
  })

  it('clean that is killed at any moment goes on the next time: nothing is lost, nothing is left', {
    timeout: 240_000,
  }, async () => {
    const seed = Number(process.env['FC_SEED'] ?? 17)
    for (let round = 0; round < 8; round += 1) {
      await using cli = await startInRepository({})
      await makeEmpty(cli, 4)
      cli.write('.claude/worktrees/agent-3/new.txt', 'mine')
      const running = cli.start(['worktrees', 'clean'])
      await sleep(((seed * 7 + round * 131) % 900) + 100)
      running.child.kill('SIGKILL')
      await running.ended
      await expect.poll(() => gitProcessesIn(cli)).toBe(0)
      const { code, stderr } = await cli.run(['worktrees', 'clean'])
      expect([seed, round, code, stderr, worktreesOf(cli)]).toEqual([seed, round, 0, '', ['agent-3']])
      expect(cli.read('.claude/worktrees/agent-3/new.txt')).toBe('mine')
      expect(git(cli.cwd, 'branch', '--list', 'worktree-*').trim()).toBe('+ worktree-agent-3')
      expect(git(cli.cwd, 'worktree', 'list').trim().split('\n')).toHaveLength(2)
      expect(git(cli.cwd, 'fsck').trim()).toBe('')
    }
  })
})

/** Programs at work in the repository: what a killed one had started may go on for a moment. */
function gitProcessesIn(cli: Cli): number {
  return readdirSync('/proc').filter(
    (name) => /^[0-9]+$/.test(name) && workingFolder(name).startsWith(cli.cwd),
  ).length
}

function workingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}
