import { outcome, permissionsFor, type ShortCall } from './test/builders.ts'

const show = (rules: string, calls: ShortCall[], o = {}) => {
  for (const c of calls) {
    const p = permissionsFor(rules, o)
    const call =
      typeof c === 'string'
        ? (['Bash', { command: c }] as const)
        : ([
            c[0],
            (typeof c[1] === 'string' ? { file_path: c[1], path: c[1], command: c[1], url: c[1] } : c[1]) ??
              {},
          ] as const)
    const v = p.check(call[0], call[1] as never)
    console.log(
      JSON.stringify(o).slice(0, 24),
      rules.slice(0, 45).padEnd(46),
      JSON.stringify(c).padEnd(60),
      outcome(p, c),
      '|',
      v.reason.detail.slice(0, 120),
      p.problems.map((x) => x.message).join(';'),
    )
  }
}
const accept = { mode: 'acceptEdits' },
  plan = { mode: 'plan' },
  auto = { mode: 'auto' }
show(
  '',
  [
    'mkdir a',
    'touch .git/x',
    'rm *.log',
    'rm -rf build',
    'mv a b',
    'mv a ../b',
    'cp -r src dst',
    'sed -i s/a/b/ f',
    'sed -i "s/a/b/e" f',
    'sed -i "1d" f',
    'sed -i -e s/a/b/g -e "2d" f',
    'sed -i s/a/b/ /etc/f',
    'sed s/a/b/ f',
    'echo x > f',
    'echo x > "f"',
    'echo x > $F',
    'cat a > b',
    'cat /etc/hosts > b',
    'tee f',
    'ls | tee f',
    'chmod +x f',
    'ln -s /etc x',
    'touch a && ls',
    'timeout 5 touch a',
    'sudo touch a',
    'env touch a',
    'xargs rm',
    'find . -name x -delete',
    'cp a b; npm i',
    'mkdir -p a/b/c',
    'touch "a b"',
    'rm -rf node_modules',
    'cp .env .env.bak',
    'cp a .npmrc',
    'mv .git x',
    'rm -rf .git',
    'touch src/.vscode/settings.json',
    'cd src && touch x',
    '> f',
    'cat <<EOF > f\nx\nEOF',
    "cat <<'EOF' > f\n$(rm x)\nEOF",
    'cp a b c',
    'touch -r /etc/passwd f',
    'mkdir $X',
    'cp a ~/b',
    'dd if=a of=b',
    'rm -- -x',
    'git add .',
    'rm ../x',
    'FOO=1 touch a',
    ['NotebookEdit', 'n.ipynb'],
    ['Write', '.x/settings.json'],
    ['MultiEdit', 'a'],
    ['Write', {}],
    ['Edit', { file_path: 3 }],
    ['Read', {}],
    ['Grep', { pattern: 'x' }],
    ['Glob', { pattern: '**/*' }],
    ['Glob', { pattern: '../**' }],
    ['Glob', { pattern: '/etc/*' }],
    ['Glob', { pattern: '~/x/*' }],
    ['Glob', { pattern: 'a*/../../x' }],
    ['Glob', { pattern: '*', path: '/etc' }],
    ['LS', '/etc'],
    ['TodoWrite', {}],
    ['Foo', {}],
    ['mcp__a__b', {}],
    ['ExitPlanMode', {}],
    ['Skill', 'x'],
    ['Agent', 'y'],
    ['EnterWorktree', { name: 'x' }],
    ['EnterWorktree', { path: '/repo/.claude/worktrees/a' }],
    ['WebFetch', 'https://docs.python.org/3/'],
    ['WebFetch', 'https://docs.python.org.evil.com/3/'],
    ['WebFetch', 'https://user@docs.python.org/3/'],
    ['WebFetch', 'nonsense'],
    ['WebFetch', {}],
    ['Bash', {}],
    ['Bash', { command: 3 }],
  ],
  accept,
)
show(
  '',
  [
    'cat a > b',
    'echo x > plan.md',
    ['Write', '/repo/plan.md'],
    ['Write', '/repo/x'],
    ['WebFetch', 'https://x.y'],
    'ls',
    'git status',
    'npm test',
  ],
  { mode: 'plan', planFile: '/repo/plan.md' },
)
show(
  '+ Bash(npm test) + mcp__a + WebFetch',
  ['npm test', ['mcp__a__b', {}], ['WebFetch', 'https://x.y']],
  plan,
)
show(
  '+ Bash(python *) + Bash(python3 script.py) + Bash(npm run *) + Bash(npm:*) + Agent',
  ['python x', 'python3 script.py', 'npm run x', 'npm ls', 'git push', 'touch a', ['Agent', 'x']],
  auto,
)
show('+ Edit(src/**) + Edit', ['echo x > src/a', 'echo x > /etc/a', 'echo x > ~/a'])
show('+ Edit(~/notes/**) + Bash(echo *)', [
  'echo x > ~/notes/a',
  'echo x > /home/u/notes/a',
  'echo x > /home/u/notes/../b',
])
show('+ Read(//etc/hosts) + Bash(cat *)', ['cat /etc/hosts', 'cat /etc/passwd', 'ls /etc/hosts', 'ls /etc'])
show('+ Bash(npm test && npm run build) + Bash(git diff > out.txt) + Bash(echo:*)', [
  'npm test && npm run build',
  'npm test',
  'git diff > out.txt',
  'git diff > x',
  'echo a:b',
  'echo',
])
show('- Bash(curl * | sh) + Bash(*)', ['curl x | sh', 'curl x | bash', 'curl x'])
show('+ Bash(git commit -m *) ', [
  "git commit -m 'a'",
  'git commit -m "$(cat f)"',
  'git commit -am x',
  'git commit -m x; rm y',
  'git commit -m x --amend',
])
show(
  '+ Task + LS + MultiEdit(x) + Glob(src/**) + TodoWrite(x) + Read(!x) ? Grep(x) - bash(rm *) - Foo(x:1) + Bash(',
  [['TodoWrite', {}]],
)
