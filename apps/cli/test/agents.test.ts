import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import {
  agentCall,
  agentFile,
  all,
  git,
  makeRepository,
  noticesIn,
  requestsOf,
  startCli,
} from './agent-script.ts'
import { type Cli, isRunning, parseLines } from './cli.ts'

const bash = (command: string) => toolUse('Bash', { command })
const toRev = { Main: [[agentCall('Look', 'rev')], [text('Done.')]], Look: [[text('Seen.')]] }

describe('agent files', () => {
  it('in a folder of the project are types by their name, and run with their prompt (agents.md 1)', async () => {
    await using cli = await startCli(toRev, { '.claude/agents/r/x.md': agentFile('rev', 'You review.') })
    const { code, stdout, stderr } = await cli.run(['-p', 'Main'])
    expect([code, stdout, stderr]).toEqual([0, 'Done.\n', ''])
    expect(JSON.stringify(requestsOf(cli, 'Look')[0]?.body.system)).toContain('You review.')
  })

  it('begin with their skills and have their effort; a skill that is not there is a warning', async () => {
    await using cli = await startCli(toRev, {
      '.claude/agents/rev.md': agentFile('rev', 'You review.', 'effort: low\nskills: style, none\n'),
      '.claude/skills/style/SKILL.md': '---\ndescription: d\n---\nTwo blanks.\n',
    })
    const { code, stdout, stderr } = await cli.run(['-p', 'Main', '--effort', 'high'])
    expect([code, stdout]).toEqual([0, 'Done.\n'])
    expect(stderr).toContain('The agent rev begins without the skill "none": there is no such skill.')
    const [look] = requestsOf(cli, 'Look')
    expect(look?.body).toMatchObject({ output_config: { effort: 'low' } })
    expect(JSON.stringify(look?.body.messages)).toContain('Two blanks.')
    expect(cli.server.requests[0]?.body).toMatchObject({ output_config: { effort: 'high' } })
  })

  it('of the project beat those of the user, --agents beats both (agents.md 2, 3)', async () => {
    await using cli = await startCli(toRev, {
      '.claude/agents/rev.md': agentFile('rev', 'Of the project.'),
      'home/.claude/agents/rev.md': agentFile('rev', 'Of the user.'),
    })
    const flag = JSON.stringify({ rev: { description: 'd', prompt: 'Of the flag.' } })
    const settings = ['--setting-sources', 'user']
    for (const args of [[], ['--agents', flag], settings]) await cli.run(['-p', 'Main', ...args])
    const prompts = requestsOf(cli, 'Look').map(
      ({ body }) => /Of the (\w+)/.exec(JSON.stringify(body.system))?.[1],
    )
    expect(prompts).toEqual(['project', 'flag', 'user'])
  })

  it('nearest to the working folder win, up to the top of the repository (agents.md 4)', async () => {
    await using cli = await startCli(toRev, {
      '.claude/agents/rev.md': agentFile('rev', 'Of the root.'),
      '.claude/agents/far.md': agentFile('far', 'Of the root.'),
      'pkg/.claude/agents/rev.md': agentFile('rev', 'Of pkg.'),
    })
    makeRepository(cli)
    const { stdout } = await cli.run(['agents', 'list', '--json'], { folder: 'pkg' })
    const { agents } = JSON.parse(stdout)
    expect(agents).toContainEqual(
      expect.objectContaining({ name: 'rev', prompt: 'Of pkg.', source: 'project' }),
    )
    expect(agents).toContainEqual(expect.objectContaining({ name: 'far', prompt: 'Of the root.' }))
  })

  it('without a name are documents, and one with a colon in it is noted in the list alone (agents.md 5, 6)', async () => {
    await using cli = await startCli(toRev, {
      '.claude/agents/readme.md': '# About agents\n',
      '.claude/agents/colon.md': agentFile('a:b', 'Never.'),
      '.claude/agents/rev.md': agentFile('rev', 'You review.', 'tools: Read\n'),
    })
    const { stdout, stderr } = await cli.run(['agents', 'list'])
    expect(stdout).toMatch(/^rev {2}For tests\n {2}from project \(.*rev\.md\)\n {2}tools Read\n/)
    expect(stdout).toMatch(/general-purpose[\s\S]*from built-in/)
    expect(stderr).toMatch(/^Note: .*colon\.md: .*\n$/)
    expect((await cli.run(['-p', 'Main'])).stderr).toBe('')
  })

  it('drive no terminal when they are listed', async () => {
    await using cli = await startCli(toRev, {
      '.claude/agents/rev.md': '---\nname: rev\ndescription: "a\\e[2Jb"\nmodel: "c\\e[1Ad"\n---\nYou review.',
    })
    const { stdout } = await cli.run(['agents', 'list'])
    expect(stdout).toContain('rev  ab\n')
    expect(stdout).not.toContain('\u001b')
  })

  it('built in are taken away by variables, those of the settings too; all of them where nobody is there (agents.md 1.1)', async () => {
    await using cli = await startCli({ Main: [[text('Done.')]] })
    const agentsWith = async (variable: string, way: 'env' | 'settings') => {
      cli.write('home/.claude/settings.json', way === 'settings' ? { env: { [variable]: '1' } } : {})
      const env = way === 'env' ? { [variable]: '1' } : {}
      const format = ['--output-format', 'stream-json', '--verbose']
      const run = await cli.run(['-p', 'Main', ...format], { env })
      const listed = await cli.run(['agents', 'list', '--json'], { env })
      const [init] = parseLines(run.stdout).filter((one) => one.type === 'system' && one.subtype === 'init')
      const inList = JSON.parse(listed.stdout).agents.map(({ name }: { name: string }) => name)
      return [init?.type === 'system' && init['agents'], inList]
    }
    const all = ['general-purpose', 'Explore', 'Plan']
    for (const way of ['env', 'settings'] as const) {
      expect(await agentsWith('CLAUDE_CODE_DISABLE_EXPLORE_PLAN_AGENTS', way)).toEqual([
        ['general-purpose'],
        ['general-purpose'],
      ])
      expect(await agentsWith('CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS', way)).toEqual([[], all])
    }
  })

  it('start no hooks unless exactly this folder is trusted, not with -p either (agents.md 49)', async () => {
    const hooks = '{PreToolUse: [{hooks: [{type: command, command: "touch hooked"}]}]}'
    await using cli = await startCli(
      { ...toRev, Look: [[toolUse('Glob', { pattern: '*' })], [text('Seen.')]] },
      { '.claude/agents/rev.md': agentFile('rev', 'You review.', `hooks: ${hooks}\n`) },
    )
    const trust = (folder: string) =>
      cli.write('.x/trust.json', { folders: { [folder]: { trustedAt: 'x' } } })
    trust('/')
    const untrusted = await cli.stream('Main')
    expect([untrusted.code, cli.read('hooked'), requestsOf(cli, 'Look').length]).toEqual([0, undefined, 2])
    expect(noticesIn(untrusted.events).join('\n')).toMatch(/rev\.md: The folder is not trusted/)
    expect((await cli.run(['-p', 'Main'])).stderr).toMatch(
      /^Warning: .*rev\.md: The folder is not trusted.*\n$/,
    )
    trust(cli.cwd)
    const trusted = await cli.run(['-p', 'Main'])
    expect([trusted.stderr, cli.read('hooked')]).toEqual(['', ''])
  })
})

