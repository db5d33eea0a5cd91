import { createPermissions, type PermissionRule, type Permissions } from '@x/permissions'
import { analyzeShell } from '@x/shell-analysis'

// A verdict stands in front of every call, so it must stay far below a millisecond for a usual command, whatever the
// number of rules; a hostile line must not hold up the host. Beside it: the shell analysis alone.
const usual = `cd packages/x && git diff main...HEAD --name-only | grep -E "\\.ts$" | xargs -n1 wc -l 2>/dev/null | sort -rn | head -30
for f in src/*.ts; do echo "$f: $(grep -c export "$f")"; done; if [ -f a.json ]; then jq -r .name a.json; fi
timeout 30 sh -c 'ls -la | tail -5'; npm test > out.log`

const hostile: readonly (readonly [name: string, piece: string])[] = [
  ['lists', 'ls -la; '],
  ['reads', 'cat a/b.ts;'],
  ['writes', 'ls >a/b;'],
  ['cd', 'cd a && '],
  ['removals', 'rm -rf a/*;'],
  ['words', 'a/b $X '],
  ['substitutions beside each other', '$(ls) '],
  ['substitutions in each other', '$('],
  ['wrappers of wrappers', 'nohup env '],
  ['patterns', '*a'],
]

const few = rulesOf(10)
const many = rulesOf(1_000)

// A session that has begun: compiled code, and a heap of its usual size.
const warm = permissionsWith(many)
for (let round = 0; round < 5_000; round += 1) warm.check('Bash', { command: usual })

report('300 characters, p99, 10 rules', usual, few, { share: 0.99, rounds: 200, batches: 25, limitMs: 1 })
report('300 characters, p99, 1,000 rules', usual, many, { share: 0.99, rounds: 200, batches: 25, limitMs: 1 })
for (const [name, piece] of hostile) {
  const script = `echo ${piece.repeat(9_990 / piece.length)}`
  report(`10,000 characters, ${name}`, script, many, { share: 0.5, rounds: 3, batches: 5, limitMs: 50 })
}
reportGrowth()

interface Limits {
  readonly share: number
  readonly rounds: number
  readonly batches: number
  readonly limitMs: number
}

// oxlint-disable-next-line max-params -- a figure is these four
function report(figure: string, command: string, rules: readonly PermissionRule[], limits: Limits): void {
  const permissions = permissionsWith(rules)
  const ours = measureMs(() => permissions.check('Bash', { command }), limits)
  const bare = measureMs(() => analyzeShell(command), limits)
  print(figure, { ours, bare, target: `<= ${limits.limitMs} ms`, ok: ours <= limits.limitMs })
}

/** A hundred times the rules must not cost a hundred times the time. */
function reportGrowth(): void {
  const limits = { share: 0.5, rounds: 200, batches: 10, limitMs: 1 }
  const [bare = 0, ours = 0] = [few, many].map((rules) => {
    const permissions = permissionsWith(rules)
    return measureMs(() => permissions.check('Bash', { command: 'npm run check -- --fix' }), limits)
  })
  print('1,000 rules beside 10', { ours, bare, target: '<= 5 x', ok: ours <= bare * 5 })
}

function print(
  figure: string,
  { ours, bare, target, ok }: { ours: number; bare: number; target: string; ok: boolean },
): void {
  const ratio = Number((ours / bare).toFixed(1))
  console.log(JSON.stringify({ bench: 'permissions', figure, ours, bare, ratio, target, ok }))
}

function permissionsWith(rules: readonly PermissionRule[]): Permissions {
  return createPermissions({ rules, cwd: '/repo', home: '/home/u' })
}

/** Rules as people have them: mostly prefixes, some paths, a few that forbid. */
function rulesOf(count: number): PermissionRule[] {
  return Array.from({ length: count }, (_, index): PermissionRule => {
    const kinds: readonly PermissionRule[] = [
      { behavior: 'allow', text: `Bash(tool-${index} run *)`, layer: 'local' },
      { behavior: 'allow', text: `Bash(npm run script:${index})`, layer: 'project' },
      { behavior: 'deny', text: `Bash(danger-${index}:*)`, layer: 'user' },
      { behavior: 'allow', text: `Edit(generated/${index}/**)`, layer: 'project' },
      { behavior: 'deny', text: `Read(secrets/${index}/**)`, layer: 'project' },
      { behavior: 'ask', text: `Bash(git push origin branch-${index} *)`, layer: 'project' },
      { behavior: 'allow', text: `mcp__server${index}__get_*`, layer: 'user' },
      { behavior: 'allow', text: `WebFetch(domain:host${index}.example)`, layer: 'user' },
      { behavior: 'deny', text: `Edit(//etc/${index})`, layer: 'managed' },
      { behavior: 'allow', text: `Bash(* --help-${index})`, layer: 'local' },
    ]
    return kinds[index % kinds.length] ?? { behavior: 'allow', text: 'Read' }
  })
}

/** The least of several batches: the machine is shared. */
function measureMs(run: () => unknown, { share, rounds, batches: count }: Limits): number {
  const batches = Array.from({ length: count }, () => {
    const times = Array.from({ length: rounds }, () => timeOf(run)).sort((a, b) => a - b)
    return times[Math.floor(times.length * share)] ?? 0
  })
  return Number(Math.min(...batches).toFixed(3))
}

function timeOf(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}
