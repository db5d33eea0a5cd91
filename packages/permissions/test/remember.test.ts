import { describe, expect, it } from 'vitest'
import { outcome, permissionsFor, type ShortCall, toCall } from './builders.ts'

/** What the verdict on a call suggests. */
function suggested(call: ShortCall, rules = '', options: Parameters<typeof permissionsFor>[1] = {}) {
  const { tool, input } = toCall(call)
  return permissionsFor(rules, options).check(tool, input).suggestions ?? []
}

describe('suggestions', () => {
  it('187: one rule, for the part that needed it', () => {
    expect(suggested('git status && npm test')).toEqual([
      {
        text: 'Bash(npm test)',
        alsoAllows: 'nothing but this command',
        update: {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: 'npm test' }],
          behavior: 'allow',
          destination: 'localSettings',
        },
      },
    ])
  })

  it.each([
    ['npm run build -- --watch', 'Bash(npm run build *)'],
    ['git commit -m "x y"', 'Bash(git commit *)'],
    ['make', 'Bash(make)'],
    ['cargo test --all', 'Bash(cargo test *)'],
    ['timeout 5 jest a', 'Bash(jest *)'],
    ['rm -rf build', 'Bash(rm -rf build)'],
    ['sudo make install', 'Bash(sudo make install)'],
    ['git -C /x push origin main', 'Bash(git push *)'],
    ['git -c core.pager=x push', 'Bash(git -c core.pager=x push)'],
    ['npm --prefix x run build', 'Bash(npm --prefix x run build)'],
    ['docker run -v /:/h image rm -rf /h', 'Bash(docker run -v /:/h image rm -rf /h)'],
    ['pnpm dlx tool x', 'Bash(pnpm dlx tool x)'],
    ['uv run python x.py', 'Bash(uv run python x.py)'],
    ['git config user.name x', 'Bash(git config user.name x)'],
    ['sed -i s/a/b/ f', 'Bash(sed -i s/a/b/ f)'],
    ['export A=b', 'Bash(export A=b)'],
    ['cat $X', 'Bash(cat $X)'],
    ['ls ~/..', 'Bash(ls ~/..)'],
  ])('%s: %s', (command, rule) => {
    expect(suggested(command).map(({ text }) => text)).toContain(rule)
  })

  it.each([
    'npm test && curl x',
    'npm run build -- --watch',
    'sudo make install',
    'rm -rf build',
    'git commit -m "x y" && make | tee out',
    'cat /etc/hosts && ls',
    'npm test > out.log 2>&1',
    'python3 -c "print(1)"',
    `node -e 'f("x")'`,
    'cd /etc && ls',
  ])('accepting what is suggested for %s makes it pass', (command) => {
    const permissions = permissionsFor('')
    const { behavior, suggestions = [] } = permissions.check('Bash', { command })
    expect([behavior, suggestions.length > 0]).toEqual(['ask', true])
    permissions.update(suggestions.map(({ update }) => update))
    expect(permissions.check('Bash', { command }).behavior).toBe('allow')
  })

  it.each(['a && b && c && d && e && f', 'echo x > $OUT', 'ls (', 'rm -rf /', '$X a', 'echo "rm" | sh'])(
    'there is none for %s, which one answer cannot cover',
    (command) => {
      expect(suggested(command)).toEqual([])
    },
  )

  it('a folder for a read outside, for this session only', () => {
    expect(suggested(['Read', '/etc/hosts'])).toMatchObject([
      { text: 'Read(//etc/**)', update: { destination: 'session' } },
    ])
  })

  it.each([
    [['Read', '~/notes.txt'], 'Read(//home/u/notes.txt)', 'notes.txt'],
    [['Grep', '/etc'], 'Read(//etc)', 'below it'],
    ['cat ~/notes.txt', 'Read(//home/u/notes.txt)', 'notes.txt'],
  ] satisfies [ShortCall, string, string][])(
    '%j: not all of a folder that holds home or project',
    (call, text, says) => {
      const [first] = suggested(call)
      expect([first?.text, first?.alsoAllows.includes(says)]).toEqual([text, true])
    },
  )

  it.each([
    { tool: 'Glob', input: { pattern: '../*' } },
    { tool: 'Grep', input: { pattern: 'KEY', path: '/' } },
    { tool: 'Grep', input: { pattern: 'KEY', path: '~' } },
  ])('$tool $input: none for a folder that holds home or project', ({ tool, input }) => {
    expect(suggested([tool, input])).toEqual([])
  })

  it('a domain for WebFetch', () => {
    expect(suggested(['WebFetch', 'https://example.com/a'])).toMatchObject([
      { text: 'WebFetch(domain:example.com)', update: { destination: 'localSettings' } },
    ])
  })

  it('188: an edit is remembered for the session; signs of patterns are escaped', () => {
    const edit: ShortCall = ['Edit', '/data/[2024] x/a.ts']
    const permissions = permissionsFor('')
    const [first] = permissions.check('Edit', { file_path: '/data/[2024] x/a.ts' }).suggestions ?? []
    expect(first).toMatchObject({
      text: 'Edit(//data/\\[2024\\] x/a.ts)',
      update: { destination: 'session' },
    })
    permissions.update(first ? [first.update] : [])
    expect(outcome(permissions, edit)).toBe('ALLOW')
    expect(outcome(permissions, ['Edit', '/data/2 x/a.ts'])).toBe('ASK')
  })
})

