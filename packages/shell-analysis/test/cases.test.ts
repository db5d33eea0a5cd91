import { describe, expect, it } from 'vitest'
import { analyzeShell } from '../src/index.ts'
import { commandsOf, isCaught, verdictOf } from './builders.ts'

function programsOf(script: string): (string | undefined)[] {
  return analyzeShell(script).commands.map((command) => command.program)
}

function writesOf(script: string): (string | undefined)[] {
  return analyzeShell(script).writes.map((file) => file.path)
}

function readsOf(script: string): (string | undefined)[] {
  return analyzeShell(script).reads.map((file) => file.path)
}

describe('PE-01, PE-02: every part of a compound command is judged', () => {
  it.each([
    ['git status && rm -rf x', 'rm'],
    ['git status; rm -rf x', 'rm'],
    ['git status || rm -rf x', 'rm'],
    ['git log | rm -rf x', 'rm'],
    ['rm -rf x && git status', 'rm'],
    ['git log | sh -c "touch pwned"', 'touch'],
    ['(git log; touch pwned)', 'touch'],
    ['{ git log; touch pwned; }', 'touch'],
    ['if git log; then touch pwned; fi', 'touch'],
    ['while git log; do touch pwned; break; done', 'touch'],
  ])('%s holds %s', (script, program) => {
    expect(programsOf(script)).toContain(program)
    expect(programsOf(script)).toContain('git')
    expect(verdictOf(script)).toBe('no')
  })
})

describe('PE-03, PE-04: commands nested in a word are seen', () => {
  it.each([
    ['git status $(touch pwned)', 'touch'],
    ['git status `touch pwned`', 'touch'],
    ['echo "$(rm -rf x)"', 'rm'],
    ['echo "a ${x:-$(touch pwned)}"', 'touch'],
  ])('%s holds %s', (script, program) => {
    expect(programsOf(script)).toContain(program)
  })

  it('single quotes hold text only', () => {
    expect(programsOf("echo '$(touch pwned)'")).toEqual(['echo'])
  })

  it.each([
    '{ cat foo.txt; }',
    'cat <(ls) foo.txt',
    'cat <(cat foo.txt)',
    '(cat foo.txt)',
    'eval "cat foo.txt"',
  ])('%s reads foo.txt', (script) => {
    expect(readsOf(script)).toContain('foo.txt')
  })
})

describe('PE-05, PE-06: nothing in front hides the program', () => {
  it('assignments', () => {
    expect(commandsOf('CI=1 git push')).toEqual(['git push'])
    expect(commandsOf('A=1 B="x y" git push')).toEqual(['git push'])
    expect(commandsOf('AWS_PROFILE=p aws s3 ls')).toEqual(['aws s3 ls'])
  })

  it.each(['bash -c "rm -rf x"', "sh -c 'rm -rf x'", 'eval "rm -rf x"', 'bash <<< "rm -rf x"'])(
    '%s',
    (script) => {
      expect(commandsOf(script)).toContain('rm -rf x')
    },
  )

  it('a script from a pipe is not understood', () => {
    expect(verdictOf('echo "rm -rf x" | sh')).toBe('?')
  })
})

describe('PE-07, PE-08: a harmless verb with a harmful option', () => {
  it.each([
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
  ])('%s is not read-only', (script) => {
    expect(verdictOf(script)).toBe('no')
  })

  it.each(['git branch', 'git tag -l', 'git remote -v', 'sort f', 'sed -n 1,3p f'])(
    '%s is read-only',
    (script) => {
      expect(verdictOf(script)).toBe('yes')
    },
  )
})

describe('PE-09, PE-10: files are named as written, or their pieces are', () => {
  it.each(['cat .env', 'grep KEY .env', 'head -1 .env', 'sed -n 1p .env', 'egrep K .env', 'sort < .env'])(
    '%s reads .env',
    (script) => {
      expect(readsOf(script)).toContain('.env')
    },
  )

  it('a path with a variable is unknown', () => {
    const [file] = analyzeShell('cat "$PWD/.env"').reads
    expect([file?.path, file?.word.pieces.length]).toEqual([undefined, 2])
  })

  it('redirections', () => {
    expect(writesOf('printf X > protected.txt')).toEqual(['protected.txt'])
    expect(writesOf('printf X > "$PWD/protected.txt"')).toEqual([undefined])
    expect(writesOf('printf X >> ./a/../protected.txt')).toEqual(['./a/../protected.txt'])
  })
})

