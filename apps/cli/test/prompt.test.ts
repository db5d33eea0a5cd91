import { mkdirSync } from 'node:fs'
import { text } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { readPrompt } from '../src/read-prompt.ts'
import { Cli } from './cli.ts'

const said = (cli: Cli): string => JSON.stringify(cli.server.requests[0]?.body.messages)

describe('the prompt', () => {
  it('is the argument, a blank line and standard input', async () => {
    await using cli = await Cli.start([[text('ok')]])
    await cli.run(['-p', 'explain'], { stdin: 'line 1\nline 2\n' })
    expect(said(cli)).toContain('explain\\n\\nline 1\\nline 2')
  })

  it('may come from standard input alone', async () => {
    await using cli = await Cli.start([[text('ok')]])
    expect((await cli.run(['-p'], { stdin: 'hello' })).stdout).toBe('ok\n')
  })

  it('does not wait for an open pipe that says nothing (HE-03)', async () => {
    await using cli = await Cli.start([[text('ok')]])
    const running = cli.start(['-p', 'hi'], { stdin: null })
    const { stdout, stderr } = await running.ended
    expect(stdout).toBe('ok\n')
    expect(stderr).toContain('Warning: no data on stdin')
  })

  it.each([
    [
      undefined,
      'Error: Input must be provided either through stdin or as a prompt argument when using --print\n',
    ],
    ['', 'Error: Input must be provided either through stdin or as a prompt argument when using --print\n'],
    [
      '  \n',
      'Error: Input contained only whitespace. Provide a prompt with text through stdin or as a prompt argument when using --print\n',
    ],
  ])('%j on standard input alone is an error (cli.md 11, 12)', async (stdin, stderr) => {
    await using cli = await Cli.start()
    expect(await cli.run(['-p'], stdin === undefined ? {} : { stdin })).toEqual({
      code: 1,
      stdout: '',
      stderr,
    })
  })

  it('of nobody at a terminal is an error that says how to give one', async () => {
    // Only these fields of a terminal are looked at.
    const terminal = { isTTY: true } as NodeJS.ReadStream
    const live = await readPrompt(undefined, terminal, true)
    expect(live).toEqual({
      ok: false,
      error: expect.stringMatching(/Write x "TASK".*x --help/),
      isMissing: true,
    })
    expect(await readPrompt('Go', terminal, true)).toEqual({ ok: true, text: 'Go' })
    expect(await readPrompt(undefined, terminal)).toEqual({
      ok: false,
      error: expect.stringContaining('--print'),
      isMissing: true,
    })
  })

  it('of 11 MB on standard input is an error (cli.md 13)', async () => {
    await using cli = await Cli.start()
    const { stderr, code } = await cli.run(['-p', 'hi'], { stdin: Buffer.alloc(11 * 1024 * 1024, 'a') })
    expect(stderr).toContain('larger than 10 MB')
    expect(code).toBe(1)
  })
})

