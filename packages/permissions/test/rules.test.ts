import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createPermissions,
  formatRule,
  parseRule,
  permissionModes,
  splitRuleList,
  toPermissionMode,
} from '../src/index.ts'
import { outcome, permissionsFor, rulesOf } from './builders.ts'

describe('parseRule', () => {
  it.each([
    ['Bash', { toolName: 'Bash' }],
    [' Bash ', { toolName: 'Bash' }],
    ['Bash()', { toolName: 'Bash' }],
    ['Bash(*)', { toolName: 'Bash' }],
    ['Bash( * )', { toolName: 'Bash' }],
    ['Bash(npm run test:unit)', { toolName: 'Bash', specifier: 'npm run test:unit' }],
    ['Bash(echo "(a)" | cat)', { toolName: 'Bash', specifier: 'echo "(a)" | cat' }],
    ['Bash(a\nb)', { toolName: 'Bash', specifier: 'a\nb' }],
    ['Read(C:\\Users\\x)', { toolName: 'Read', specifier: 'C:\\Users\\x' }],
    ['mcp__a__*', { toolName: 'mcp__a__*' }],
    ['*', { toolName: '*' }],
    ['Stop Task', { toolName: 'Stop Task' }],
  ])('%j', (text, parts) => {
    expect(parseRule(text)).toEqual({ ok: true, ...parts })
  })

  it.each(['', ' ', '(a)', 'Bash(', 'Bash(a', 'Bash(a) b', 'Bash)', 'a b(c)'])('%j is no rule', (text) => {
    expect(parseRule(text)).toMatchObject({ ok: false, message: expect.stringContaining('Tool(specifier)') })
  })

  it('never throws, and formatRule is its inverse', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const rule = parseRule(text)
        if (rule.ok) expect(parseRule(formatRule(rule))).toEqual(rule)
      }),
    )
  })
})

describe('splitRuleList', () => {
  it.each([
    ['Read Edit', ['Read', 'Edit']],
    ['Read,Edit', ['Read', 'Edit']],
    [' Read, Bash(git log *) , Edit ', ['Read', 'Bash(git log *)', 'Edit']],
    ['Bash(a (b, c) d),Read', ['Bash(a (b, c) d)', 'Read']],
    ['', []],
    ['Bash(a', ['Bash(a']],
  ])('%j', (text, rules) => {
    expect(splitRuleList(text)).toEqual(rules)
  })
})

describe('problems', () => {
  it.each([
    ['+ "*"', 'mcp__<server>__'],
    ['+ mcp__*', 'mcp__<server>__'],
    ['+ mcp__gh*', 'mcp__<server>__'],
    ['- Stop Task', 'names no tool'],
    ['- bash(rm x)', 'names no tool'],
    ['+ Write(docs/**)', 'write Edit(path)'],
    ['- NotebookEdit(docs/**)', 'write Edit(path)'],
    ['- Glob(src/**)', 'write Read(path)'],
    ['- Bash(command:rm *)', 'already'],
    ['+ WebFetch(example.com)', 'WebFetch(domain:host)'],
    ['+ TodoWrite(x)', 'takes nothing in parentheses'],
  ])('%s is told: %s', (rules, message) => {
    expect(permissionsFor(rules).problems.map((problem) => problem.message)).toEqual([
      expect.stringContaining(message),
    ])
  })

  it.each([
    '- my_tool',
    '- mcp__x__y',
    '- mcp__*',
    '+ Task',
    '? Agent(model:opus)',
    '- Foo*',
    '+ Whatever',
    '+ Bash(ls:*)',
  ])('%s is fine', (rules) => {
    expect(permissionsFor(rules).problems).toEqual([])
  })

  it('one bad rule costs no other', () => {
    const permissions = permissionsFor([
      { behavior: 'deny', text: 'Bash(' },
      { behavior: 'deny', text: 'Bash(rm *)' },
    ])
    expect([permissions.problems.length, outcome(permissions, 'rm x')]).toEqual([1, 'DENY'])
  })
})

