import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtInAgents, findAgent, loadAgents, parseAgentFile } from '../src/index.ts'
import { TemporaryFolder } from './kit.ts'

function agentFile(fields: string, body = 'You work.'): string {
  return `---\n${fields}\n---\n${body}\n`
}

function rev(description: string, more = ''): string {
  return agentFile(`name: rev\ndescription: ${description}${more}`)
}

/** A repository with a user's home beside it. */
class World extends TemporaryFolder {
  readonly home = join(this.path, 'home')
  readonly project = join(this.path, 'repo')

  constructor() {
    super()
    mkdirSync(join(this.project, '.git'), { recursive: true })
    mkdirSync(this.home)
  }

  load(more: Partial<Parameters<typeof loadAgents>[0]> = {}) {
    return loadAgents({ cwd: this.project, home: this.home, env: {}, ...more })
  }
}

async function describeRev(world: World, more: Partial<Parameters<typeof loadAgents>[0]> = {}) {
  const { definitions } = await world.load(more)
  return findAgent(definitions, 'rev')?.description
}

describe('parseAgentFile', () => {
  it.each([
    ['comma text', 'tools: Read, Grep', ['Read', 'Grep']],
    ['a list', 'tools:\n  - Read\n  - Grep', ['Read', 'Grep']],
    ['a flow list', 'tools: [Read, Grep]', ['Read', 'Grep']],
    ['blanks', 'tools: Read Grep', ['Read', 'Grep']],
    ['arguments', 'tools: Agent(a, b), Bash(git *)', ['Agent(a, b)', 'Bash(git *)']],
    ['nothing (example 12)', 'tools:', []],
    ['an empty list', 'tools: []', []],
    ['a star', 'tools: "*"', undefined],
    ['a bare star', 'tools: *', undefined],
    ['no field', 'color: red', undefined],
  ])('reads tools from %s', (_name, field, tools) => {
    expect(parseAgentFile(rev('x', `\n${field}`), 'rev.md').definition?.tools).toEqual(tools)
  })

  it('example 8: tools are exactly those named', () => {
    expect(parseAgentFile(rev('x', '\ntools: Read, Grep'), 'a.md').definition?.tools).toEqual([
      'Read',
      'Grep',
    ])
  })

  it('reads every documented field, also where numbers and booleans are quoted', () => {
    const fields = [
      'name: rev',
      'description: Reviews code',
      'model: Sonnet',
      'permissionMode: plan',
      'maxTurns: "7"',
      'background: "true"',
      'effort: high',
      'isolation: worktree',
      'memory: project',
      'color: cyan',
      'skills: a, b',
      'mcpServers:\n  - github\n  - own: { command: x }',
      'hooks: { Stop: [] }',
      'initialPrompt: Begin.',
      'unknown: ignored',
    ]
    expect(parseAgentFile(agentFile(fields.join('\n')), 'rev.md')).toEqual({
      definition: {
        name: 'rev',
        description: 'Reviews code',
        prompt: 'You work.',
        source: 'project',
        path: 'rev.md',
        model: 'sonnet',
        permissionMode: 'plan',
        maxTurns: 7,
        background: true,
        effort: 'high',
        isolation: 'worktree',
        memory: 'project',
        color: 'cyan',
        skills: ['a', 'b'],
        mcpServers: ['github', { own: { command: 'x' } }],
        hooks: { Stop: [] },
        initialPrompt: 'Begin.',
      },
      problems: [],
    })
  })

  it.each([
    ['a model with blanks', 'model: GPT-4.1 (copilot)', 'model'],
    ['a colour of another product', 'color: "#ff8800"', undefined],
    ['a turn limit below one', 'maxTurns: 0', 'maxTurns'],
    ['a mode that does not exist', 'permissionMode: yolo', 'permissionMode'],
    ['hooks that are a text', 'hooks: none', 'hooks'],
  ])('tolerates %s, with a note', (_name, field, absent) => {
    const { definition, problems } = parseAgentFile(rev('x', `\n${field}`), 'rev.md')
    expect(problems.map(({ level }) => level)).toEqual(['debug'])
    expect(problems[0]?.reason).toContain(field.split(':')[0])
    if (absent !== undefined) expect(definition).not.toHaveProperty(absent)
  })

  it('keeps models that a service of one’s own may know', () => {
    expect(parseAgentFile(rev('x', '\nmodel: my-model-70b'), 'a.md').definition?.model).toBe('my-model-70b')
    expect(parseAgentFile(rev('x', '\nmodel: inherit'), 'a.md').definition).not.toHaveProperty('model')
  })

  it('reads files of other systems: carriage returns, a byte order mark, rules in the body', () => {
    const text = '\uFEFF---\r\nname: rev\r\ndescription: x\r\n---\r\nOne\r\n\r\n---\r\n\r\nTwo\r\n'
    expect(parseAgentFile(text, 'rev.md').definition?.prompt).toBe('One\n\n---\n\nTwo')
  })

  it.each([
    ['a bare colon', 'description: Use it: always', 'Use it: always'],
    ['a value that starts with @', 'description: @agent reviews', '@agent reviews'],
    [
      'continuation lines in column 0',
      'description: First\nSecond line: more\nthird',
      'First\nSecond line: more\nthird',
    ],
    ['a broken neighbour', 'argument-hint: [a] [b]\ndescription: fine', 'fine'],
    ['an open quote', 'description: "never closed', '"never closed'],
    ['tabs', 'description: x\n\ttools: y', 'x\ntools: y'],
  ])('recovers a file whose YAML breaks at %s', (_name, field, description) => {
    const { definition, problems } = parseAgentFile(agentFile(`name: rev\n${field}\nmodel: opus`), 'rev.md')
    expect(definition).toMatchObject({ name: 'rev', description, model: 'opus' })
    expect(problems).toMatchObject([{ path: 'rev.md', level: 'debug' }])
  })

  it('recovers lists and nested fields of a broken file', () => {
    const fields = 'name: rev\ndescription: a: b\ntools:\n  - Read\n  - Grep\nhooks:\n  Stop:\n    - x'
    expect(parseAgentFile(agentFile(fields), 'rev.md').definition).toMatchObject({
      tools: ['Read', 'Grep'],
      hooks: { Stop: ['x'] },
    })
  })

  it('never runs or grows anything: tags and aliases are text', () => {
    const bomb = 'name: rev\ndescription: x\na: &a [1,1]\nb: [*a,*a]'
    expect(parseAgentFile(agentFile(bomb), 'rev.md').definition).toMatchObject({ description: 'x' })
    expect(parseAgentFile('---js\nthrow 1\n---\nx', 'rev.md')).toEqual({ problems: [] })
  })

  it('says nothing of documents, and why for the rest', () => {
    expect(parseAgentFile('# Read me', 'README.md')).toEqual({ problems: [] })
    expect(parseAgentFile(agentFile('description: x'), 'a.md')).toEqual({ problems: [] }) // example 5
    const reasons = ['name: a:b\ndescription: x', 'name: -a\ndescription: x', 'name: a'].map(
      (fields) => parseAgentFile(agentFile(fields), 'a.md').problems,
    )
    expect(reasons.map(([one]) => one?.level)).toEqual(['debug', 'debug', 'debug']) // example 6
    expect(reasons.map(([one]) => one?.reason)).toEqual([
      'The name "a:b" holds a colon, which is for plugins.',
      'The name "-a" starts with a hyphen.',
      'There is no description.',
    ])
  })

  it('never throws, and gives a name and a description or no definition, for any text', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '---',
        'name: a',
        'description: b',
        'tools: [',
        '- x',
        '  y: z',
        'a: *b',
        'hooks:',
        '"',
      ),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        const { definition } = parseAgentFile(`---${end}${lines.join(end)}`, 'a.md')
        if (definition === undefined) return
        expect(definition.name).not.toBe('')
        expect(definition.description).not.toBe('')
        for (const tool of definition.tools ?? []) expect(typeof tool).toBe('string')
      }),
      { numRuns: 500 },
    )
  })

  it('keeps name, description and tools whatever another line breaks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (junk) => {
        fc.pre(!/[\r\n]/.test(junk) && !/^(?:name|description|tools|---)/.test(junk))
        const text = agentFile(`name: rev\ndescription: Reviews\ntools: Read, Grep\nzz: ${junk}`)
        expect(parseAgentFile(text, 'a.md').definition).toMatchObject({
          name: 'rev',
          description: 'Reviews',
          tools: ['Read', 'Grep'],
        })
      }),
      { numRuns: 500 },
    )
  })
})

