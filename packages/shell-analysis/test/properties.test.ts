import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { analyzeShell } from '../src/index.ts'
import { isCaught, verdictOf } from './builders.ts'

const program = 'forbidden'
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const doubleQuote = (text: string): string => `"${text.replaceAll(/[\\"$`]/g, '\\$&')}"`

/** Ways to write the name that mean the same to the shell. */
const spelling = fc.constantFrom(
  program,
  `"${program}"`,
  `'${program}'`,
  `for''bidden`,
  `\\forbidden`,
  `f\\orbidden`,
  `"for"'bid'den`,
  `$'\\x66orbidden'`,
  `for\\\nbidden`,
  `./${program}`,
  `"$X"/${program}`,
  `$(echo ${program})`,
  '${x:-forbidden}',
  '{forbidden,x}',
  'forb?dden',
)

/** Constructs that run the script they are given, as a script of their own. */
const wrappers: readonly ((script: string) => string)[] = [
  (s) => `ls; ${s}`,
  (s) => `ls && ${s}\nls`,
  (s) => `ls | { ${s}\n}`,
  (s) => `(${s}\n)`,
  (s) => `{ ${s}\n}`,
  (s) => `! { ${s}\n}`,
  (s) => `{ ${s}\n} &`,
  (s) => `time { ${s}\n} 2>/dev/null`,
  (s) => `if ls; then ${s}\nfi`,
  (s) => `if ${s}\nthen ls; fi`,
  (s) => `while ${s}\ndo break; done`,
  (s) => `for f in a b; do ${s}\ndone`,
  (s) => `for ((;;)); do ${s}\ndone`,
  (s) => `case a in a) ${s}\n;; esac`,
  (s) => `f() { ${s}\n}; f`,
  (s) => `function ls { ${s}\n}; ls`,
  (s) => `coproc { ${s}\n}`,
  (s) => `echo $(${s}\n)`,
  (s) => `echo "$(${s}\n)"`,
  (s) => `echo "\${x:-$(${s}\n)}"`,
  (s) => `echo \`${s.replaceAll(/[\\`$]/g, '\\$&')}\n\``,
  (s) => `x=$(${s}\n) ls`,
  (s) => `x=(a $(${s}\n))`,
  (s) => `echo $((1 + $(${s}\n)))`,
  (s) => `[[ -n $(${s}\n) ]]`,
  (s) => `cat <(${s}\n)`,
  (s) => `ls > >(${s}\n)`,
  (s) => `cat < <(${s}\n)`,
  (s) => `cat <<END_OF_IT\n$(${s}\n)\nEND_OF_IT\n`,
  (s) => `cat <<< "$(${s}\n)"`,
  (s) => `bash <<'END_OF_SH'\n${s}\nEND_OF_SH\n`,
  (s) => `bash <<< ${quote(s)}`,
  (s) => `sh -c ${quote(s)}`,
  (s) => `bash -lc ${doubleQuote(s)} x`,
  (s) => `/bin/bash -o pipefail -ec ${quote(s)}`,
  (s) => `eval ${quote(s)}`,
  (s) => `eval -- ${doubleQuote(s)}`,
  (s) => `trap ${quote(s)} EXIT`,
  (s) => `echo ${quote(s)} | sh`,
  (s) => `sudo -u root sh -c ${quote(s)}`,
  (s) => `ls | xargs -I% sh -c ${quote(s)}`,
  (s) => `ls | xargs sh -c ${quote(s)} _`,
  (s) => `find . -name x -exec sh -c ${quote(s)} _ {} \\;`,
  (s) => `git -c ${quote(`alias.x=!${s}`)} x`,
  (s) => `GIT_PAGER=${quote(s)} git log`,
  (s) => `env -i A=1 bash -c ${quote(s)}`,
  (s) => `watch -n 1 ${quote(s)}`,
  (s) => `flock /tmp/x -c ${quote(s)}`,
  (s) => `git clone -u ${quote(s)} a b`,
  (s) => `git push --receive-pack=${quote(s)} .`,
  (s) => `git config core.pager ${quote(s)}`,
  (s) => `tar -xf a --to-command ${doubleQuote(s)}`,
  (s) => `rsync -ave ${quote(s)} a h:b`,
  (s) => `ssh -o ${quote(`ProxyCommand=${s}`)} h`,
  (s) => `vim -c ${quote(`!${s}`)} f`,
  (s) => `fd -e ts -x sh -c ${quote(s)}`,
  (s) => `# comment\n${s}`,
  (s) => `ls 'a' "b; c" \\; ${s.startsWith('ls') ? '' : '\n'}${s.startsWith('ls') ? '; ' : ''}${s}`,
]

/** Words that run the simple command behind them. */
const prefixes = fc.constantFrom(
  '',
  '>/dev/null ',
  '2>&1 </dev/null ',
  'env ',
  'env A=1 -- ',
  'env -u B A=1 ',
  'sudo -n ',
  'timeout 5 ',
  'timeout --signal=KILL -k 1 5 ',
  'nice -n 5 ',
  'nice -5 ',
  'nohup ',
  'time -p ',
  'command ',
  'command -p ',
  'builtin ',
  'exec ',
  'exec -a x ',
  'stdbuf -oL ',
  'setsid -w ',
  'ionice -c 2 ',
  'xargs ',
  'xargs -0 -n 1 ',
  'xargs -I{} ',
  'find . -exec ',
  'find . -type f -ok ',
  'watch ',
  'busybox ',
  'fd -x ',
  'git bisect run ',
  'entr -r ',
)

