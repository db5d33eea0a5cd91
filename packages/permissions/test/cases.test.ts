import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPermissions, type PermissionMode, permissionModes } from '../src/index.ts'
import { outcome, permissionsFor, rulesOf, type ShortCall } from './builders.ts'

function table(title: string, rules: string, expected: Readonly<Record<string, readonly ShortCall[]>>): void {
  describe(title, () => {
    const rows = Object.entries(expected).flatMap(([result, calls]) =>
      calls.map((call) => ({ result, call, accepted: result.split(' or ') })),
    )
    it.each(rows)('$call: $result', ({ call, accepted }) => {
      expect(accepted).toContain(outcome(permissionsFor(rules), call))
    })
  })
}

table('PE-01: every part is judged alone, the strictest answer wins', '+ Bash(git *) - Bash(rm *)', {
  DENY: [
    'git status && rm -rf x',
    'git status; rm -rf x',
    'git status || rm -rf x',
    'git log | rm -rf x',
    'rm -rf x && git status',
  ],
})

table('PE-02: an unknown part does not ride on an allowed one', '+ Bash(git *)', {
  ASK: [
    'git log | sh -c "touch pwned"',
    '(git log; touch pwned)',
    '{ git log; touch pwned; }',
    'if git log; then touch pwned; fi',
    'while git log; do touch pwned; break; done',
  ],
})

table('PE-03: commands in words are seen', '+ Bash(git *) + Bash(echo *)', {
  ASK: [
    'git status $(touch pwned)',
    'git status `touch pwned`',
    'echo "$(rm -rf x)"',
    'echo "a ${x:-$(touch pwned)}"',
  ],
  ALLOW: ["echo '$(touch pwned)'"],
})

table('PE-04: a denied read is seen wherever it stands', '- Read(./foo.txt) + Bash(*)', {
  DENY: [
    '{ cat foo.txt; }',
    'cat <(ls) foo.txt',
    'cat <(cat foo.txt)',
    '(cat foo.txt)',
    'eval "cat foo.txt"',
    'cat < foo.txt',
    'xargs cat foo.txt',
    'cat f*.txt',
  ],
  ASK: ['cat {foo,x}.txt', 'cat "$X"', 'cat "$X/foo.txt"', 'egrep x foo.txt'],
})

table('PE-05: variables in front hide nothing', '? Bash(git push*) - Bash(aws *) + Bash(*)', {
  ASK: ['CI=1 git push', 'A=1 B="x y" git push'],
  DENY: ['AWS_PROFILE=p aws s3 ls'],
})

table('PE-06: a shell in a shell hides nothing that can be read', '- Bash(rm *) + Bash(*)', {
  DENY: ['bash -c "rm -rf x"', "sh -c 'rm -rf x'", 'eval "rm -rf x"', 'bash <<< "rm -rf x"'],
  ASK: ['echo "rm -rf x" | sh'],
})

table('PE-07, PE-08: a harmless verb with a harmful option', '', {
  ASK: [
    'sort --compress-program=./evil -S 1b big',
    'rg --pre ./evil x',
    'rg --hostname-bin=./evil x',
    'man -P ./evil ls',
    'git grep -O./evil x',
    'git branch -D old',
    'git tag -d v1',
    'git remote set-url origin x',
    'git diff --output=f',
    'sort -o f f',
    'sed -i s/a/b/ f',
    'uniq in out',
  ],
  ALLOW: ['git branch', 'git tag -l', 'git remote -v', 'sort f', 'sed -n 1,3p f'],
})

table(
  'PE-09: a denied file is not read with the shell',
  '- Read(./.env) + Bash(cat *) + Bash(grep *) + Bash(head *)',
  {
    DENY: [
      'cat .env',
      'grep KEY .env',
      'head -1 ./sub/../.env',
      'cat "$PWD/.env"',
      ['Read', './sub/../.env'],
      ['Read', '/repo/.env'],
      ['Grep', '.env'],
    ],
  },
)

table(
  'PE-10: a denied file is not written by redirection',
  '- Edit(./protected.txt) - Write(./protected.txt) + Bash(printf *)',
  {
    DENY: [
      'printf X > protected.txt',
      'printf X > "$PWD/protected.txt"',
      'printf X >> ./a/../protected.txt',
      'printf X | tee protected.txt',
    ],
  },
)

table(
  'PE-11: a cd in front does not change the judgement',
  '? Bash(git push*) ? Bash(git clean*) + Bash(*)',
  {
    ASK: [
      'cd /other && git push --dry-run',
      'cd /other; git clean -n',
      'pushd /other && git push',
      'git -C /other push',
    ],
  },
)

/** A project on disk, with a link that leads out of it. */
function onDisk(check: (root: string, project: string) => void): void {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'permissions-')))
  try {
    const project = join(root, 'app')
    for (const folder of ['app/sub', 'app-evil', 'out']) mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, 'out/s.txt'), 'secret')
    symlinkSync(join(root, 'out'), join(project, 'outbox'))
    symlinkSync('../out/new.txt', join(project, 'dangling'))
    symlinkSync('circle', join(project, 'circle'))
    check(root, project)
  } finally {
    rmSync(root, { recursive: true })
  }
}

