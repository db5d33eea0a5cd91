import { describe, expect, it } from 'vitest'
import { outcome, permissionsFor } from './builders.ts'

const ask = (rules: string, command: string, mode: Parameters<typeof permissionsFor>[1] = {}): string =>
  outcome(permissionsFor(rules, mode), ['PowerShell', command])

describe('cmdlets and aliases', () => {
  it.each([
    ['Get-ChildItem *', 'dir src', 'ALLOW'],
    ['Get-ChildItem *', 'ls', 'ALLOW'],
    ['Get-ChildItem:*', 'get-childitem -Recurse', 'ALLOW'],
    ['ls *', 'Get-ChildItem x', 'ALLOW'],
    ['gci *', 'gcix', 'ASK'],
    ['Get-Content *', 'type a.txt | Select-String x', 'ASK'],
    ['npm test', 'npm test', 'ALLOW'],
    ['npm test', 'npm test && curl x', 'ASK'],
    ['Write-Output *', "echo 'a; b | c'", 'ALLOW'],
  ])('+ PowerShell(%s), %s: %s', (rule, command, result) => {
    expect(ask(`+ PowerShell(${rule})`, command)).toBe(result)
  })

  it.each([
    'rm x',
    'ri x',
    'rd x',
    'ls | del',
    'ls; ERASE x',
    'ls\nrm x',
    'if ($a) { rm x }',
    '$(rm x)',
    '& { del x }',
    'Write-Host "$(rm x)"',
  ])('- PowerShell(Remove-Item *) denies %j', (command) => {
    expect(ask('- PowerShell(Remove-Item *) + PowerShell(Write-Host *) + PowerShell(ls *)', command)).toBe(
      'DENY',
    )
  })
})

describe('what is not understood asks', () => {
  it.each([
    'ls `',
    'ls $(x)',
    '& "ls"',
    '. ./x.ps1',
    'iex "rm x"',
    'ls > out',
    '"ls"',
    "ls 'x",
    'ls {x}',
    'powershell -enc abc',
    '[IO.File]::Delete("x")',
    '$x.Delete()',
    'cmd /c del x',
  ])('%s', (command) => {
    expect(ask('+ PowerShell(ls *) + PowerShell(iex *)', command)).toBe('ASK')
  })
})

describe('removals', () => {
  it.each([
    'Remove-Item *',
    'rm C:\\*',
    'del /',
    'rd C:\\Windows',
    'ri ~',
    'Remove-Item "C:\\"',
    'rm $HOME',
    'rm a,/etc',
  ])('%s is denied in every mode', (command) => {
    for (const mode of ['default', 'bypassPermissions', 'auto'] as const) {
      expect(ask('+ PowerShell', command, { mode })).toBe('DENY')
    }
  })

  it('of the project with everything below asks, but for bypassPermissions', () => {
    expect(ask('+ PowerShell', 'Remove-Item -Recurse .')).toBe('ASK')
    expect(ask('+ PowerShell', 'Remove-Item -Recurse /repo/sub')).toBe('ALLOW')
    expect(ask('', 'Remove-Item -Recurse .', { mode: 'bypassPermissions' })).toBe('ALLOW')
  })
})

describe('acceptEdits', () => {
  it.each([
    ['Set-Content a.txt hello', 'ALLOW'],
    ['ac a.txt x', 'ALLOW'],
    ['clc sub/a.txt', 'ALLOW'],
    ['Remove-Item sub/a.txt', 'ALLOW'],
    ['Set-Content "a.txt" hello', 'ASK'],
    ['Set-Content ../a.txt hello', 'ASK'],
    ['Set-Content .npmrc x', 'ASK'],
    ['Move-Item a b', 'ASK'],
    ['Remove-Item a; npm i', 'ASK'],
  ])('%s: %s', (command, result) => {
    expect(ask('', command, { mode: 'acceptEdits' })).toBe(result)
  })
})

// Anything worse than proportional time would take minutes.
it('reads a long hostile script before the test runs out of time', () => {
  for (const part of ['$(', '{a,b}', 'a ', 'Remove-Item-', '" ', '; ']) {
    const script = part.repeat(200_000 / part.length)
    expect(ask('- PowerShell(Remove-Item *)', `${script}$(rm x)`)).toBe('DENY')
  }
})