it.each(['cd /other && git push --dry-run', 'cd /other; git clean -n', 'pushd /other && git push'])(
  'PE-11: %s shows git and the change of directory',
  (script) => {
    expect(analyzeShell(script)).toMatchObject({ changesDirectory: true, hasGit: true, isReadOnly: false })
  },
)

describe('PE-15, PE-16, PE-17, PE-18: harmless commands stay harmless', () => {
  it.each(['cat f 2>/dev/null | head -80', 'ls -la > /dev/null 2>&1', 'ls 2>&1 | head', 'cd sub && ls'])(
    '%s',
    (script) => {
      expect(verdictOf(script)).toBe('yes')
      expect(writesOf(script)).toEqual([])
    },
  )

  it('every part of a pipeline is read-only', () => {
    expect(verdictOf('cd p/sub && git diff main...HEAD --name-only | head -30')).toBe('yes')
    expect(verdictOf('git diff x | jq . | head')).toBe('yes')
  })

  it('operators in quotes and comments are no operators', () => {
    expect(programsOf('python3 -c "import ast; print(1 && 2)"')).toEqual(['python3'])
    expect(programsOf('grep -E "a|b;c" f')).toEqual(['grep'])
    expect(programsOf('echo "it\'s > fine"')).toEqual(['echo'])
    expect(programsOf('# explain\ngrep a f')).toEqual(['grep'])
  })

  it('a quoted here-document runs nothing, another one does', () => {
    const body = 'rm -rf / "quotes" \' $(x) ;'
    expect(programsOf(`git commit -m "$(cat <<'EOF'\n${body.replace("'", '')}\nEOF\n)"`)).toEqual([
      'git',
      'cat',
    ])
    expect(programsOf(`git commit -F - <<'EOF'\n${body}\nEOF`)).toEqual(['git'])
    expect(programsOf('git commit -F - <<EOF\n$(x)\nEOF')).toEqual(['git', 'x'])
  })
})

it.each(['# <<EOF\ngit commit -m x', "echo '<<EOF'\ngit commit -m x", 'echo $((1<<2)); git commit -m x'])(
  'PE-20: %j holds the commit',
  (script) => {
    expect(commandsOf(script).at(-1)).toBe('git commit -m x')
  },
)

it.each(['PATH=$PWD/evil:$PATH ls', 'LD_PRELOAD=./e.so ls x', './ls x', 'evil/git status'])(
  'PE-21: %s is not read-only',
  (script) => {
    expect(verdictOf(script)).toBe('no')
  },
)

describe('examples of the contract', () => {
  it.each([
    ['echo $(rm -rf build)', 'rm'],
    ['echo `rm x`', 'rm'],
    ['(cd x; rm y)', 'rm'],
    ['for f in a b; do rm $f; done', 'rm'],
    ['timeout 30 npm test', 'npm'],
    ['time npm test', 'npm'],
    ['stdbuf -oL npm test', 'npm'],
    ['noglob npm test', 'npm'],
    ['ls | xargs prettier --check', 'prettier'],
    ['FOO=bar rm -rf tmp/', 'rm'],
    ['sudo rm x', 'rm'],
    ['env A=1 rm x', 'rm'],
    ['echo "$(rm -rf ~)"', 'rm'],
    ['npm test & curl x', 'curl'],
    ['npm test |& cat', 'cat'],
  ])('%s: a rule on %s bites', (script, program) => {
    expect(isCaught(script, program)).toBe(true)
    expect(programsOf(script)).toContain(program)
  })

  it('command -v runs nothing', () => {
    expect(programsOf('command -v npm')).toEqual(['command'])
  })

  it('a bare assignment is not read-only', () => {
    expect(verdictOf('FOO=bar')).toBe('no')
  })

  it.each([
    ['ls *.ts', 'yes'],
    ['wc -l src/*.py', 'yes'],
    ['find . -name *.ts', 'no'],
    ['sort *.txt', 'no'],
    ['find . -name "*.ts"', 'yes'],
    ['cd app; grep -r p . 2>/dev/null', 'yes'],
    ['docker --context x ps', 'no'],
    ['file -m x y', 'no'],
  ] as const)('%s: %s', (script, verdict) => {
    expect(verdictOf(script)).toBe(verdict)
  })

  it('10,001 characters are not understood', () => {
    expect(verdictOf(`echo ${'x'.repeat(9996)}`)).toBe('?')
    expect(verdictOf(`echo ${'x'.repeat(9995)}`)).toBe('yes')
  })
})