describe('PE-12, PE-13: containment is judged behind links and dots', () => {
  it.each([
    ['Write', 'outbox/e.txt', 'ask'],
    ['Edit', 'outbox/s.txt', 'ask'],
    ['Read', 'outbox/s.txt', 'ask'],
    ['Grep', 'outbox', 'ask'],
    ['Glob', 'outbox', 'ask'],
    ['Write', 'dangling', 'ask'],
    ['Write', 'circle', 'ask'],
    ['Write', '../app-evil/x', 'ask'],
    ['Write', 'sub/../../x', 'ask'],
    ['Write', '~/x', 'ask'],
    ['Write', '~root/x', 'ask'],
    ['Write', 'file:///tmp/x', 'ask'],
    ['Write', 'a\0b', 'ask'],
    ['Write', 'outbox/../x', 'ask'],
    ['Write', 'sub/../y', 'allow'],
    ['Write', 'sub/new/deeper/y', 'allow'],
  ])('%s %j: %s', (tool, path, behavior) => {
    onDisk((root, project) => {
      const permissions = createPermissions({
        cwd: project,
        home: join(root, 'home'),
        mode: 'acceptEdits',
      })
      const input = tool === 'Grep' || tool === 'Glob' ? { path } : { file_path: path }
      expect(permissions.check(tool, input).behavior).toBe(behavior)
      const absolute = { file_path: join(root, 'app-evil/x') }
      expect(permissions.check('Write', absolute).behavior).toBe('ask')
    })
  })

  it('shell commands are no way around it', () => {
    onDisk((_, project) => {
      const permissions = createPermissions({ cwd: project, mode: 'acceptEdits' })
      for (const command of [
        'cat outbox/s.txt',
        'cd outbox && cat s.txt',
        'echo x > outbox/e.txt',
        'cp sub/a outbox/a',
        'cd outbox/.. && cat x',
        'touch dangling',
      ]) {
        expect([command, permissions.check('Bash', { command }).behavior]).toEqual([command, 'ask'])
      }
      expect(permissions.check('Bash', { command: 'cd sub && cat ../x' }).behavior).toBe('allow')
    })
  })
})

describe('PE-14: every documented form of an MCP rule works', () => {
  it.each([
    ['mcp__srv__*', 2],
    ['mcp__srv', 2],
    ['mcp__srv__get_a', 1],
    ['mcp__srv__get*', 1],
    ['mcp__srv(*)', 2],
  ])('%s: %i', (rule, count) => {
    const permissions = permissionsFor(`+ ${rule}`)
    const allowed = ['mcp__srv__get_a', 'mcp__srv__put_b', 'mcp__srv2__get_a'].filter(
      (tool) => permissions.check(tool, {}).behavior === 'allow',
    )
    expect(allowed).toHaveLength(count)
  })

  it('a form that is not supported is reported', () => {
    expect(permissionsFor('+ mcp__*').problems[0]?.message).toContain('mcp__<server>__')
  })
})

table('PE-15: redirections that discard', '+ Bash(cat *) + Bash(head *) + Bash(ls *)', {
  ALLOW: ['cat f 2>/dev/null | head -80', 'ls -la > /dev/null 2>&1', 'ls 2>&1 | head'],
})

table(
  'PE-16: all parts are allowed, but a cd in front of git asks',
  '+ Bash(git diff *) + Bash(head *) + Bash(jq *)',
  {
    ASK: ['cd /repo/sub && git diff main...HEAD --name-only | head -30'],
    ALLOW: ['git diff x | jq . | head', 'cd sub && ls'],
  },
)

table('PE-17: operators inside quotes, comments', '+ Bash(python3 *) + Bash(grep *) + Bash(echo *)', {
  ALLOW: [
    'python3 -c "import ast; print(1 && 2)"',
    'grep -E "a|b;c" f',
    'echo "it\'s > fine"',
    '# explain\ngrep a f',
  ],
})

const body = `rm -rf / "quotes" 'and' $(x) ; more`
table('PE-18: a commit message by here-document', '+ Bash(git commit *)', {
  ALLOW: [`git commit -m "$(cat <<'EOF'\n${body}\nEOF\n)"`, `git commit -F - <<'EOF'\n${body}\nEOF`],
  ASK: ['git commit -m "$(cat <<EOF\n$(x)\nEOF\n)"', 'git commit -F - <<EOF\n$(x)\nEOF'],
})

it('PE-19: the suggested rule names what was not allowed, and makes the same command pass', () => {
  const permissions = permissionsFor('+ Bash(cd *) + Bash(grep *)')
  const command = 'cd p && python3 -c "1" 2>&1 | grep x'
  const { suggestions = [] } = permissions.check('Bash', { command })
  expect(suggestions.map(({ text }) => text)).toEqual(['Bash(python3 -c 1)'])
  permissions.update(suggestions.map(({ update }) => update))
  expect(permissions.check('Bash', { command }).behavior).toBe('allow')
})

