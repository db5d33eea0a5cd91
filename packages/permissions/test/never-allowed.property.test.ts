import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { permissionModes } from '../src/index.ts'
import { permissionsFor, rulesOf } from './builders.ts'
import { commandOrName, hide, spellings } from './hidden-scripts.ts'

const mode = fc.constantFrom(...permissionModes)

const allowed = fc.subarray([
  'Bash',
  'Bash(*)',
  'Bash(ls *)',
  'Bash(echo *)',
  'Bash(cat *)',
  'Bash(git *)',
  'Bash(bash *)',
  'Bash(sh:*)',
  'Bash(sudo *)',
  'Bash(env *)',
  'Bash(timeout *)',
  'Bash(xargs *)',
  'Bash(find *)',
  'Bash(eval *)',
  'Bash(nohup *)',
  'Bash(rg *)',
  'Bash(fd *)',
  'Bash(tar *)',
  'Bash(sed *)',
  'Read',
  'Edit',
])

const others = fc.subarray(['- Bash(curl *)', '? Bash(git push *)', '- Read(secrets/**)', '- Edit(/lock)'])

/** Rules that allow and forbid at random, and one that must hold. */
function rulesWith(rule: string): fc.Arbitrary<ReturnType<typeof rulesOf>> {
  return fc
    .tuple(allowed, others)
    .map(([texts, more]) => rulesOf([rule, ...texts.map((text) => `+ ${text}`), ...more].join(' ')))
}

/** A script, a mode and rules, of which no combination may let the script run. */
function isNeverAllowed(rule: string, script: fc.Arbitrary<string>, numRuns: number): void {
  fc.assert(
    fc.property(script, mode, rulesWith(rule), (command, chosen, rules) => {
      const { behavior, reason } = permissionsFor(rules, { mode: chosen }).check('Bash', { command })
      expect([behavior, reason]).not.toEqual(['allow', reason])
    }),
    { numRuns },
  )
}

describe('whatever the mode, the rules that allow, and the script around it', () => {
  const forbidden = hide(commandOrName(spellings('forbidden')))

  it('a denied command does not run', () => {
    isNeverAllowed('- Bash(forbidden *)', forbidden, 1500)
  })

  it('a command that is asked about does not run unasked', () => {
    isNeverAllowed('? Bash(forbidden:*)', forbidden, 700)
  })

  it('a denied file is not read', () => {
    const path = fc.constantFrom(
      '.env',
      './.env',
      'a/../.env',
      '"$PWD/.env"',
      '/repo/.env',
      ".e'nv'",
      '.en?',
      '.e*',
    )
    const read = fc
      .tuple(
        fc.constantFrom(
          'cat',
          'head -1',
          'grep K',
          'sed -n 1p',
          'cut -c1',
          'sort',
          'wc <',
          'git blame',
          'git grep K --',
          'git diff --no-index x',
          'less',
          'awk 1',
          'tar cf x',
          'xargs -a',
          'curl -T',
          'rsync -a x',
          'openssl enc -in',
          'cp -t /tmp',
        ),
        path,
      )
      .map((words) => words.join(' '))
    isNeverAllowed('- Read(.env)', hide(read), 1000)
  })

  it('a denied file is not written', () => {
    const write = fc
      .tuple(
        fc.constantFrom(
          'echo x >',
          'echo x >>',
          'touch',
          'ls | tee',
          'cp a',
          'rm',
          'sed -i s/a/b/',
          'echo x >|',
        ),
        fc.constantFrom('locked', './locked', 'a/../locked', '"$PWD/locked"', '/repo/locked', "lo'cked'"),
      )
      .map((words) => words.join(' '))
    isNeverAllowed('- Edit(locked)', hide(write), 1000)
  })

  it('the home folder, the project and the system are not removed', () => {
    const removal = fc.constantFrom(
      'rm -rf ~',
      'rm -rf /',
      'rm -r -f /etc',
      'rm -rf "$HOME"',
      'rm -rf /repo',
      'rm -rf /repo/..',
      'rm -rf ~/',
      'rm -rf -- /usr',
      'rmdir /home',
      'rm -rf "$DIR"/*',
      'rm -rf $DIR/',
    )
    // Where a script is not understood and no rule forbids anything, bypassing means bypassing: `- Bash(x)` stands for one.
    isNeverAllowed('- Bash(x)', hide(removal), 1000)
  })
})

