import { describe, expect, it } from 'vitest'
import { Cli, isRunning, type RunResult } from './cli.ts'

const call = { tool_name: 'Bash', tool_input: { command: 'rm -rf /' }, tool_use_id: 'toolu_1' }

/** A folder whose project settings have these hooks. */
async function folderWith(hooks: object): Promise<Cli> {
  const cli = await Cli.start()
  cli.write('.claude/settings.json', { hooks })
  return cli
}

/** Hooks of an event, by their command lines. */
function on(event: string, ...commands: readonly string[]): object {
  return { [event]: [{ hooks: commands.map((command) => ({ type: 'command', command })) }] }
}

function say(fields: object): string {
  return `echo '${JSON.stringify(fields)}'`
}

const noEndpoint = { ANTHROPIC_BASE_URL: undefined, ANTHROPIC_API_KEY: undefined }

describe('x hooks list', () => {
  it('lets no file drive the terminal', async () => {
    await using cli = await folderWith({
      PreToolUse: [
        { matcher: 'Bash\u001b[2J', hooks: [{ type: 'command', command: 'a\u001b]0;b\u0007\nc' }] },
      ],
    })
    const { stdout, stderr } = await cli.run(['hooks', 'list'])
    expect(stdout).toContain('PreToolUse Bash\n  command: a c\n')
    expect(stdout + stderr).not.toContain('\u001b')
  })

  it('says where hooks belong that stand beside `hooks`', async () => {
    await using cli = await Cli.start()
    cli.write('.claude/settings.json', { ...on('PreToolUse', 'exit 2'), ofAnotherProgram: {} })
    const { code, stdout, stderr } = await cli.run(['hooks', 'list'])
    expect([code, stdout]).toEqual([0, 'No hooks are configured.\n'])
    expect(stderr).toMatch(/settings\.json: PreToolUse does not count here; put it into hooks: {"hooks"/)
    expect(stderr).not.toContain('ofAnotherProgram')
    cli.write('.claude/settings.json', { hooks: on('PreToolUse', 'exit 2') })
    expect((await cli.run(['hooks', 'list'])).stderr).toBe('')
  })

  it('tells event, matcher, handler and file, and what runs only with -p', async () => {
    await using cli = await folderWith({
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command', command: './guard.sh', if: 'Bash(rm *)' }] },
      ],
    })
    const { code, stdout } = await cli.run(['hooks', 'list'], { env: noEndpoint })
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        'PreToolUse Bash if Bash(rm *)',
        '  command: ./guard.sh',
        `  from project (${cli.path('.claude/settings.json')})`,
        '  ! folder not trusted: runs with -p only',
        `  ! ${cli.path('guard.sh')} does not exist\n`,
      ].join('\n'),
    )
  })

  it.each([
    ['./gone.sh', 'PATH/gone.sh does not exist'],
    ['"$CLAUDE_PROJECT_DIR"/.claude/gone.sh --fast', 'PATH/.claude/gone.sh does not exist'],
    ['timeout 5 ./gone.sh', 'PATH/gone.sh does not exist'],
    ['python3 "${CLAUDE_PROJECT_DIR}/gone.py"', 'PATH/gone.py does not exist'],
    ['sh ./gone.sh | cat', 'PATH/gone.sh does not exist'],
    ['. ./gone.sh', 'PATH/gone.sh does not exist'],
    ['~/gone.sh', 'PATH/home/gone.sh does not exist'],
    ['./plain.sh', 'PATH/plain.sh may not be executed; chmod +x makes it so'],
    ['./folder', 'PATH/folder is a folder'],
    ['no-such-program-at-all .', 'no-such-program-at-all is not found on the PATH'],
  ])('says that the command %s would not start', async (command, problem) => {
    await using cli = await folderWith(on('Stop', command))
    cli.write('plain.sh', 'exit 0')
    cli.write('folder/file', '')
    const { stdout } = await cli.run(['hooks', 'list', '--json'])
    expect(JSON.parse(stdout).hooks).toMatchObject([{ problem: problem.replace('PATH/', `${cli.cwd}/`) }])
  })

  it('says the same of a program without a shell, and of a script of a plugin', async () => {
    const hooks = [{ type: 'command', command: '${CLAUDE_PROJECT_DIR}/gone', args: ['x'] }]
    await using cli = await folderWith({ Stop: [{ hooks }] })
    cli.write('plugin/hooks/hooks.json', { hooks: on('Stop', '${CLAUDE_PLUGIN_ROOT}/gone.sh') })
    const { stdout } = await cli.run(['hooks', 'list', '--plugin-dir', 'plugin'])
    expect(stdout).toContain(`  ! ${cli.path('gone')} does not exist\n`)
    expect(stdout).toContain(`  ! ${cli.path('plugin/gone.sh')} does not exist\n`)
  })

  it.each([
    'sh ./plain.sh',
    'echo hi',
    '[ -f ./gone.sh ] && ./gone.sh',
    'if [ -x ./gone.sh ]; then ./gone.sh; fi',
    '"$SOMEWHERE"/gone.sh',
    'bash -c ./gone.sh',
    'node --run gone.js',
    'PATH=/somewhere gone-too',
    'guard() { ./gone.sh; }; true',
  ])('says nothing against %s, which only the shell can judge', async (command) => {
    await using cli = await folderWith(on('Stop', command))
    cli.write('plain.sh', 'exit 0')
    const { stdout } = await cli.run(['hooks', 'list', '--json'])
    expect(JSON.parse(stdout).hooks[0]).not.toHaveProperty('problem')
  })

  it('gives the same as JSON, with what each file and each kind of handler says', async () => {
    await using cli = await folderWith({
      ...on('Stop', 'true'),
      PostToolUse: [{ hooks: [{ type: 'http', url: 'http://127.0.0.1:1/', timeout: 3 }] }],
      SessionStart: [{ hooks: [{ type: 'prompt', prompt: 'Well?' }] }],
    })
    cli.write('home/.claude/settings.json', { hooks: on('Stop', 'false') })
    const { stdout } = await cli.run([
      'hooks',
      'list',
      '--json',
      '--settings',
      JSON.stringify({ hooks: on('Stop', 'no') }),
    ])
    const file = cli.path('.claude/settings.json')
    const { hooks } = JSON.parse(stdout)
    const project = { source: 'project', file, trusted: false }
    expect(hooks).toHaveLength(5)
    expect(hooks).toEqual(
      expect.arrayContaining([
        { event: 'Stop', matcher: '*', type: 'command', handler: 'true', ...project },
        {
          event: 'PostToolUse',
          matcher: '*',
          type: 'http',
          handler: 'http://127.0.0.1:1/',
          timeout: 3,
          ...project,
        },
        expect.objectContaining({ handler: 'Well?', unusable: expect.stringContaining('takes no handlers') }),
        expect.objectContaining({ handler: 'false', source: 'user' }),
        expect.objectContaining({ handler: 'no', source: 'command-line' }),
      ]),
    )
  })

  it('names each bad entry with its file and place, once, and lists the others', async () => {
    await using cli = await folderWith({
      ...on('Stop', 'true'),
      PreToolUze: [],
      PreToolUse: [
        { matcher: '(', hooks: [{ type: 'command', command: 'a' }] },
        { hooks: [{ type: 'commando' }] },
      ],
    })
    const { code, stdout, stderr } = await cli.run(['hooks', 'list'])
    expect(code).toBe(0)
    expect(stdout).toContain('Stop *')
    const warnings = stderr.trim().split('\n')
    expect(warnings).toHaveLength(3)
    for (const place of [
      'hooks.PreToolUze is not known',
      'hooks.PreToolUse[0].hooks[0] has a matcher',
      'hooks.PreToolUse[1].hooks[0] is left out',
    ]) {
      const [line, ...others] = warnings.filter((warning) => warning.includes(place))
      expect(others).toEqual([])
      expect(line).toContain(`Warning: ${cli.path('.claude/settings.json')}:`)
    }
  })

  it('lists what a switch turns off, and says so', async () => {
    await using cli = await folderWith(on('Stop', 'true'))
    cli.write('home/.claude/settings.json', { disableAllHooks: true })
    const { stdout } = await cli.run(['hooks', 'list'])
    expect(stdout).toMatch(/^Stop \*\n {2}command: true\n.*\n {2}! switched off: disableAllHooks/)
  })

  it('says so where nothing is configured, and how it is used', async () => {
    await using cli = await Cli.start()
    expect(await cli.run(['hooks', 'list'])).toEqual({
      code: 0,
      stdout: 'No hooks are configured.\n',
      stderr: '',
    })
    expect((await cli.run(['hooks', '--help'])).stdout).toContain('x hooks test --event EVENT')
    expect((await cli.run(['hooks', 'test', '--help'])).stdout).toContain('Exit codes: 0 it may go on; 2 ')
    expect(await cli.run(['hooks', 'nonsense'])).toMatchObject({ code: 1, stdout: '' })
  })
})