describe('a rule about agents of a type', () => {
  it('counts for waking one, too', async () => {
    const wake = [toolUse('SendMessage', { to: 'bob', message: 'Go on' })]
    await using cli = await startCli(
      {
        Main: [[agentCall('Look', 'rev', { name: 'bob' })], [text('Started.')], wake, [text('Done.')]],
        Look: [[text('Seen.')]],
      },
      { '.claude/agents/rev.md': agentFile('rev', 'You review.') },
    )
    const { events } = await cli.stream('Main')
    const resume = ['--resume', events[0]?.session_id ?? '', '--disallowedTools', 'Agent(rev)']
    await cli.run(['-p', 'Write to bob', ...resume, ...all])
    expect(requestsOf(cli, 'Look')).toHaveLength(1)
    expect(JSON.stringify(cli.server.requests.at(-1)?.body.messages.at(-1))).toMatch(
      /Agent\(rev\).*Nothing was sent/,
    )
  })
})

describe('flags for agents', () => {
  it('--agent makes the session one, with the types that it may start (agents.md 15)', async () => {
    await using cli = await startCli({ Main: [[agentCall('Look', 'other')], [text('Done.')]] })
    const agents = {
      boss: { description: 'b', prompt: 'You are the boss.', tools: 'Read, Agent(worker)' },
      worker: { description: 'w', prompt: 'You work.' },
      other: { description: 'o', prompt: 'You never work.' },
    }
    await cli.run(['-p', 'Main', '--agent', 'boss', '--agents', JSON.stringify(agents)])
    const [first, second] = cli.server.requests.map(({ body }) => body)
    expect(JSON.stringify(first?.system)).toContain('You are the boss.')
    expect(first?.tools?.map(({ name }) => name)).toEqual(['Read', 'Agent'])
    const answer = JSON.stringify(second?.messages.at(-1))
    expect(answer).toContain('worker')
    expect(answer).toContain('"is_error":true')
    expect(requestsOf(cli, 'Look')).toEqual([])
  })

  it('--agent holds for a session that is resumed, another one beats it, and one that is gone is told (agents.md 9)', async () => {
    const answers = [[text('One.')], [text('Two.')], [text('Three.')], [text('Four.')]]
    await using cli = await startCli(
      { Main: answers },
      { '.claude/agents/boss.md': agentFile('boss', 'You are the boss.', 'tools: Read\n') },
    )
    const other = JSON.stringify({ other: { description: 'o', prompt: 'You are another.' } })
    await cli.run(['-p', 'Main', '--agent', 'boss'])
    await cli.run(['-p', 'On', '--continue'])
    await cli.run(['-p', 'On', '--continue', '--agents', other, '--agent', 'other'])
    cli.write('.claude/agents/boss.md', '')
    const gone = await cli.run(['-p', 'On', '--continue', '--agents', other])
    const goneToo = await cli.run(['-p', 'On', '--continue'])
    const systems = cli.server.requests.map(
      ({ body }) => /You are (\w+)/.exec(JSON.stringify(body.system))?.[0],
    )
    const [boss, another] = ['You are the', 'You are another']
    expect(systems.slice(0, 4)).toEqual([boss, boss, another, another])
    expect([gone.stderr, goneToo.stderr]).toEqual([
      '',
      'Warning: The agent other, which this session was, does not exist any more; it goes on without.\n',
    ])
    expect(cli.server.requests[1]?.body.tools?.map(({ name }) => name)).toEqual(['Read'])
  })

  it.each([
    [['--agents', '{"rev":'], /^Error: --agents is not valid JSON/],
    [['--agents', '[]'], /^Error: --agents must be a JSON object/],
    [['--agent', 'nobody'], /^Error: agent names nobody.*general-purpose/],
  ])('%j is an error before the run', async (args, message) => {
    await using cli = await startCli({})
    const { code, stdout, stderr } = await cli.run(['-p', 'Main', ...args])
    expect([code, stdout, cli.server.requests.length]).toEqual([1, '', 0])
    expect(stderr).toMatch(message)
  })

  it('an entry of --agents that cannot be used is a warning and hides no other', async () => {
    await using cli = await startCli(toRev)
    const agents = { bad: { description: 'd' }, rev: { description: 'd', prompt: 'You review.' } }
    const { stdout, stderr } = await cli.run(['-p', 'Main', '--agents', JSON.stringify(agents)])
    expect([stdout, stderr]).toEqual(['Done.\n', 'Warning: --agents: bad: There is no prompt; ignored.\n'])
  })

  it('records of agents name their call; their texts come with --forward-subagent-text alone (cli.md 9, 10)', async () => {
    const script = {
      Main: [[agentCall('Look')], [text('Done.')]],
      Look: [[text('I look.'), toolUse('Glob', { pattern: '*.txt' })], [text('Seen.')]],
    }
    await using cli = await startCli(script)
    const plain = await cli.stream('Main')
    const forwarded = await cli.stream('Main', '--forward-subagent-text')
    for (const [{ events }, hasText] of [
      [plain, false],
      [forwarded, true],
    ] as const) {
      const theirs = events.filter(
        (event) => 'parent_tool_use_id' in event && event.parent_tool_use_id !== null,
      )
      expect(theirs.some(({ type }) => type === 'assistant')).toBe(true)
      expect(theirs.some(({ type }) => type === 'user')).toBe(true)
      expect(JSON.stringify(theirs).includes('I look.')).toBe(hasText)
    }
  })

  it('the texts of agents come, too, where a host asks for them by initialize, and no more where it does not (cli.md 5)', async () => {
    await using cli = await startCli({
      Main: [[agentCall('Look')], [text('Done.')]],
      Look: [[text('I look.')]],
    })
    const format = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']
    for (const [args, forwardSubagentText, isTold] of [
      [[], true, true],
      [['--forward-subagent-text'], false, false],
      [['--forward-subagent-text'], undefined, true],
    ] as const) {
      const request = { subtype: 'initialize', forwardSubagentText }
      const lines = [
        { type: 'control_request', request_id: '1', request },
        { type: 'user', message: { role: 'user', content: 'Main' } },
      ]
      const stdin = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      const { stdout } = await cli.run(['-p', ...format, ...args], { stdin })
      expect(/"type":"assistant".*I look\./.test(stdout)).toBe(isTold)
    }
  })

  it('--append-subagent-system-prompt stands behind the prompt of every agent, and of no session', async () => {
    await using cli = await startCli(toRev, { '.claude/agents/rev.md': agentFile('rev', 'You review.') })
    await cli.run(['-p', 'Main', '--append-subagent-system-prompt', 'Be brief.'])
    expect(JSON.stringify(requestsOf(cli, 'Look')[0]?.body.system)).toMatch(/You review\.[\s\S]*Be brief\./)
    expect(JSON.stringify(requestsOf(cli, 'Main')[0]?.body.system)).not.toContain('Be brief.')
  })

  it('a host brings agents by initialize, which lists them; one that cannot be used is refused', async () => {
    await using cli = await startCli(toRev)
    const initialize = (id: string, agents: object) =>
      JSON.stringify({ type: 'control_request', request_id: id, request: { subtype: 'initialize', agents } })
    const format = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']
    const running = cli.start(['-p', ...format], { stdin: null })
    running.child.stdin?.write(`${initialize('1', { bad: { description: 'd' } })}\n`)
    running.child.stdin?.write(`${initialize('2', { rev: { description: 'd', prompt: 'You review.' } })}\n`)
    await running.sees('"request_id":"2"')
    running.child.stdin?.end(
      `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'Main' } })}\n`,
    )
    const { code, stdout } = await running.ended
    expect(code).toBe(0)
    const answers = stdout
      .split('\n')
      .filter((line) => line.includes('control_response'))
      .map((line) => JSON.parse(line).response)
    expect(answers[0]).toMatchObject({
      subtype: 'error',
      error: expect.stringMatching(/bad: There is no prompt/),
    })
    expect(answers[1].response.agents[0]).toEqual({ name: 'rev', description: 'd' })
    expect(JSON.stringify(requestsOf(cli, 'Look')[0]?.body.system)).toContain('You review.')
    expect(JSON.stringify(requestsOf(cli, 'Main')[0]?.body.tools)).toContain('- rev')
  })
})

