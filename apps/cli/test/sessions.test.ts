import { writeFileSync } from 'node:fs'
import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { makeRepository } from './agent-script.ts'
import { Cli } from './cli.ts'

const edit = (before: string, after: string) => [
  toolUse('Read', { file_path: 'a.txt' }),
  toolUse('Edit', { file_path: 'a.txt', old_string: before, new_string: after }),
]

describe('a session goes on', () => {
  it('with --continue, with its id and with its name', async () => {
    await using cli = await Cli.start([[text('One.')], [text('Two.')], [text('Three.')], [text('Four.')]])
    const first = await cli.stream('First', '--name', 'my job')
    await cli.run(['-p', 'Second', '--continue'])
    await cli.run(['-p', 'Third', '--resume', first.events[0]?.session_id ?? ''])
    const last = await cli.run(['-p', 'Fourth', '-r', 'my job'])
    expect(last.stdout).toBe('Four.\n')
    expect(JSON.stringify(cli.server.requests[3]?.body.messages)).toMatch(/First.*Second.*Third.*Fourth/)
  })

  it('with its name, in a worktree of the repository before any other folder (agents.md 9)', async () => {
    await using cli = await Cli.start([[text('There.')], [text('Elsewhere.')], [text('Back.')]])
    cli.write('other/a.txt', '')
    makeRepository(cli)
    await cli.run(['-p', 'In the worktree', '--worktree', 'one', '--name', 'job'])
    await cli.run(['-p', 'In another folder', '--name', 'job'], { folder: 'other' })
    const { code, stdout } = await cli.run(['-p', 'On', '--resume', 'job'])
    expect([code, stdout]).toEqual([0, 'Back.\n'])
    expect(JSON.stringify(cli.server.requests[2]?.body.messages)).toContain('In the worktree')
  })

  it.each([
    [['--resume', '00000000-0000-4000-8000-000000000000'], /No conversation found with session ID: 0{8}/],
    [['--resume', 'nobody'], /session ID: nobody\nx sessions list shows/],
    [['--resume'], /x sessions list/],
    [['--continue'], /No conversation found to continue/],
    [['--session-id', 'not-a-uuid'], /must be a UUID/],
    [['--fork-session'], /need --continue or --resume/],
    [['--continue', '--resume', 'x'], /only one/],
  ])('%j without a session is an error before the run (cli.md 29, agents.md 45)', async (args, message) => {
    await using cli = await Cli.start([[text('Never.')]])
    const { code, stderr } = await cli.run(['-p', 'Go', ...args])
    expect([code, cli.server.requests.length]).toEqual([1, 0])
    expect(stderr).toMatch(message)
  })

  it('keeps nothing with --no-session-persistence', async () => {
    await using cli = await Cli.start([[text('One.')]])
    await cli.run(['-p', 'Go', '--no-session-persistence'])
    expect(cli.read('.x/projects')).toBeUndefined()
  })
})

describe('x sessions', () => {
  it.each([
    [['show'], 'Name one session.'],
    [['rename', 'a'], 'Name a session and what it is to be called.'],
    [['rm'], 'Name a session.'],
    [['rewind', 'a'], 'Name a session and a prompt.'],
  ])('%j says in its first line what is missing', async (args, message) => {
    await using cli = await Cli.start()
    const { code, stdout, stderr } = await cli.run(['sessions', ...args])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(new RegExp(`^Error: ${message}\n`))
    expect(stderr).not.toMatch(/\n\n$/)
  })

  it('lists, shows, renames, exports and removes', async () => {
    await using cli = await Cli.start([[text('Said.')]])
    const { events } = await cli.stream('What I asked')
    const id = events[0]?.session_id ?? ''
    expect((await cli.run(['sessions', 'list'])).stdout).toMatch(new RegExp(`^${id} .* What I asked\\n$`))
    await cli.run(['sessions', 'rename', id, 'better'])
    expect(JSON.parse((await cli.run(['sessions', 'list', '--json'])).stdout)).toMatchObject([
      { id, title: 'better' },
    ])
    expect((await cli.run(['sessions', 'show', 'better'])).stdout).toMatch(/What I asked[\s\S]*Said\./)
    expect((await cli.run(['sessions', 'export', id, '--output', 'out.md'])).code).toBe(0)
    expect(cli.read('out.md')).toContain('Said.')
    expect((await cli.run(['sessions', 'rm', '../../etc'])).code).toBe(1)
    expect((await cli.run(['sessions', 'rm', 'better'])).code).toBe(0)
    expect((await cli.run(['sessions', 'list'])).stdout).toBe('No sessions are kept for this folder.\n')
  })

  it('rewinds files and conversation to a prompt; what was changed since is left alone (agents.md 47)', async () => {
    await using cli = await Cli.start(
      [
        edit('one', 'two'),
        [text('Done.')],
        [...edit('two', 'three'), toolUse('Write', { file_path: 'made.txt', content: 'new' })],
        [toolUse('Bash', { command: 'echo mine > shell.txt' })],
        [text('Done again.')],
        [text('Back.')],
      ],
      { 'a.txt': 'one\n', 'shell.txt': 'old\n' },
    )
    const { events } = await cli.stream('First', '--permission-mode', 'bypassPermissions')
    const id = events[0]?.session_id ?? ''
    await cli.run(['-p', 'Second', '--resume', id, '--permission-mode', 'bypassPermissions'])
    expect(cli.read('a.txt')).toBe('three\n')
    const prompts = JSON.parse((await cli.run(['sessions', 'prompts', id, '--json'])).stdout)
    expect(prompts).toMatchObject([{ text: 'First' }, { text: 'Second' }])
    const dry = await cli.run(['sessions', 'rewind', id, prompts[1].uuid, '--dry-run'])
    expect(dry.stdout).toMatch(/a\.txt would be brought back[\s\S]*would end before/)
    expect(cli.read('a.txt')).toBe('three\n')
    writeFileSync(cli.path('made.txt'), 'mine now')
    const { code, stderr } = await cli.run(['sessions', 'rewind', id, prompts[1].uuid])
    expect([code, cli.read('a.txt'), cli.read('made.txt'), cli.read('shell.txt')]).toEqual([
      1,
      'two\n',
      'mine now',
      'mine\n',
    ])
    expect(stderr).toMatch(/made\.txt: changed by somebody else since/)
    await cli.run(['-p', 'Third', '--resume', id])
    const sent = JSON.stringify(cli.server.requests.at(-1)?.body.messages)
    expect(sent).toMatch(/First.*Done\..*Third/)
    expect(sent).not.toContain('Second')
    const listed = await cli.run(['sessions', 'prompts', id])
    expect(listed.stdout.replaceAll(/^\S+ {2}\S+ \S+ {2}/gm, '')).toBe('First\n(rewound) Second\nThird\n')
  })
})