describe('update', () => {
  const rules = [{ toolName: 'Bash', ruleContent: 'make' }]
  const base = { behavior: 'allow', destination: 'session', rules } as const

  it('adds, replaces and removes rules of one destination', () => {
    const permissions = permissionsFor('+ Bash(npm test)')
    permissions.update([{ ...base, type: 'addRules' }])
    permissions.update([{ ...base, type: 'addRules' }])
    expect(permissions.rules.filter(({ text }) => text === 'Bash(make)')).toHaveLength(1)
    expect(outcome(permissions, 'make')).toBe('ALLOW')
    permissions.update([{ ...base, type: 'replaceRules', rules: [{ toolName: 'Bash', ruleContent: 'tox' }] }])
    expect([outcome(permissions, 'make'), outcome(permissions, 'tox')]).toEqual(['ASK', 'ALLOW'])
    permissions.update([{ ...base, type: 'removeRules', rules: [{ toolName: 'Bash', ruleContent: 'tox' }] }])
    expect([outcome(permissions, 'tox'), outcome(permissions, 'npm test')]).toEqual(['ASK', 'ALLOW'])
  })

  it('adds and removes folders at once', () => {
    const permissions = permissionsFor('')
    const change = { directories: ['/lib'], destination: 'session' } as const
    permissions.update([{ ...change, type: 'addDirectories' }])
    expect(outcome(permissions, ['Read', '/lib/a'])).toBe('ALLOW')
    permissions.update([{ ...change, type: 'removeDirectories' }])
    expect(outcome(permissions, ['Read', '/lib/a'])).toBe('ASK')
  })

  it('rules of the session outlive a change of the settings', () => {
    const permissions = permissionsFor('+ Bash(npm test)')
    permissions.update([{ ...base, type: 'addRules' }])
    permissions.setRules([])
    expect([outcome(permissions, 'make'), outcome(permissions, 'npm test')]).toEqual(['ALLOW', 'ASK'])
  })

  it('a grant for the session lifts the protection of .claude, other rules do not', () => {
    const permissions = permissionsFor('+ Edit(.claude/**)', { mode: 'acceptEdits' })
    expect(outcome(permissions, ['Edit', '.claude/settings.json'])).toBe('ASK')
    permissions.update([
      {
        type: 'addRules',
        behavior: 'allow',
        destination: 'session',
        rules: [{ toolName: 'Edit', ruleContent: '/.claude/**' }],
      },
    ])
    expect(outcome(permissions, ['Edit', '.claude/settings.json'])).toBe('ALLOW')
    expect(outcome(permissions, ['Edit', '.git/config'])).toBe('ASK')
  })
})

it('modes that are taken away cannot be switched to', () => {
  const permissions = permissionsFor('', { isAutoAvailable: false })
  expect([permissions.setMode('auto'), permissions.setMode('bypassPermissions'), permissions.mode]).toEqual([
    false,
    false,
    'default',
  ])
  expect(permissionsFor('', { isBypassAvailable: true }).setMode('bypassPermissions')).toBe(true)
  expect([permissions.setMode('plan'), permissions.mode]).toEqual([true, 'plan'])
})

it('modes that do not exist cannot be switched to; another name for default can', () => {
  const permissions = permissionsFor('', { mode: 'acceptEdits' })
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of hosts and hooks may hold anything
  const nonsense: any = 'bypass'
  expect([permissions.setMode(nonsense), permissions.mode]).toEqual([false, 'acceptEdits'])
  // oxlint-disable-next-line typescript/no-explicit-any -- the other documented name
  const manual: any = 'manual'
  expect([permissions.setMode(manual), permissions.mode]).toEqual([true, 'default'])
})

it('where only managed rules count, no answer adds or removes one', () => {
  const permissions = permissionsFor('- Bash(rm *)', { canRemember: false })
  const change = {
    destination: 'projectSettings',
    rules: [{ toolName: 'Bash', ruleContent: 'rm *' }],
  } as const
  permissions.update([
    { ...change, type: 'removeRules', behavior: 'deny' },
    { ...change, type: 'addRules', behavior: 'allow' },
  ])
  expect(outcome(permissions, 'rm x')).toBe('DENY')
})
