import { describe, expect, it } from 'vitest'
import { type PermissionMode, permissionModes } from '../src/index.ts'
import { outcome, permissionsFor } from './builders.ts'

describe('a loop that sets a variable of other programs asks like an assignment', () => {
  it.each([
    'for PATH in ./evil; do ls; done',
    'for LD_PRELOAD in ./evil.so; do npm test; done',
    'select HOME in ./evil; do git status; done',
    `bash -c 'for PATH in ./evil; do npm test; done'`,
    'for PWD in /etc; do cat $PWD/passwd; done',
    '((PATH=1)); npm test',
    'echo $((PATH = 1)); ls',
    '[[ PATH+=1 -eq 1 ]]; ls',
    'echo ${x:PATH++}; npm test',
  ])('%s', (command) => {
    expect(outcome(permissionsFor('+ Bash(npm test)'), command)).toBe('ASK')
  })

  it('other loops do not', () => {
    const permissions = permissionsFor('+ Bash(npm test)')
    expect(outcome(permissions, 'for f in a b; do npm test; ls; done')).toBe('ALLOW')
    expect(outcome(permissions, '[[ $A = b && $COUNT -eq 1 ]] && npm test')).toBe('ALLOW')
    expect(outcome(permissions, 'echo $((COUNT + 1)); ls')).toBe('ALLOW')
    expect(outcome(permissionsFor('+ Bash(*)'), 'for FILE in a b; do npm test; done')).toBe('ALLOW')
  })

  it('a denied file is not hidden by the folder that a loop sets', () => {
    const permissions = permissionsFor('- Read(//data/.env) + Bash(*)')
    expect(outcome(permissions, 'for PWD in /data; do cat $PWD/.env; done')).toBe('ASK')
  })
})

describe('a pattern in which zsh may run a command is never allowed', () => {
  it.each([
    'ls *(e:rm x:)',
    'echo @(rm x)',
    'for f in *(+rm); do ls; done',
    'cat < *(e:rm x:)',
    `sh -c 'ls ?(e:rm x:)'`,
    'ls {a,*(e:rm x:)}',
    'ls ${x:-*(e:rm x:)}',
  ])('%s', (command) => {
    expect(outcome(permissionsFor('+ Bash(ls *) + Bash(echo *)'), command)).toBe('ASK')
    expect(outcome(permissionsFor('+ Bash(*) - Bash(rm *)'), command)).not.toBe('ALLOW')
  })

  it.each([`grep -E 'a*(b)' f`, 'grep "x@(y)" f', 'ls *.ts', String.raw`find . \( -name x \)`])(
    '%s has none',
    (command) => {
      expect(outcome(permissionsFor(''), command)).toBe('ALLOW')
    },
  )
})

describe('a denied file', () => {
  const modes: PermissionMode[] = permissionModes.filter((mode) => mode !== 'dontAsk')

  it.each(modes)('is not shown by a pager, archiver or source in %s', (mode) => {
    const permissions = permissionsFor('- Read(.env)', { mode, isBypassAvailable: true })
    for (const command of ['less .env', 'awk 1 .env', '. ./.env', 'base32 .env', 'gzip -c .env']) {
      expect([command, outcome(permissions, command)]).not.toEqual([command, 'ALLOW'])
    }
  })

  it('is not found by a search of git through files that it does not track', () => {
    const permissions = permissionsFor('- Read(.env)')
    expect(outcome(permissions, 'git grep --no-index KEY')).toBe('ASK')
    expect(outcome(permissions, 'git grep --untracked KEY')).toBe('ASK')
    expect(outcome(permissions, 'git grep KEY')).toBe('ALLOW')
  })
})

describe('a removal of what must stay asks in every mode, however it is written', () => {
  it.each([
    'rm -rf {~,x}',
    'rm -rf x{,/../..}',
    'rm -rf {{~,x},y}',
    `rm -rf {${'a,'.repeat(200)}~}`,
    'rm -rf /home/*',
    'rm -rf /home/u*',
    'rm -rf ../rep?',
    'HOME=/x rm -rf ~',
    'HOME=/x rm -rf "$HOME"',
    'rm -rf ~root',
    'rm -rf ~u/',
  ])('%s', (command) => {
    for (const mode of ['bypassPermissions', 'acceptEdits', 'default'] as const) {
      expect([mode, outcome(permissionsFor('+ Bash(*)', { mode }), command)]).toEqual([mode, 'ASK'])
    }
  })

  it.each([
    'rm -rf {a,b}',
    'rm -rf /repo/src/*',
    'rm -rf ~/x',
    'rm -rf ~u/x',
    'rm -rf "~"',
    'rm -f ~/other*',
  ])('%s does not', (command) => {
    expect(outcome(permissionsFor('', { mode: 'bypassPermissions' }), command)).toBe('ALLOW')
  })
})

it('sed in acceptEdits makes no copies elsewhere', () => {
  const permissions = permissionsFor('', { mode: 'acceptEdits' })
  expect(outcome(permissions, 'sed -i.bak s/a/b/ x')).toBe('ALLOW')
  for (const command of ["sed -i'../*' s/a/b/ x", "sed --in-place='.git/hooks/*' s/a/b/ x"]) {
    expect([command, outcome(permissions, command)]).toEqual([command, 'ASK'])
  }
})

it.each(['git --no-lazy-fetch push', 'git --new-option push', 'git --no-pager --new-option=x push'])(
  '%s: an option that is not known hides no subcommand of git',
  (command) => {
    expect(outcome(permissionsFor('+ Bash(*) ? Bash(git push *)'), command)).toBe('ASK')
    expect(outcome(permissionsFor('+ Bash(git push *)'), 'git --new-option push')).toBe('ASK')
    expect(outcome(permissionsFor('+ Bash(git push *)'), 'git --no-pager push')).toBe('ALLOW')
  },
)

it.each([
  'http:evil.com/x',
  ' https://evil.com',
  String.raw`https:\\evil.com`,
  'https:/evil.com',
  'evil.com:443/x',
])('a rule about a host knows it in %j', (url) => {
  expect(outcome(permissionsFor('- WebFetch(domain:evil.com) + WebFetch'), ['WebFetch', url])).toBe('DENY')
})

it('an alias set in PowerShell hides no cmdlet', () => {
  const permissions = permissionsFor('+ PowerShell(*) - PowerShell(Remove-Item *)')
  for (const command of ['Set-Alias z rm; z x', 'sal z ri; z x', 'New-Alias z del; z x']) {
    expect([command, outcome(permissions, ['PowerShell', command])]).not.toEqual([command, 'ALLOW'])
  }
})

it.each(['fd -x rm', 'fd . -X rm', 'fd --exec-batch=rm x', 'fd -Hx rm'])(
  '%s runs another program: no prefix allows it',
  (command) => {
    expect(outcome(permissionsFor('+ Bash(fd *)'), command)).toBe('ASK')
    expect(outcome(permissionsFor(`+ Bash(${command})`), command)).toBe('ALLOW')
    expect(outcome(permissionsFor('+ Bash(fd *)'), 'fd -e ts -H x')).toBe('ALLOW')
  },
)