describe('loadAgents', () => {
  it('example 1: reads folders inside folders; the name is in the file', async () => {
    using world = new World()
    world.write('repo/.claude/agents/r/x.md', rev('deep'))
    expect(await describeRev(world)).toBe('deep')
  })

  it('example 2: the project’s beats the user’s', async () => {
    using world = new World()
    world.write('home/.claude/agents/rev.md', rev('user'))
    expect(await describeRev(world)).toBe('user')
    world.write('repo/.claude/agents/rev.md', rev('project'))
    expect(await describeRev(world)).toBe('project')
  })

  it('example 3: the flag beats the project, managed beats the flag', async () => {
    using world = new World()
    world.write('repo/.claude/agents/rev.md', rev('project'))
    const flagAgents = '{"rev":{"description":"flag","prompt":"x"}}'
    expect(await describeRev(world, { flagAgents })).toBe('flag')
    world.write('managed/.claude/agents/rev.md', rev('managed'))
    expect(await describeRev(world, { flagAgents, managedFolder: join(world.path, 'managed') })).toBe(
      'managed',
    )
  })

  it('example 4: the nearest folder wins, up to the top of the repository and no further', async () => {
    using world = new World()
    world.write('.claude/agents/other.md', agentFile('name: outside\ndescription: x'))
    world.write('repo/.claude/agents/rev.md', rev('root'))
    world.write('repo/pkg/.claude/agents/rev.md', rev('pkg'))
    expect(await describeRev(world, { cwd: join(world.project, 'pkg') })).toBe('pkg')
    expect(await describeRev(world)).toBe('root')
    const { definitions } = await world.load({ cwd: join(world.project, 'pkg') })
    expect(findAgent(definitions, 'outside')).toBeUndefined()
  })

  it('prefers .x to .claude, for the project and for the user', async () => {
    using world = new World()
    world.write('home/.claude/agents/rev.md', rev('user claude'))
    world.write('home/.x/agents/rev.md', rev('user x'))
    expect(await describeRev(world)).toBe('user x')
    world.write('repo/.claude/agents/rev.md', rev('claude'))
    world.write('repo/.x/agents/rev.md', rev('x'))
    expect(await describeRev(world)).toBe('x')
  })

  it('reads further folders behind the project’s own, and CLAUDE_CONFIG_DIR', async () => {
    using world = new World()
    world.write('other/.claude/agents/rev.md', rev('added'))
    world.write('config/agents/rev.md', rev('config'))
    const env = { CLAUDE_CONFIG_DIR: join(world.path, 'config') }
    expect(await describeRev(world, { env })).toBe('config')
    expect(await describeRev(world, { env, additionalDirectories: [join(world.path, 'other')] })).toBe(
      'added',
    )
  })

  it('example 7: an agent of a plugin has its place in its name and no say over permissions', async () => {
    using world = new World()
    const fields = '\npermissionMode: bypassPermissions\nhooks: { Stop: [] }\nmcpServers: [x]'
    world.write('plugin/agents/security.md', agentFile(`description: sec${fields}`))
    world.write('plugin/agents/review/deep.md', rev('deep'))
    const plugins = [{ name: 'audit', folder: join(world.path, 'plugin') }]
    const { definitions } = await world.load({ plugins })
    const names = definitions.filter(({ source }) => source === 'plugin')
    expect(names.map(({ name }) => name).toSorted()).toEqual(['audit:review:rev', 'audit:security'])
    expect(findAgent(definitions, 'audit:security')).toEqual({
      name: 'audit:security',
      description: 'sec',
      prompt: 'You work.',
      source: 'plugin',
      path: join(world.path, 'plugin/agents/security.md'),
    })
  })

  it('example 49: in a folder that is not trusted itself, hooks and servers are left out and the agent loads', async () => {
    using world = new World()
    const fields = '\nhooks: { Stop: [] }\nmcpServers:\n  - named\n  - own: { command: x }'
    world.write('repo/.claude/agents/rev.md', rev('x', fields))
    const untrusted = await world.load({ isTrusted: (folder) => folder === world.path })
    expect(findAgent(untrusted.definitions, 'rev')).not.toHaveProperty('hooks')
    expect(findAgent(untrusted.definitions, 'rev')?.mcpServers).toEqual(['named'])
    expect(untrusted.problems).toMatchObject([{ level: 'warning' }])
    const trusted = await world.load({ isTrusted: (folder) => folder === world.project })
    expect(findAgent(trusted.definitions, 'rev')).toMatchObject({ hooks: { Stop: [] } })
    world.write('home/.claude/agents/mine.md', agentFile('name: mine\ndescription: x\nhooks: { Stop: [] }'))
    expect(findAgent((await world.load()).definitions, 'mine')).toMatchObject({ hooks: { Stop: [] } })
  })

  it('runs in no mode that asks for nothing because a folder says so that is not trusted', async () => {
    using world = new World()
    const bypass = '\npermissionMode: bypassPermissions'
    world.write(
      'repo/.claude/agents/general-purpose.md',
      agentFile(`name: general-purpose\ndescription: x${bypass}`),
    )
    world.write(
      'repo/.claude/agents/plan.md',
      agentFile('name: careful\ndescription: x\npermissionMode: plan'),
    )
    world.write('repo/.claude/agents/auto.md', agentFile('name: auto\ndescription: x\npermissionMode: auto'))
    world.write('home/.claude/agents/mine.md', agentFile(`name: mine\ndescription: x${bypass}`))
    const { definitions, problems } = await world.load()
    const modes = ['general-purpose', 'auto', 'careful', 'mine'].map(
      (name) => findAgent(definitions, name)?.permissionMode,
    )
    expect(modes).toEqual([undefined, undefined, 'plan', 'bypassPermissions'])
    const warning = { level: 'warning', reason: expect.stringContaining('not trusted') }
    expect(problems).toMatchObject([warning, warning])
    const trusted = await world.load({ isTrusted: () => true })
    expect(findAgent(trusted.definitions, 'general-purpose')?.permissionMode).toBe('bypassPermissions')
  })

  it('takes the first of two files of one name in a folder, and warns', async () => {
    using world = new World()
    world.write('repo/.claude/agents/a.md', rev('first'))
    const second = world.write('repo/.claude/agents/b.md', rev('second'))
    const { definitions, problems } = await world.load()
    expect(findAgent(definitions, 'rev')?.description).toBe('first')
    expect(problems).toMatchObject([{ path: second, level: 'warning' }])
  })

  it('reads what stands beside a link to something huge, and stops in there', async () => {
    using world = new World()
    const last = world.write('huge/z.md', agentFile('name: last\ndescription: x'))
    for (let index = 0; index < 5_100; index += 1) writeFileSync(join(dirname(last), `${index}`), '')
    world.write('repo/.claude/agents/z/rev.md', rev('beside'))
    symlinkSync(join(world.path, 'huge'), join(world.project, '.claude/agents/all'))
    const { definitions, problems } = await world.load()
    expect(findAgent(definitions, 'rev')?.description).toBe('beside')
    expect(findAgent(definitions, 'last')).toBeUndefined()
    expect(problems).toMatchObject([{ level: 'warning', reason: expect.stringContaining('5000 names') }])
  })

  it('lists bad files and loads the rest: a dangling link, a circle of links, a file too large', async () => {
    using world = new World()
    world.write('repo/.claude/agents/good.md', rev('good'))
    world.write('repo/.claude/agents/large.md', `${rev('large')}${'x'.repeat(1024 * 1024)}`)
    symlinkSync('/nowhere/at/all', join(world.project, '.claude/agents/gone.md'))
    symlinkSync(join(world.project, '.claude/agents'), join(world.project, '.claude/agents/again'))
    const { definitions, problems } = await world.load()
    expect(findAgent(definitions, 'rev')?.description).toBe('good')
    expect(new Set(problems.map(({ path }) => path.split('/').at(-1)))).toEqual(
      new Set(['gone.md', 'large.md']),
    )
  })

  it.each([
    ['text that is no JSON', '{', 1],
    ['a list', '[]', 1],
    ['an entry that is no object', '{"a":1,"rev":{"description":"ok","prompt":"p"}}', 1],
    ['an entry without a prompt', '{"a":{"description":"x"},"rev":{"description":"ok","prompt":"p"}}', 1],
  ])('survives --agents with %s', async (_name, flagAgents, count) => {
    using world = new World()
    const { definitions, problems } = await world.load({ flagAgents })
    expect(problems).toHaveLength(count)
    expect(problems[0]?.level).toBe('warning')
    if (flagAgents.includes('rev')) expect(findAgent(definitions, 'rev')?.source).toBe('flag')
  })

  it('takes definitions in code, which a user’s file does not replace and a color is no part of', async () => {
    using world = new World()
    world.write('home/.claude/agents/rev.md', rev('user'))
    const codeAgents = { rev: { description: 'code', prompt: 'p', tools: ['Read'], color: 'red' } }
    const { definitions } = await world.load({ codeAgents })
    expect(findAgent(definitions, 'rev')).toMatchObject({ description: 'code', tools: ['Read'] })
    expect(findAgent(definitions, 'rev')).not.toHaveProperty('color')
  })

  it('has three agents built in, which the environment takes away and a file replaces', async () => {
    using world = new World()
    const names = async (more = {}) => (await world.load(more)).definitions.map(({ name }) => name)
    expect(await names()).toEqual(['general-purpose', 'Explore', 'Plan'])
    expect(await names({ env: { CLAUDE_CODE_DISABLE_EXPLORE_PLAN_AGENTS: '1' } })).toEqual([
      'general-purpose',
    ])
    const env = { CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS: '1' }
    expect(await names({ env })).toHaveLength(3)
    expect(await names({ env, isNonInteractive: true })).toEqual([])
    world.write('repo/.claude/agents/e.md', agentFile('name: Explore\ndescription: mine'))
    const { definitions } = await world.load()
    expect(findAgent(definitions, 'Explore')).toMatchObject({ description: 'mine', source: 'project' })
    expect(findAgent(definitions, 'Explore')).not.toHaveProperty('isOneShot')
  })
})

describe('findAgent', () => {
  it('example 20: matches without regard to case and separators; an exact name first', () => {
    const [agent] = builtInAgents()
    const all = ['code_reviewer', 'code-reviewer', 'p:x'].map((name) => ({ ...agent!, name }))
    expect(findAgent(all, 'Code Reviewer')?.name).toBe('code_reviewer')
    expect(findAgent(all, 'code-reviewer')?.name).toBe('code-reviewer')
    expect(findAgent(all, 'GENERAL.PURPOSE')).toBeUndefined()
    expect(findAgent(all, 'px')).toBeUndefined()
    expect(findAgent(all, '  ')).toBeUndefined()
  })
})