describe('without rules that allow', () => {
  it('a command that is not known to read does not run, but for bypassPermissions', () => {
    fc.assert(
      fc.property(
        hide(spellings('unknown')),
        fc.constantFrom('default', 'acceptEdits', 'plan', 'dontAsk', 'auto' as const),
        (command, chosen) => {
          expect(permissionsFor('', { mode: chosen }).check('Bash', { command }).behavior).not.toBe('allow')
        },
      ),
      { numRuns: 700 },
    )
  })
})

describe('with a rule that allows', () => {
  const simple = fc.constantFrom(
    'tool',
    'tool run a',
    "tool 'a b; c'",
    'tool "x && y"',
    'tool -x $HOME',
    'tool $X',
  )
  const beside = fc.constantFrom('ls -la', 'cat a | head -5', 'git status', 'pwd', 'grep -rn x src', 'tool z')

  const before = [
    '',
    'timeout 5 ',
    'nice -n 5 ',
    'nohup ',
    'time ',
    'command ',
    'NODE_ENV=test ',
    'stdbuf -oL ',
  ]
  const around: readonly ((s: string) => string)[] = [
    (s) => s,
    (s) => `(${s})`,
    (s) => `{ ${s}; }`,
    (s) => `${s} 2>&1`,
    (s) => `${s} >/dev/null`,
    (s) => `${s} | head -20`,
    (s) => `if ls; then ${s}; fi`,
    (s) => `echo "$(${s})"`,
    (s) => `sh -c '${s.replaceAll("'", `'\\''`)}'`,
    (s) => `# what it does\n${s}`,
    (s) => `ls | xargs ${s.startsWith('tool') ? s : 'tool a'}`,
  ]

  it('the command is not asked about, alone or beside what only reads', () => {
    const script = fc
      .tuple(
        fc.constantFrom(...before),
        simple,
        fc.constantFrom(...around),
        fc.array(beside, { maxLength: 3 }),
      )
      .map(([prefix, command, wrap, more]) => [wrap(prefix + command), ...more].join('\n'))
    const chosen = fc.constantFrom('default', 'acceptEdits', 'dontAsk', 'auto' as const)
    const rule = fc.constantFrom(
      '+ Bash(tool *)',
      '+ Bash(tool:*)',
      '+ Bash(*) + Bash(tool *)',
      '+ Bash(tool*)',
    )
    fc.assert(
      fc.property(script, chosen, rule, (command, picked, rules) => {
        const verdict = permissionsFor(rules, { mode: picked }).check('Bash', { command })
        expect([command, verdict.behavior, verdict.reason.detail]).toEqual([
          command,
          'allow',
          verdict.reason.detail,
        ])
      }),
      { numRuns: 700 },
    )
  })
})

describe('what is suggested', () => {
  const part = fc.constantFrom(
    'npm test',
    'npm run build -- -w',
    'make all',
    'rm -rf build',
    'sudo make install',
    'ls -la',
    'cat /etc/hosts',
    'python3 -c "print(1)"',
    'tool "a b" > out.txt',
    'timeout 5 jest x',
    'cd sub',
    'cd /other',
    'git commit -m "x (y)"',
    'npx tsc --noEmit',
    'find . -name "*.o" -delete',
    'FOO=1 node x.js',
    'echo $X',
  )

  it('makes the same call pass when it is accepted', () => {
    const script = fc
      .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom('; ', ' && ', '\n'))
      .map(([parts, operator]) => parts.join(operator))
    fc.assert(
      fc.property(script, (command) => {
        const permissions = permissionsFor('')
        const { behavior, suggestions = [] } = permissions.check('Bash', { command })
        if (behavior !== 'ask' || suggestions.length === 0) return
        permissions.update(suggestions.map(({ update }) => update))
        const { behavior: after, reason } = permissions.check('Bash', { command })
        expect([command, after, reason.detail]).toEqual([command, 'allow', reason.detail])
      }),
      { numRuns: 300 },
    )
  })
})