const prefixed = fc
  .tuple(fc.constantFrom('', 'A=1 B="x y" '), fc.array(prefixes, { maxLength: 3 }), spelling)
  .map(([assignments, list, name]) => `${assignments}${list.join('')}${name} -rf x`)

const hidden = fc
  .tuple(prefixed, fc.array(fc.constantFrom(...wrappers), { maxLength: 4 }))
  .map(([command, layers]) => layers.reduce((script, wrap) => wrap(script), command))

it('finds a forbidden command however it is wrapped, or does not understand the whole', () => {
  fc.assert(
    fc.property(hidden, (script) => isCaught(script, program)),
    { numRuns: 3000 },
  )
})

it.each(wrappers.map((wrap) => [wrap(`${program} x`)]))('finds it in %j', (script) => {
  expect(isCaught(script, program)).toBe(true)
})

const harmless = fc.constantFrom(
  'ls -la',
  'cat "a b" c',
  'grep -rn "x;y" .',
  'git status',
  "sed -n '1,5p' f",
  'find . -name "*.ts"',
  'sort f 2>/dev/null',
  'echo "$HOME" \'$(x)\'',
  'wc -l < f',
  'head -5 f',
  '(ls; pwd)',
  '{ ls; pwd; }',
  'echo $(ls)',
  'if [ -f a ]; then cat a; fi',
  'timeout 5 ls',
  "sh -c 'ls | wc -l'",
)

it('calls read-only commands read-only when they are joined', () => {
  const joined = fc
    .tuple(
      harmless,
      fc.array(fc.tuple(fc.constantFrom('; ', ' && ', ' || ', ' | ', '\n', ' |& ', ' & '), harmless)),
    )
    .map(([first, rest]) => first + rest.map(([operator, command]) => operator + command).join(''))
  fc.assert(fc.property(joined, (script) => verdictOf(script) === 'yes'))
})

it('is not read-only with one command that is not', () => {
  const mixed = fc.tuple(fc.array(harmless), fc.array(harmless), fc.constantFrom('; ', ' && ', ' | ', '\n'))
  fc.assert(
    fc.property(mixed, ([before, after, operator]) =>
      isCaught([...before, `${program} x`, ...after].join(operator), program),
    ),
  )
})

const token = fc.constantFrom(
  ...'ls rm $x $( ${ $(( )) ) } { ( [[ ]] [ ] `'.split(' '),
  ..."' \" \\ | || & && ; ;; ;& < > >> <<EOF <<'E' <<< >& &> <( \n if then fi for in do done case esac".split(
    ' ',
  ),
  ...'while until function select coproc time ! sh -c eval xargs find -exec \\; {} + env sudo git alias.x=! A=1 a[0]= = ~ * ? @( # $\' $" ${x:- ${!x} EOF E'.split(
    ' ',
  ),
  ' ',
  '\n',
  '\0',
  'é',
  '\u{1F600}',
)

function holds(script: string): void {
  const analysis = analyzeShell(script)
  expect(analyzeShell(script)).toEqual(analysis)
  if (!analysis.isUnderstood) expect(analysis.isReadOnly).toBe(false)
  for (const { span, text } of analysis.commands) {
    expect(span.start >= 0 && span.start <= span.end && span.end <= script.length).toBe(true)
    expect(typeof text).toBe('string')
  }
}

it('never throws and answers alike for any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), holds))
  fc.assert(
    fc.property(
      fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join(' ')),
      holds,
    ),
    { numRuns: 500 },
  )
  fc.assert(
    fc.property(
      fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join('')),
      holds,
    ),
    { numRuns: 500 },
  )
})

it('never throws for a script that is cut or changed', () => {
  const mutated = fc.tuple(hidden, fc.nat(), fc.nat(5), token).map(([script, at, length, text]) => {
    const start = at % (script.length + 1)
    return script.slice(0, start) + text + script.slice(start + length)
  })
  fc.assert(fc.property(mutated, holds), { numRuns: 500 })
})

it.each([
  ['('],
  ['$('],
  ['`'],
  ['"$('],
  ['${x:-'],
  ['$(('],
  ['{ '],
  ['if '],
  ['[[ ( '],
  ['eval '],
  ['env '],
  ['a|'],
  ['a;'],
  ['a[a['],
  ['<<E '],
  ['\n'],
  ['case a in '],
  ['<('],
  ["sh -c '"],
  ['\\'],
  ['!'],
  ['1+'],
])('survives %j ten thousand times', (piece) => {
  const script = piece.repeat(Math.floor(10_000 / piece.length))
  const started = process.cpuUsage()
  holds(script)
  holds(`echo $((${script}1))`)
  // Processor time, many times what it takes; a quadratic walk takes far longer.
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000)
})