table('PE-20: what looks like a here-document', '- Bash(git commit*)', {
  DENY: ['# <<EOF\ngit commit -m x', "echo '<<EOF'\ngit commit -m x", 'echo $((1<<2)); git commit -m x'],
})

table('PE-21: variables and folders that change which program runs', '+ Bash(git status) + Bash(ls *)', {
  ASK: ['PATH=$PWD/evil:$PATH ls', 'LD_PRELOAD=./e.so ls x', './ls x', 'evil/git status'],
})

describe('PE-22: one table of rule forms', () => {
  const commands = [
    'git commit',
    'git commit -m x',
    'git commit -m "a\nb"',
    'git commit-tree x',
    'npm run test:unit',
    'npm run test:unit -- --x',
    'npm run test',
    'lsof -i -n',
  ]
  it.each([
    ['Bash(git commit:*)', [true, true, true, false, false, false, false]],
    ['Bash(git commit *)', [true, true, true, false, false, false, false]],
    ['Bash(npm run test:unit)', [false, false, false, false, true, false, false]],
    ['Bash(npm run test:*)', [false, false, false, false, false, false, true]],
    ['Bash(ls*)', [false, false, false, false, false, false, false]],
  ])('%s', (rule, allowed) => {
    const permissions = permissionsFor(`+ ${rule}`)
    const found = commands.map((command) => permissions.check('Bash', { command }).behavior === 'allow')
    expect(found.slice(0, 7)).toEqual(allowed)
  })

  it('a star without a blank has no boundary', () => {
    expect(outcome(permissionsFor('? Bash(ls*)'), 'lsof')).toBe('ASK')
    expect(outcome(permissionsFor('? Bash(ls *)'), 'lsof')).toBe('ALLOW')
  })
})

describe('PE-23: a denied folder is denied in every mode and at every depth', () => {
  it.each([...permissionModes])('%s', (mode: PermissionMode) => {
    for (const cwd of ['/repo', '/repo/x', '/repo/.claude/worktrees/w']) {
      const permissions = createPermissions({
        rules: rulesOf('- Read(**/secrets/**)'),
        cwd: '/repo',
        mode,
        readLink: () => true,
      })
      for (const path of ['secrets/a', 'x/secrets/a', 'x/y/secrets/z/a']) {
        const verdict = permissions.check('Read', { file_path: path }, { cwd })
        expect([mode, cwd, path, verdict.behavior]).toEqual([mode, cwd, path, 'deny'])
        expect(permissions.check('Bash', { command: `cat ${path}` }, { cwd }).behavior).toBe('deny')
      }
    }
  })
})

describe('what stands for a path', () => {
  it.each([
    ['HOME=/repo; cat ~/.env', 'ASK'],
    ['HOME=/repo && cat "$HOME/.env"', 'ASK'],
    ['PWD=/x; cat "$PWD/.env"', 'ASK'],
    ['read HOME; cat ~/.env', 'ASK'],
    ['cat ~/.env', 'ALLOW'],
  ])('%s: %s', (command, result) => {
    expect(outcome(permissionsFor('- Read(.env) + Bash(*)'), command)).toBe(result)
  })

  it('a sandbox allows also what is not understood, but not in plan mode and not past rules', () => {
    const isSandboxed = () => true
    expect(outcome(permissionsFor('', { isSandboxed }), '$X a')).toBe('ALLOW')
    expect(outcome(permissionsFor('- Bash(rm *)', { isSandboxed }), '$X a')).toBe('ASK')
    expect(outcome(permissionsFor('+ Bash(npm test)', { isSandboxed, mode: 'plan' }), 'npm test')).toBe('ASK')
  })
})

describe('a search below a folder', () => {
  const there = (path: string) => (readPath: string) =>
    readPath === path || path.startsWith(`${readPath}/`) ? (true as const) : undefined
  it.each([
    ['grep -r K .', '/repo/.env', 'ASK'],
    ['grep -rn K src', '/repo/.env', 'ALLOW'],
    ['grep -r K .', '/repo/x', 'ALLOW'],
    ['rg K', '/repo/.env', 'ALLOW'],
    ['rg --hidden K', '/repo/.env', 'ASK'],
    ['rg K', '/repo/secrets', 'ASK'],
    ['cd src && grep -r K ..', '/repo/.env', 'ASK'],
  ])('%s with %s on disk: %s', (command, path, result) => {
    const permissions = permissionsFor('- Read(./.env) - Read(./secrets/**)', { readLink: there(path) })
    expect(outcome(permissions, command)).toBe(result)
  })
})

it('a program whose files are not known asks where it is given one that rules forbid', () => {
  const rules = '- Read(.env) + Bash(*) + Bash(docker *)'
  for (const command of ['tool .env', 'docker cp .env c:/', 'npm publish --config=.env']) {
    expect([command, outcome(permissionsFor('- Read(.env) + Bash(*)'), command)]).toEqual([command, 'ASK'])
  }
  expect(outcome(permissionsFor(rules), 'docker run --env-file .env x')).toBe('ALLOW')
  expect(outcome(permissionsFor('- Read(build/**) + Bash(npm run build)'), 'npm run build')).toBe('ALLOW')
})