// Anything worse than proportional time would take minutes.
it('reads long hostile rules before the test runs out of time', () => {
  const many = (part: string): string => part.repeat(500_000 / part.length)
  const texts = [
    `mcp__a${many('_')}*`,
    `mcp__a${many('_')}(x)*`,
    `Agent(a:x${many(' ')}y)`,
    `Bash(uv ${many('*')}\nx)`,
  ]
  const rules = texts.map((text) => ({ behavior: 'allow', text, layer: 'project' }) as const)
  expect(outcome(permissionsFor(rules, { mode: 'auto' }), 'uv x')).toBe('CLASSIFY')
})

describe('old names', () => {
  it.each([
    ['- KillShell', ['TaskStop', {}]],
    ['- BashOutput', ['TaskOutput', {}]],
    ['- Task', ['Agent', {}]],
    ['- Agent', ['Task', {}]],
    ['- SlashCommand(deploy)', ['Skill', 'deploy']],
  ] as const)('%s speaks about %j', (rules, call) => {
    expect(['DENY', 'REMOVED']).toContain(outcome(permissionsFor(rules), call))
  })
})

it('modes have names, and manual is default', () => {
  expect(permissionModes.map(toPermissionMode)).toEqual([...permissionModes])
  expect([toPermissionMode('manual'), toPermissionMode('yolo'), toPermissionMode(3)]).toEqual([
    'default',
    undefined,
    undefined,
  ])
})

describe('any rules and any calls', () => {
  const token = fc.constantFrom(
    ...'Bash Read Edit ( ) * ** : / // ~ . .. [ ] [a- \\ ? ! domain: model: mcp__ a __ { } , $X " \n'.split(
      ' ',
    ),
    ' ',
    '\0',
    'é',
  )
  const text = fc.oneof(
    fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join('')),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  const rule = fc.record({ behavior: fc.constantFrom('allow', 'deny', 'ask' as const), text })
  const tool = fc.constantFrom(
    'Bash',
    'Read',
    'Edit',
    'Glob',
    'WebFetch',
    'PowerShell',
    'Skill',
    'Agent',
    'mcp__a__b',
  )
  const input = fc.dictionary(
    fc.constantFrom('command', 'file_path', 'path', 'pattern', 'url', 'skill', 'args', 'subagent_type'),
    fc.oneof(text, fc.jsonValue()),
  )

  it('never fail: there is always a verdict with a reason', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), tool, input, (rules, name, given) => {
        const verdict = createPermissions({ rules, cwd: '/repo', readLink: () => true }).check(name, given)
        expect(verdict.reason.detail).not.toContain('the check failed')
        expect(verdict.reason.detail).not.toBe('')
      }),
      { numRuns: 1000 },
    )
  })

  it('more rules that forbid never allow more', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), rule, tool, (rules, more, name) => {
        const call = { command: 'git status && tool x > out', file_path: 'src/a.ts', url: 'https://a.b/' }
        const rank = (list: typeof rules): number =>
          ['deny', 'ask', 'allow'].indexOf(
            createPermissions({ rules: list, cwd: '/repo', readLink: () => true }).check(name, call).behavior,
          )
        const forbids = { ...more, behavior: more.behavior === 'allow' ? ('ask' as const) : more.behavior }
        expect(rank([...rules, forbids])).toBeLessThanOrEqual(rank(rules))
      }),
      { numRuns: 500 },
    )
  })
})

