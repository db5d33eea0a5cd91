import { describe, expect, it } from 'vitest'
import { analyzeShell } from '../src/index.ts'
import { commandsOf } from './builders.ts'

const table: readonly (readonly [script: string, ...commands: string[]])[] = [
  // lists, pipes, groups
  [''],
  ['# rm x'],
  ['ls', 'ls'],
  ['a && b || c; d | e |& f & g\nh', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
  ['(a; b)', 'a', 'b'],
  ['{ a; b; }', 'a', 'b'],
  ['! a', 'a'],
  ['time -p a | b', 'a', 'b'],
  ['coproc a', 'a'],
  // words
  ['"l"s -l\'a\'', 'ls -la'],
  ['\\rm x', 'rm x'],
  ["r''m x", 'rm x'],
  ['r\\\nm x', 'rm x'],
  ["$'\\x72m' x", 'rm x'],
  ['echo "it\'s > fine"', "echo it's > fine"],
  ["echo '$(touch pwned)'", 'echo $(touch pwned)'],
  ['grep -E "a|b;c" f', 'grep -E a|b;c f'],
  ['ls $x "$y" ~/z *.ts {a,b}', 'ls ? ? ? ? ?'],
  // compound commands
  ['if a; then b; elif c; then d; else e; fi', 'a', 'b', 'c', 'd', 'e'],
  ['while a; do b; done', 'a', 'b'],
  ['until a; do b; done', 'a', 'b'],
  ['for x in $(a); do b; done', 'a', 'b'],
  ['for ((i = 0; i < 3; i++)); do a; done', 'a'],
  ['select x in y; do a; done', 'a'],
  ['case $(a) in $(b)) c ;; *) d ;; esac', 'a', 'b', 'c', 'd'],
  ['f() { a; }; f', 'a', 'f'],
  ['function f { a; }', 'a'],
  ['[[ -n $(a) ]] && b', 'a', 'b'],
  // substitutions
  ['a $(b)', 'a ?', 'b'],
  ['a `b`', 'a ?', 'b'],
  ['a `b \\`c\\``', 'a ?', 'b ?', 'c'],
  ['a "x $(b "$(c)")"', 'a ?', 'b ?', 'c'],
  ['a "${x:-$(b)}"', 'a ?', 'b'],
  ['a ${x/$(b)/$(c)}', 'a ?', 'b', 'c'],
  ['a $((1 + $(b)))', 'a ?', 'b'],
  ['((x = $(a)))', 'a'],
  ['a <(b) >(c)', 'a ? ?', 'b', 'c'],
  ['x=$(a) b', 'b', 'a'],
  ['x=(1 $(a))', '', 'a'],
  ['x[$(a)]=1', '', 'a'],
  ['declare x=$(a)', 'declare ?', 'a'],
  ['a > $(b)', 'a', 'b'],
  ['{ a; } > $(b)', 'a', 'b'],
  // here-documents
  ['a <<EOF\n$(b) `c`\nEOF', 'a', 'b', 'c'],
  ["a <<'EOF'\n$(b)\nEOF\nc", 'a', 'c'],
  ['a <<-EOF\n\t$(b)\n\tEOF', 'a', 'b'],
  ['a <<< "$(b)"', 'a', 'b'],
  ['# <<EOF\na', 'a'],
  ["echo '<<EOF'\na", 'echo <<EOF', 'a'],
  ['echo $((1<<2)); a', 'echo ?', 'a'],
  // shells
  ['sh -c "a; b"', 'sh -c a; b', 'a', 'b'],
  ["bash -lc 'a $(b)'", 'bash -lc a $(b)', 'a ?', 'b'],
  ['bash -o pipefail -c a', 'bash -o pipefail -c a', 'a'],
  ['/bin/sh -c a', '/bin/sh -c a', 'a'],
  ['sh -c \'sh -c "a"\'', 'sh -c sh -c "a"', 'sh -c a', 'a'],
  ['bash <<< "a b"', 'bash', 'a b'],
  ['bash <<A 3<<B\na\nA\nb\nB', 'bash', 'a'],
  ["export A=1 PAGER='a b' EDITOR", 'export A=1 PAGER=a b EDITOR', 'a b'],
  ["bash <<'EOF'\na\nb\nEOF", 'bash', 'a', 'b'],
  ['bash script.sh', 'bash script.sh'],
  ['eval "a b"', 'eval a b', 'a b'],
  ["eval a 'b;' c", 'eval a b; c', 'a b', 'c'],
  ["trap 'a' EXIT", 'trap a EXIT', 'a'],
  ["alias x='a b'", 'alias x=a b', 'a b'],
  // wrappers
  ['env -u B A=1 a x', 'env -u B A=1 a x', 'a x'],
  ["env -S 'A=1 a b'", 'env -S A=1 a b', 'a b'],
  ['sudo -u root -- a', 'sudo -u root -- a', 'a'],
  ['timeout -k 5 30 a b', 'timeout -k 5 30 a b', 'a b'],
  ['nice -n 5 a', 'nice -n 5 a', 'a'],
  ['nice -5 a', 'nice -5 a', 'a'],
  ['nohup setsid a', 'nohup setsid a', 'setsid a', 'a'],
  ['stdbuf -oL a', 'stdbuf -oL a', 'a'],
  ['ionice -c2 -n 3 a', 'ionice -c2 -n 3 a', 'a'],
  ['command -p a', 'command -p a', 'a'],
  ['command -v a', 'command -v a'],
  ['builtin a', 'builtin a', 'a'],
  ['exec -a x b', 'exec -a x b', 'b'],
  ['watch -n1 "a | b"', 'watch -n1 a | b', 'a', 'b'],
  ['watch -x a b', 'watch -x a b', 'a b'],
  ['flock f a', 'flock f a', 'a'],
  ['flock f -c "a b"', 'flock f -c a b', 'a b'],
  ['su root -c "a b"', 'su root -c a b', 'a b'],
  ['"$HOME"/bin/env a', '? a', 'a'],
  // xargs and find
  ['xargs', 'xargs'],
  ['xargs -n 1 -0 a b', 'xargs -n 1 -0 a b', 'a b ?'],
  ['xargs -I{} a {} x{}y', 'xargs -I{} a {} x{}y', 'a ? ?'],
  ['xargs sh -c \'a "$@"\' _', 'xargs sh -c a "$@" _', 'sh -c a "$@" _ ?', 'a ?'],
  ['find . -exec a {} \\;', 'find . -exec a {} ;', 'a ?'],
  ['find . -execdir a {} + -ok b \\;', 'find . -execdir a {} + -ok b ;', 'a ?', 'b'],
  // git
  ["git -c alias.x='!a b' x", 'git -c alias.x=!a b x', 'a b'],
  ["git -c alias.x='push -f' x", 'git -c alias.x=push -f x', 'git push -f'],
  ['git -c core.pager=a log', 'git -c core.pager=a log', 'a'],
  ['git rebase --exec "a b" x', 'git rebase --exec a b x', 'a b'],
  ['git bisect run a b', 'git bisect run a b', 'a b'],
  ["git submodule foreach 'a b'", 'git submodule foreach a b', 'a b'],
  ["GIT_SSH_COMMAND='a b' git fetch", 'git fetch', 'a b'],
]

it.each(table)('%j runs the commands %j ...', (script, ...commands) => {
  expect(commandsOf(script)).toEqual(commands)
})

describe('a command', () => {
  it('says how it is reached', () => {
    const { commands } = analyzeShell("f() { (timeout 5 sh -c 'a $(b)'); }")
    expect(commands.at(-1)?.via).toEqual([
      { kind: 'function', name: 'f' },
      { kind: 'group' },
      { kind: 'subshell' },
      { kind: 'wrapper', name: 'timeout' },
      { kind: 'shell', name: 'sh' },
      { kind: 'substitution' },
    ])
  })

  it('says which command starts it and which it wraps', () => {
    const { commands } = analyzeShell('timeout 5 a; b')
    expect(commands.map(({ wraps, startedBy }) => ({ wraps, startedBy }))).toEqual([
      { wraps: 1, startedBy: undefined },
      { wraps: undefined, startedBy: 0 },
      { wraps: undefined, startedBy: undefined },
    ])
  })

  it('has its text and place in the analysed command', () => {
    const script = 'ls; sh -c "x; yy z" ; echo `a \\`b\\``'
    const found = analyzeShell(script).commands.map(({ text, span }) => [
      text,
      script.slice(span.start, span.end),
    ])
    expect(found).toEqual([
      ['ls', 'ls'],
      ['sh -c "x; yy z"', 'sh -c "x; yy z"'],
      ['x', '"x; yy z"'],
      ['yy z', '"x; yy z"'],
      ['echo `a \\`b\\``', 'echo `a \\`b\\``'],
      ['a `b`', '`a \\`b\\``'],
      ['b', '`a \\`b\\``'],
    ])
  })

  it('has its assignments, those of env too', () => {
    const { commands } = analyzeShell('A=1 B="x y" C=$z env D=4 a')
    expect(commands.map((one) => one.assignments.map(({ name, value }) => [name, value]))).toEqual([
      [
        ['A', '1'],
        ['B', 'x y'],
        ['C', undefined],
      ],
      [['D', '4']],
    ])
  })

  it('has its redirections with their effect', () => {
    const [command] = analyzeShell('a <in >out 2>&1 &>>log >|force <>both 3<&- >&2 <<<text').commands
    expect(command?.redirections.map(({ operator, effect }) => `${operator} ${effect}`)).toEqual([
      '< read',
      '> write',
      '>& descriptor',
      '&>> write',
      '>| write',
      '<> write',
      '<& descriptor',
      '>& descriptor',
      '<<< text',
    ])
  })

  it('keeps the pieces of a word that is not static', () => {
    const [command] = analyzeShell('cat "$HOME/a b"/*.ts').commands
    expect(command?.argv[1]?.pieces).toEqual([
      { kind: 'variable', name: 'HOME', quoted: true },
      { kind: 'text', value: '/a b' },
      { kind: 'text', value: '/' },
      { kind: 'glob', text: '*' },
      { kind: 'text', value: '.ts' },
    ])
  })

  it('has a program also where only its folder is unknown', () => {
    const { commands, isUnderstood } = analyzeShell('"$DIR"/tool x; ~/bin/other')
    expect(commands.map(({ name, program, isNameStatic }) => ({ name, program, isNameStatic }))).toEqual([
      { name: undefined, program: 'tool', isNameStatic: true },
      { name: undefined, program: 'other', isNameStatic: true },
    ])
    expect(isUnderstood).toBe(true)
  })
})
