import { describe, expect, it } from 'vitest'
import { createPermissions, explain, permissionsSection, readPermissions } from '../src/index.ts'
import { outcome, permissionsFor, rulesOf } from './builders.ts'

describe('rules of several layers', () => {
  it('125: a path with a slash in front refers to the source of the rule', () => {
    const permissions = permissionsFor(rulesOf('- Read(/secrets/**)', 'user'), {
      workingDirectories: ['/home/u/.claude'],
    })
    expect(outcome(permissions, ['Read', '~/.claude/secrets/x'])).toBe('DENY')
    expect(outcome(permissions, ['Read', '/repo/secrets/x'])).toBe('ALLOW')
  })

  it.each([
    [160, [...rulesOf('+ Bash(git push *)', 'user'), ...rulesOf('- Bash(git push *)')], 'git push', 'DENY'],
    [161, [...rulesOf('- Bash(aws *)', 'user'), ...rulesOf('+ Bash(aws s3 ls)')], 'aws s3 ls', 'DENY'],
    [163, [...rulesOf('- Bash(curl *)', 'managed'), ...rulesOf('+ Bash', 'command-line')], 'curl x', 'DENY'],
  ] as const)('%i: a deny of one layer beats the allow of another', (...[, rules, command, result]) => {
    expect(outcome(permissionsFor(rules), command)).toBe(result)
  })
})

describe('readPermissions', () => {
  it('passes by a mode that some file takes away', () => {
    const modes = (...values: object[]) =>
      readPermissions(values.map((permissions) => ({ layer: 'user', value: { permissions } }))).defaultMode
    const bypass = { defaultMode: 'bypassPermissions' }
    expect(modes(bypass, { defaultMode: 'plan' })).toBe('bypassPermissions')
    expect(modes(bypass, { defaultMode: 'plan', disableBypassPermissionsMode: 'disable' })).toBe('plan')
    expect(modes({ defaultMode: 'auto', disableAutoMode: 'disable' })).toBeUndefined()
  })

  it('pools rules with their layer and file; the strongest mode wins', () => {
    const read = readPermissions(
      [
        {
          layer: 'local',
          file: '/repo/.claude/settings.local.json',
          value: { permissions: { allow: ['Bash(ls *)'] } },
        },
        {
          layer: 'project',
          file: '/repo/.claude/settings.json',
          value: {
            model: 'x',
            permissions: {
              deny: ['Read(.env)'],
              defaultMode: 'auto',
              additionalDirectories: ['../lib', '~/notes'],
            },
          },
        },
        {
          layer: 'user',
          file: '/home/u/.claude/settings.json',
          value: { permissions: { defaultMode: 'plan' } },
        },
        { layer: 'user', value: {} },
      ],
      { projectDir: '/repo', home: '/home/u' },
    )
    expect(read).toEqual({
      rules: [
        { behavior: 'allow', text: 'Bash(ls *)', layer: 'local', file: '/repo/.claude/settings.local.json' },
        { behavior: 'deny', text: 'Read(.env)', layer: 'project', file: '/repo/.claude/settings.json' },
      ],
      defaultMode: 'plan',
      additionalDirectories: ['/lib', '/home/u/notes'],
      mayBypass: true,
      mayUseAuto: true,
      canRemember: true,
      problems: [],
    })
  })

  it('drops one bad entry with a problem and keeps the rest', () => {
    const value = {
      permissions: {
        allow: ['Bash(ls *)', 7, 'Bash(', 'Read'],
        deny: 'Bash',
        defaultMode: 'yolo',
        futureKey: true,
        additionalDirectories: ['', '/x'],
      },
    }
    const { rules, problems, additionalDirectories, defaultMode } = readPermissions([
      { layer: 'project', file: 'f', value },
    ])
    expect(rules.map(({ text }) => text)).toEqual(['Bash(ls *)', 'Read'])
    expect([additionalDirectories, defaultMode]).toEqual([['/x'], undefined])
    expect(problems.map(({ message }) => message.split(':')[0])).toEqual([
      'permissions.allow.1',
      'permissions.allow.2',
      'permissions.deny',
      'permissions.defaultMode',
      'permissions.additionalDirectories.0',
    ])
  })

  it.each([[null], [[]], ['x'], [{ permissions: 3 }], [{ permissions: [] }]])('survives %j', (value) => {
    expect(readPermissions([{ layer: 'user', value }]).rules).toEqual([])
  })

  it('164: where only managed rules count, others do not, and nothing is remembered', () => {
    const { rules, canRemember } = readPermissions([
      {
        layer: 'managed',
        value: { allowManagedPermissionRulesOnly: true, permissions: { deny: ['Bash(curl *)'] } },
      },
      { layer: 'command-line', value: { permissions: { allow: ['Bash'] } } },
      { layer: 'user', value: { permissions: { allow: ['Bash(npm test)'] } } },
    ])
    expect(rules.map(({ text }) => text)).toEqual(['Bash(curl *)'])
    const verdict = permissionsFor(rules, { canRemember }).check('Bash', { command: 'npm test' })
    expect([verdict.behavior, verdict.suggestions]).toEqual(['ask', []])
  })

  it('a project cannot claim to be managed', () => {
    const value = { allowManagedPermissionRulesOnly: true, permissions: { allow: ['Read'] } }
    expect(readPermissions([{ layer: 'project', value }]).rules).toHaveLength(1)
  })

  it('takes modes away', () => {
    const value = { permissions: { disableBypassPermissionsMode: 'disable', disableAutoMode: 'disable' } }
    expect(readPermissions([{ layer: 'project', value }])).toMatchObject({
      mayBypass: false,
      mayUseAuto: false,
    })
  })
})

it('the section keeps unknown keys and names the entry that is wrong', () => {
  expect(permissionsSection.parse({ allow: ['Bash'], x: 1 })).toEqual({ allow: ['Bash'], x: 1 })
  const { error } = permissionsSection.safeParse({ allow: ['Read', 'Bash('], defaultMode: 'manual' })
  expect(error?.issues).toMatchObject([
    { path: ['allow', 1], message: expect.stringContaining('closing parenthesis') },
  ])
})

describe('explain', () => {
  const permissions = createPermissions({
    rules: [{ behavior: 'deny', text: 'Bash(rm *)', layer: 'project', file: '.claude/settings.json' }],
    cwd: '/repo',
    readLink: () => true,
  })

  it('names rule, layer, file and part', () => {
    const { text, ...json } = explain(permissions.check('Bash', { command: 'ls && timeout 5 rm -rf x' }))
    expect(json).toEqual({
      behavior: 'deny',
      reason: 'the rule Bash(rm *) (project settings, .claude/settings.json) denies "rm -rf x"',
      rule: 'Bash(rm *)',
      source: 'project',
      file: '.claude/settings.json',
      part: 'rm -rf x',
      suggestions: [],
    })
    expect(text.split('\n')).toContain('  part: rm -rf x')
  })

  it('says what would be allowed by which rule', () => {
    const { text, rule, suggestions } = explain(permissions.check('Bash', { command: 'ls && npm test -- a' }))
    expect([rule, suggestions]).toEqual([
      null,
      [{ rule: 'Bash(npm test *)', alsoAllows: 'every command that begins with "npm test"' }],
    ])
    expect(text).toContain('would be allowed by: Bash(npm test *)')
  })

  it('explains settled decisions', () => {
    const reason = { type: 'user', detail: 'allowed when asked' } as const
    expect(explain({ behavior: 'allow', reason })).toMatchObject({
      behavior: 'allow',
      rule: null,
      source: null,
    })
  })
})
