import { describe, expect, it } from 'vitest'
import { analyzeShell } from '../src/index.ts'

describe('files', () => {
  it.each([
    ['tee a -a b', [], ['a', 'b']],
    ['cp -r a b c', ['a', 'b'], ['c']],
    ['cp -t d a b', ['a', 'b'], ['d']],
    ['mv a b', [], ['a', 'b']],
    ['rm -rf a b', [], ['a', 'b']],
    ['mkdir -p a', [], ['a']],
    ['touch -r x a', [], ['a']],
    ['chmod 644 a', [], ['a']],
    ['ln -s a b', ['a'], ['b']],
    ['dd if=a of=b bs=1', ['a'], ['b']],
    ['dd of=~/b', [], [undefined]],
    ['sed -i.bak s/a/b/ f g', [], ['f', 'g']],
    ['sed -n -e 1p f', ['f'], []],
    ['sort -o out in', ['in'], ['out']],
    ['uniq a b', ['a'], ['b']],
    ['cat a - b', ['a', 'b'], []],
    ['head -n 5 a', ['a'], []],
    ['grep x a b', ['a', 'b'], []],
    ['grep -e x a', ['a'], []],
    ['grep -f list a', ['list', 'a'], []],
    ['rg --files a', ['a'], []],
    ['find a b -name x', ['a', 'b'], []],
    ['sudo tee a', [], ['a']],
    ['ls < a > b 2>> c &> d', ['a'], ['b', 'c', 'd']],
    ['{ ls; } > a', [], ['a']],
    ['ls > ~/a > *.x', [], [undefined, undefined]],
    ['ls > /dev/null', [], []],
    ['cat <(ls)', [], []],
  ] as const)('%s reads %j and writes %j', (script, reads, writes) => {
    const analysis = analyzeShell(script)
    expect(analysis.reads.map((file) => file.path)).toEqual(reads)
    expect(analysis.writes.map((file) => file.path)).toEqual(writes)
  })

  it.each([
    ['cat a | head', true],
    ['rm -rf a', true],
    ['echo x > a', true],
    ['npm test', false],
    ['rm --strange a', false],
    ['rm $x', false],
    ['git log', false],
    ['$x', false],
  ])('%s: all known is %s', (script, expected) => {
    expect(analyzeShell(script).areFilesKnown).toBe(expected)
  })

  it('name the command that opens them', () => {
    const { writes } = analyzeShell('ls; rm a; { ls; } > b')
    expect(writes.map(({ path, command, by }) => ({ path, command, by }))).toEqual([
      { path: 'a', command: 1, by: 'argument' },
      { path: 'b', command: undefined, by: 'redirection' },
    ])
  })
})

describe('the exit code', () => {
  it.each([
    ['grep a f', 'grep'],
    ['ls | grep a', 'grep'],
    ['cd x && grep a f', 'grep'],
    ['a; b || c', 'c'],
    ['(a; grep b)', 'grep'],
    ['{ grep b; } 2>&1', 'grep'],
    ['timeout 5 env A=1 grep b', 'grep'],
    ['time grep b', 'grep'],
    ['a | xargs grep b', 'xargs'],
    ['! grep b', undefined],
    ['grep b &', undefined],
    ['if grep b; then c; fi', undefined],
    ['', undefined],
    ['sh -c "grep a"', 'sh'],
    ['$x', undefined],
  ])('of %s is that of %s', (script, program) => {
    const { exitCommand, commands } = analyzeShell(script)
    expect(exitCommand === undefined ? undefined : commands[exitCommand]?.program).toBe(program)
  })
})

describe('what a timeout needs to know', () => {
  it.each([
    ['sleep 300', { startsWithSleep: true }],
    ['ls; sleep 3', { startsWithSleep: false }],
    ['cd x; ls', { changesDirectory: true }],
    ['(pushd x)', { changesDirectory: true }],
    ['echo cd', { changesDirectory: false }],
    ['ls && git fetch', { hasGit: true }],
    ['timeout 5 /usr/bin/git fetch', { hasGit: true }],
    ['echo git', { hasGit: false }],
    ['ls & b', { hasBackground: true }],
    ['sh -c "ls &"', { hasBackground: true }],
    ['echo "&" 2>&1 && ls', { hasBackground: false }],
  ])('%s: %j', (script, facts) => {
    expect(analyzeShell(script)).toMatchObject(facts)
  })
})

describe('reading one file', () => {
  it.each([
    ['cat f', 'f'],
    ['cat -n "a b"', 'a b'],
    ['cat -- -f', '-f'],
    ['nl f', 'f'],
    ['bat -p f', 'f'],
    ['batcat f', 'f'],
    ['head -n 20 f', 'f'],
    ['head -20 f', 'f'],
    ['tail -c 5 f', 'f'],
    ["sed -n '1,20p' f", 'f'],
    ['grep -n x f', 'f'],
    ['egrep x f', 'f'],
    ['fgrep x f', 'f'],
    ['rg x f', 'f'],
    ['sed 1p f', undefined],
    ["sed -n '/a/p' f", undefined],
    ['cat a b', undefined],
    ['cat', undefined],
    ['cat f | head', undefined],
    ['cat f > g', undefined],
    ['cat f 2>/dev/null', undefined],
    ['cat < f', undefined],
    ['cat f &', undefined],
    ['cat "$x"', undefined],
    ['cat *.ts', undefined],
    ['cat $(ls)', undefined],
    ['A=1 cat f', undefined],
    ['(cat f)', undefined],
    ['cat f; ls', undefined],
    ['./cat f', undefined],
    ['less f', undefined],
  ])('%s: %s', (script, path) => {
    expect(analyzeShell(script).readsOneFile?.path).toBe(path)
  })
})