describe('patterns', () => {
  const permissions = (rule: string): ReturnType<typeof permissionsFor> =>
    permissionsFor(rulesOf(`- ${rule}`))
  it.each([
    ['Read(*.pem)', 'a/b.pem', true],
    ['Read(docs/)', 'docs/a', true],
    ['Read(docs)', 'x/docs/a', true],
    ['Read(/docs)', 'x/docs/a', false],
    ['Read(**/a/**/b)', 'x/a/y/z/b', true],
    ['Read(**/a/**/b)', 'a/b', true],
    ['Read(a/*/b)', 'a/x/y/b', false],
    ['Read([ab]?.txt)', 'a1.txt', true],
    ['Read([!ab]?.txt)', 'a1.txt', false],
    ['Read(\\*.txt)', 'a.txt', false],
    ['Read(name with blanks/**)', 'name with blanks/x', true],
    ['Read(//repo/**/x)', '/repo/a/b/x', true],
    ['Read(//**/x)', '/y/x', true],
    ['Read(~)', '/home/u/a', true],
  ])('%s, %s: %s', (rule, path, denied) => {
    expect(permissions(rule).check('Read', { file_path: path }).behavior === 'deny').toBe(denied)
    expect(permissions(rule).isReadDenied(path)).toBe(denied)
  })

  // Backtracking takes for ever.
  it('many stars do not make a match slow', () => {
    const rules = rulesOf(
      `- Bash(${'*a'.repeat(200)}) - Read(${'*a'.repeat(200)}) - Read(${'**/a/'.repeat(100)}b)`,
    )
    permissionsFor(rules).check('Bash', { command: `x ${'a'.repeat(5000)}` })
    permissionsFor(rules).check('Read', { file_path: `${'a'.repeat(1000)}b` })
    permissionsFor(rules).check('Read', { file_path: `${'a/'.repeat(1000)}c` })
    permissionsFor(rules).check('Bash', { command: `cat ${'*a'.repeat(200)} ${'*/a/'.repeat(50)}` })
  })
})

describe('rules as they are saved', () => {
  it.each([
    ['Bash(node -e "f\\(1\\)")', 'node -e "f(1)"'],
    ['Bash(node -e "f(1)")', 'node -e "f(1)"'],
    ['Bash(node -e "f\\(*)', 'node -e "f(1)"'],
    ['Bash(KEY="a b" node:*)', 'KEY="a b" node x.js'],
    ['Bash(npm_config_arch=x64 node install.js)', 'npm_config_arch=x64 node install.js'],
    ['Bash(timeout 45 npx tsx:*)', 'timeout 45 npx tsx a.ts'],
    ['Bash(xargs grep:*)', 'ls | xargs grep x'],
    ['Bash(./build_v2.6.sh:*)', './build_v2.6.sh --fast'],
    ['Bash(source .venv/bin/activate)', 'source .venv/bin/activate'],
    ['Bash(npm run build:shared:*)', 'npm run build:shared -- -w'],
    ['Bash(src/index.ts )', 'src/index.ts'],
    ['Bash(find node_modules -path */x/package.json)', 'find node_modules -path */x/package.json'],
    ['Bash(sudo apt-get:*)', 'sudo apt-get install x'],
    ['Bash(docker compose:*)', 'docker compose up -d'],
  ])('%s allows %s', (text, command) => {
    expect(outcome(permissionsFor([{ behavior: 'allow', text }]), command)).toBe('ALLOW')
  })

  it.each([
    ['Bash(timeout:*)', 'timeout 45 rm x'],
    ['Bash(timeout 45 npx:*)', 'timeout 45 sh -c "rm x"'],
    ['Bash(nohup *)', 'nohup rm x'],
    ['Bash(KEY=a node:*)', 'KEY=b node x.js'],
    ['Bash(node:*)', 'NODE_OPTIONS=--require=./x node x.js'],
    ['Bash(git:*)', 'git -c core.pager="rm x" log'],
    ['Bash(git:*)', 'git -c alias.x="!rm y" x'],
  ])('%s does not allow %s', (text, command) => {
    expect(outcome(permissionsFor([{ behavior: 'allow', text }]), command)).toBe('ASK')
  })

  it('paths with signs of their own', () => {
    const allow = [{ behavior: 'allow', text: 'Read(//c/Program Files \\(x86\\)/VS//**)' }] as const
    expect(outcome(permissionsFor(allow), ['Read', '/c/Program Files (x86)/VS/a'])).toBe('ALLOW')
  })
})