describe('variables in settings', () => {
  it('count like exported ones for what is read at the start (cli.md 6)', async () => {
    await using cli = await Cli.start([[text('One.')], [text('Two.')]])
    const project = cli.cwd.replaceAll(/[^A-Za-z0-9]/g, '-')
    cli.write(`.x/projects/${project}/memory/MEMORY.md`, 'The build is slow.')
    await cli.run(['-p', 'Go'])
    cli.write('home/.claude/settings.json', {
      env: { CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1' },
    })
    await cli.run(['-p', 'Go'])
    const bodies = cli.server.requests.map(({ body }) => JSON.stringify(body))
    expect(bodies.map((body) => body.includes('The build is slow.'))).toEqual([true, false])
  })
})

describe('flags', () => {
  it('print version and help', async () => {
    await using cli = await Cli.start()
    expect((await cli.run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+/)
    const { stdout, code } = await cli.run(['--help'])
    expect(stdout).toContain('--permission-mode')
    expect(stdout).toContain('default: "text"')
    expect(stdout).not.toMatch(/default: (false|none)/)
    expect(code).toBe(0)
  })

  it('an address that is none is refused by the name of its variable', async () => {
    await using cli = await Cli.start()
    const { code, stderr } = await cli.run(['-p', 'hi'], { env: { ANTHROPIC_BASE_URL: 'nonsense' } })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/ANTHROPIC_BASE_URL.*http or https.*nonsense/)])
  })

  it.each(['sessions', 'agents', 'worktrees', 'hooks', 'permissions'])(
    'of x %s: help is an answer, a word it does not know is an error that names it',
    async (group) => {
      await using cli = await Cli.start()
      const help = await cli.run([group, '--help'])
      expect(help).toEqual({ code: 0, stdout: expect.stringContaining(`x ${group} `), stderr: '' })
      const { code, stdout, stderr } = await cli.run([group, 'bogus'])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toBe(`Error: x ${group} cannot do "bogus". It can:\n${help.stdout}`)
      expect((await cli.run([group])).stderr).toBe(help.stdout)
      expect(await cli.run([group, 'list', '--help'])).toEqual(help)
    },
  )

  it('of x demo: help is an answer, and a word an error', async () => {
    await using cli = await Cli.start()
    const help = await cli.run(['demo', '--help'])
    expect(help).toEqual({ code: 0, stdout: expect.stringContaining('Shows a small job'), stderr: '' })
    expect(await cli.run(['demo', 'mine'])).toEqual({ code: 1, stdout: '', stderr: help.stdout })
  })

  it.each([
    [['--nope'], /unknown option '--nope'/],
    [['--max-turns', 'many'], /must be a whole number above zero/],
    [['--max-budget-usd', '0'], /must be a number above zero/],
    [['--permission-mode', 'yolo'], /Allowed choices are/],
    [['--effort', 'extreme'], /Allowed choices are low, medium/],
    [['--output-format', 'xml'], /Allowed choices are/],
    [['--session-id', 'not-a-uuid'], /sessionId must be a UUID/],
    [['--add-dir', 'nowhere'], /nowhere is no folder/],
    [['--tools', 'Reed'], /Reed, which does not exist/],
    [['--input-format', 'stream-json'], /requires --output-format=stream-json/],
  ])('%j is refused before the run', async (args, message) => {
    await using cli = await Cli.start()
    const { stderr, code } = await cli.run(['-p', 'hi', ...args])
    expect(stderr).toMatch(message)
    expect(code).toBe(1)
    expect(cli.server.requests).toEqual([])
  })

  it('choose the tools (cli.md 30)', async () => {
    for (const [value, names] of [
      ['', []],
      ['Read', ['Read']],
      ['Bash,Read', ['Read', 'Bash']],
    ] as const) {
      await using cli = await Cli.start([[text('ok')]])
      await cli.run(['-p', 'hi', '--tools', value])
      expect(cli.server.requests[0]?.body.tools?.map(({ name }) => name) ?? []).toEqual(names)
    }
  })

  it('replace and extend the system prompt; an empty one is meant', async () => {
    for (const [args, system] of [
      [['--system-prompt', 'Be a pirate.'], ['Be a pirate.']],
      [
        ['--system-prompt', 'A', '--append-system-prompt', 'B'],
        ['A', 'B'],
      ],
      [['--system-prompt', ''], []],
    ] as const) {
      await using cli = await Cli.start([[text('ok')]])
      await cli.run(['-p', 'hi', ...args])
      const sent = cli.server.requests[0]?.body['system']
      expect((Array.isArray(sent) ? sent : []).map(({ text: line }) => line)).toEqual(system)
    }
  })

  it('say how thorough answers are', async () => {
    await using cli = await Cli.start([[text('ok')]])
    await cli.run(['-p', 'hi', '--effort', 'low'])
    expect(cli.server.requests[0]?.body['output_config']).toEqual({ effort: 'low' })
  })

  it('name the model, by alias too', async () => {
    await using cli = await Cli.start([[text('ok')]])
    await cli.run(['-p', 'hi', '--model', 'haiku'], { env: { ANTHROPIC_DEFAULT_HAIKU_MODEL: 'tiny-1' } })
    expect(cli.server.requests[0]?.body.model).toBe('tiny-1')
  })

  it('add working folders', async () => {
    await using cli = await Cli.start([[text('ok')]])
    mkdirSync(cli.path('more'))
    expect((await cli.run(['-p', 'hi', '--add-dir', 'more'])).code).toBe(0)
    expect(JSON.stringify(cli.server.requests[0]?.body['system'])).toContain(cli.path('more'))
  })
})

// Anything worse than proportional time would take minutes.
it('reads a prompt with very many line ends before the test runs out of time', async () => {
  await using cli = await Cli.start([[text('ok')]])
  const { stdout } = await cli.run(['-p'], { stdin: `a${'\n'.repeat(400_000)}b\n` })
  expect(stdout).toBe('ok\n')
})