/** The processes that agents have written down in their worktrees. */
function heldIn(cli: Cli): readonly number[] {
  const folder = cli.path('.claude/worktrees')
  const names = existsSync(folder) ? readdirSync(folder) : []
  const texts = names.map((name) => cli.read(join('.claude/worktrees', name, 'held.pid')) ?? '')
  return texts.flatMap((text) => (text.endsWith('\n') ? text.trim().split(' ').map(Number) : []))
}

describe('agents at the end of a run', () => {
  it('in the background are waited for, and what they report is answered (cli.md 53)', async () => {
    await using cli = await startCli({
      Main: [
        [agentCall('Slow', 'general-purpose', { run_in_background: true })],
        [text('Started.')],
        [text('It is slow.')],
      ],
      Slow: [[bash('sleep 0.5; echo $$ > slow.pid')], [text('done slowly')]],
    })
    const { code, events } = await cli.stream('Main', ...all)
    expect(code).toBe(0)
    const results = events.flatMap((event) => (event.type === 'result' ? event.result : []))
    expect(results).toEqual(['Started.', 'It is slow.'])
    expect(JSON.stringify(requestsOf(cli, 'Main').at(-1)?.body.messages)).toContain('done slowly')
  })

  it('that were killed with what ran for them are told of that once, when they go on', async () => {
    const hold = (name: string, more: object = {}) =>
      toolUse('Bash', { command: `echo $$ > ${name}.pid; sleep 300`, ...more })
    const send = toolUse('SendMessage', { to: 'boss', message: 'Go on', summary: 'Go on' })
    await using cli = await startCli({
      Main: [
        [agentCall('Boss', 'general-purpose', { name: 'boss' })],
        [send],
        [text('Sent.')],
        [send],
        [text('Again.')],
      ],
      Boss: [
        [
          hold('shell', { run_in_background: true }),
          agentCall('Helper', 'general-purpose', { run_in_background: true }),
        ],
        [hold('boss')],
        [text('Noted.')],
        [text('Nothing new.')],
      ],
      Helper: [[hold('helper')]],
    })
    const names = ['shell', 'boss', 'helper']
    const id = '3f1c2a52-8f0e-4b63-9d8a-5b0e6f1d2c11'
    const running = cli.start(['-p', 'Main', '--session-id', id, ...all])
    await expect
      .poll(() => names.map((name) => cli.read(`${name}.pid`)))
      .toEqual(names.map(() => expect.stringMatching(/\n$/)))
    running.child.kill('SIGKILL')
    await running.ended
    for (const name of names) process.kill(-Number(cli.read(`${name}.pid`)), 'SIGKILL')
    for (const prompt of ['What now?', 'And now?']) {
      const { code } = await cli.run(['-p', prompt, '--resume', id, ...all])
      expect(code).toBe(0)
    }
    const told = JSON.stringify(requestsOf(cli, 'Boss').at(-1)?.body.messages)
    expect(told.match(/ended with the program that ran it/g)).toHaveLength(2)
    expect(told).toMatch(/Its conversation is kept: SendMessage with to: a[0-9a-f]+ lets it go on/)
    expect(told).toContain('look before you repeat it')
  })

  it.each([
    ['SIGINT', 130, false],
    ['SIGTERM', 143, false],
    ['SIGTERM', 143, true],
  ] as const)(
    '%s ends them with all they started; worktrees are free again (exit %i, in the background: %s)',
    async (signal, exitCode, inBackground) => {
      const isolated = { isolation: 'worktree', run_in_background: inBackground }
      const hold = [[bash('sleep 600 & echo $$ $! > held.pid; sleep 600')]]
      await using cli = await startCli({
        Main: [
          [agentCall('First', 'general-purpose', isolated), agentCall('Second', 'general-purpose', isolated)],
          [text('Started.')],
        ],
        First: hold,
        Second: hold,
      })
      makeRepository(cli)
      const held = () => heldIn(cli)
      const running = cli.start(['-p', 'Main', '--output-format', 'stream-json', '--verbose', ...all])
      await expect.poll(() => held().length).toBe(4)
      running.child.kill(signal)
      const { code, stdout } = await running.ended
      expect(code).toBe(exitCode)
      expect(held().filter(isRunning)).toEqual([])
      const ids = parseLines(stdout).flatMap((event) => (event.type === 'result' ? [event.subtype] : []))
      expect(ids.includes('error_during_execution')).toBe(signal === 'SIGINT')
      const listed = JSON.parse((await cli.run(['worktrees', 'list', '--json'])).stdout)
      expect(listed).toMatchObject([
        { state: 'ready', contents: 'changed' },
        { state: 'ready', contents: 'changed' },
      ])
      expect(git(cli.cwd, 'status', '--porcelain')).toBe('')
    },
  )
})