describe('x hooks test', () => {
  it.each([
    ['nothing', 'true', { code: 0, outcome: 'none', continue: true, errors: [] }],
    [
      'a denial',
      'echo no >&2; exit 2',
      {
        code: 2,
        outcome: 'deny',
        reason: expect.stringContaining('no'),
        feedback: [expect.stringContaining('no')],
      },
    ],
    ['an allow', say({ permissionDecision: 'allow' }), { code: 0, outcome: 'allow' }],
    [
      'a question',
      say({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' }),
      { code: 3, outcome: 'ask', reason: '[settings] sure?' },
    ],
    ['a deferral', say({ permissionDecision: 'defer' }), { code: 3, outcome: 'defer' }],
    [
      'another input',
      say({ updatedInput: { command: 'ls' } }),
      { code: 0, outcome: 'none', updatedInput: { command: 'ls' } },
    ],
    [
      'context and a message',
      say({ additionalContext: 'c', systemMessage: 's' }),
      { code: 0, context: ['c'], systemMessages: ['s'] },
    ],
    [
      'an end',
      say({ continue: false, stopReason: 'halt' }),
      { code: 2, continue: false, stopReason: 'halt' },
    ],
    [
      'a failure',
      'echo broken >&2; exit 3',
      { code: 1, outcome: 'none', errors: [expect.stringContaining('broken')] },
    ],
    ['an answer that is none', 'echo "{bad}"', { code: 1, outcome: 'none', errors: [expect.any(String)] }],
  ])('tells %s, with an exit code of its own', async (_, command, expected) => {
    await using cli = await folderWith(on('PreToolUse', command))
    expect(await report(cli, 'PreToolUse', call)).toMatchObject(expected)
  })

  it('tells a block, another output and variables where the event has them', async () => {
    await using cli = await folderWith({
      ...on('Stop', 'echo "go on" >&2; exit 2'),
      ...on(
        'PostToolUse',
        say({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'short' } }),
      ),
      ...on('SessionStart', 'echo "export A=1" > "$CLAUDE_ENV_FILE"'),
    })
    expect(await report(cli, 'Stop', { stop_hook_active: false })).toMatchObject({
      code: 2,
      outcome: 'block',
    })
    expect(await report(cli, 'PostToolUse', { ...call, tool_response: 'long' })).toMatchObject({
      updatedOutput: 'short',
    })
    expect(await report(cli, 'SessionStart', { source: 'startup' })).toMatchObject({
      envFile: 'export A=1\n',
    })
  })

  it('tells of each handler what it is, what it wrote and how it ended', async () => {
    await using cli = await folderWith(on('PreToolUse', 'echo out; echo err >&2', 'exit 1'))
    const { handlers } = await report(cli, 'PreToolUse', call)
    expect(handlers).toEqual([
      {
        handler: 'echo out; echo err >&2',
        type: 'command',
        source: 'project',
        outcome: 'success',
        exitCode: 0,
        stdout: 'out',
        stderr: expect.stringContaining('err'),
        durationMs: expect.any(Number),
      },
      expect.objectContaining({
        handler: 'exit 1',
        outcome: 'failed',
        exitCode: 1,
        error: expect.any(String),
      }),
    ])
  })

  it('reads the input of a file too, fills in what every hook is told, and meets matchers and rules', async () => {
    await using cli = await folderWith({
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command', command: 'cat > seen.json', if: 'Bash(rm *)' }] },
        { matcher: 'Bash', hooks: [{ type: 'command', command: 'touch no', if: 'Bash(git *)' }] },
        { matcher: 'Write', hooks: [{ type: 'command', command: 'touch no' }] },
      ],
    })
    cli.write('call.json', call)
    const { code, stdout } = await cli.run(['hooks', 'test', '--event', 'PreToolUse', '--input', 'call.json'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^PreToolUse: 1 ran\n  command \[cat > seen\.json\] success, exit 0, \d+ ms\noutcome: none\n$/,
    )
    expect(cli.read('no')).toBeUndefined()
    expect(JSON.parse(cli.read('seen.json') ?? '')).toMatchObject({
      ...call,
      hook_event_name: 'PreToolUse',
      cwd: cli.cwd,
      session_id: expect.any(String),
      transcript_path: expect.any(String),
      permission_mode: 'default',
    })
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the hooks with all they started, and says so', async (signal, code) => {
    await using cli = await folderWith(on('Stop', 'sleep 300 & echo $! > child; echo $$ > pid; wait'))
    const running = cli.start(['hooks', 'test', '--event', 'Stop'])
    await expect.poll(() => cli.read('pid')).toMatch(/\n$/)
    running.child.kill(signal)
    const result = await running.ended
    expect(result.code).toBe(code)
    expect(result.stdout).toContain('cancelled')
    for (const name of ['pid', 'child']) expect(isRunning(Number(cli.read(name)))).toBe(false)
  })

  it('says that no handler is meant', async () => {
    await using cli = await Cli.start()
    const { stdout, code } = await cli.run(['hooks', 'test', '--event', 'Stop'], { env: noEndpoint })
    expect([code, stdout]).toEqual([0, 'Stop: no handler is meant by this input\noutcome: none\n'])
  })

  it('reports a hook that asks a model where none is configured', async () => {
    await using cli = await folderWith({ Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?' }] }] })
    const { errors } = await report(cli, 'Stop', { stop_hook_active: false })
    expect(errors).toEqual([expect.stringContaining('No model endpoint is configured')])
  })

  it.each([
    [['--event', 'PreToolUze'], '', 'There is no event PreToolUze. Known: '],
    [[], '', 'Name an event.'],
    [['--event', 'Stop', '--input', '-'], '{"a":', 'The input is not JSON (-)'],
    [['--event', 'Stop', '--input', '-'], '[1]', 'The input must be a JSON object (-)'],
    [['--event', 'Stop', '--input', 'gone.json'], '', 'gone.json'],
    [['--event', 'Stop', '--nonsense'], '', '--nonsense'],
  ])('refuses %j with a line', async (args, stdin, message) => {
    await using cli = await Cli.start()
    const { code, stdout, stderr } = await cli.run(['hooks', 'test', ...args], { stdin })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(message)
    expect(stderr).toMatch(/^Error: /)
  })
})

/** What the program says about an event, as JSON, and its exit code. */
async function report(cli: Cli, event: string, input: object): Promise<Record<string, unknown>> {
  const args = ['hooks', 'test', '--event', event, '--input', '-', '--json']
  const result: RunResult = await cli.run(args, { stdin: JSON.stringify(input), env: noEndpoint })
  expect(result.stderr).toBe('')
  return { code: result.code, ...JSON.parse(result.stdout) }
}
