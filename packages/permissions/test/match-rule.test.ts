import { describe, expect, it } from 'vitest'
import { createMatchRule } from '../src/index.ts'

const matchRule = createMatchRule({ home: '/home/u', readLink: () => true })

describe('an if rule', () => {
  it.each([
    ['Bash(git *)', 'FOO=1 git push', true],
    ['Bash(git *)', 'npm test && git push', true],
    ['Bash(git *)', 'npm test', false],
    ['Bash(rm *)', 'echo $(rm -rf /)', true],
    ['Bash(rm *)', 'echo $(date)', false],
    ['Bash(git push *)', 'echo $(date)', true],
    ['Bash(git push *)', 'echo "$X"', true],
    ['Bash(git push *)', 'ls', false],
    ['Bash(git push *)', 'ls ("', true],
    ['Bash(git commit:*)', 'git commit -m x', true],
    ['Bash', 'ls', true],
    ['Bash(', 'ls', false],
    ['Edit(*.ts)', 'ls', false],
  ])('%s, %s: %s', (rule, command, expected) => {
    expect(matchRule(rule, 'Bash', { command }, '/repo')).toBe(expected)
  })

  it.each([
    ['Edit(src/**)', 'Edit', '/repo/src/a.ts', true],
    ['Edit(src/**)', 'Write', '/repo/src/a.ts', true],
    ['Edit(src/**)', 'Edit', '/repo/vendor/src/a.ts', false],
    ['Edit(**/src/**)', 'Edit', '/repo/vendor/src/a.ts', true],
    ['Edit(*.ts)', 'Edit', '/repo/a/b.ts', true],
    ['Read(~/.ssh/**)', 'Read', '/home/u/.ssh/id', true],
    ['Read(*.ts)', 'Edit', '/repo/a.ts', false],
  ] as const)('%s on %s %s: %s', (...[rule, tool, path, expected]) => {
    expect(matchRule(rule, tool, { file_path: path }, '/repo')).toBe(expected)
  })

  it('speaks about servers and cmdlets too', () => {
    expect(matchRule('mcp__x__y', 'mcp__x__y', {}, '/repo')).toBe(true)
    expect(matchRule('mcp__x__*', 'mcp__x__y', {}, '/repo')).toBe(true)
    expect(matchRule('PowerShell(Remove-Item *)', 'PowerShell', { command: 'del x' }, '/repo')).toBe(true)
  })
})
