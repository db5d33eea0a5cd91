import * as fc from 'fast-check'

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const doubleQuote = (text: string): string => `"${text.replaceAll(/[\\"$`]/g, '\\$&')}"`

type Wrap = (script: string) => string

/** Constructs that run the script they are given, together with harmless commands. */
const constructs: readonly Wrap[] = [
  (s) => `ls; ${s}`,
  (s) => `ls && ${s}\nls`,
  (s) => `ls || ${s}`,
  (s) => `ls | { ${s}\n}`,
  (s) => `(${s}\n)`,
  (s) => `{ ${s}\n}`,
  (s) => `! { ${s}\n}`,
  (s) => `{ ${s}\n} &`,
  (s) => `if ls; then ${s}\nfi`,
  (s) => `if ${s}\nthen ls; fi`,
  (s) => `while ${s}\ndo break; done`,
  (s) => `for f in a b; do ${s}\ndone`,
  (s) => `case a in a) ${s}\n;; esac`,
  (s) => `f() { ${s}\n}; f`,
  (s) => `function ls { ${s}\n}; ls`,
  (s) => `echo $(${s}\n)`,
  (s) => `echo "$(${s}\n)"`,
  (s) => `echo "\${x:-$(${s}\n)}"`,
  (s) => `echo \`${s.replaceAll(/[\\`$]/g, '\\$&')}\n\``,
  (s) => `LANG=$(${s}\n) ls`,
  (s) => `echo $((1 + $(${s}\n)))`,
  (s) => `[[ -n $(${s}\n) ]]`,
  (s) => `cat <(${s}\n)`,
  (s) => `ls > >(${s}\n)`,
  (s) => `cat <<END_OF_IT\n$(${s}\n)\nEND_OF_IT\n`,
  (s) => `cat <<< "$(${s}\n)"`,
  (s) => `bash <<'END_OF_SH'\n${s}\nEND_OF_SH\n`,
  (s) => `bash <<< ${quote(s)}`,
  (s) => `sh -c ${quote(s)}`,
  (s) => `bash -lc ${doubleQuote(s)} x`,
  (s) => `eval ${quote(s)}`,
  (s) => `trap ${quote(s)} EXIT`,
  (s) => `echo ${quote(s)} | sh`,
  (s) => `sudo -u root sh -c ${quote(s)}`,
  (s) => `ls | xargs sh -c ${quote(s)} _`,
  (s) => `find . -name x -exec sh -c ${quote(s)} _ {} \\;`,
  (s) => `git -c ${quote(`alias.x=!${s}`)} x`,
  (s) => `GIT_PAGER=${quote(s)} git log`,
  (s) => `env -i A=1 bash -c ${quote(s)}`,
  (s) => `watch -n 1 ${quote(s)}`,
  (s) => `flock /tmp/x -c ${quote(s)}`,
  (s) => `git clone -u ${quote(s)} a b`,
  (s) => `git ls-remote --upload-pack=${quote(s)} .`,
  (s) => `git push --receive-pack ${quote(s)} .`,
  (s) => `git clone -c core.fsmonitor=${quote(s)} a b`,
  (s) => `git rebase -ix ${quote(s)} main`,
  (s) => `git filter-branch --tree-filter ${doubleQuote(s)} HEAD`,
  (s) => `git submodule foreach ${quote(s)}`,
  (s) => `git difftool --extcmd=${quote(s)}`,
  (s) => `git config --global alias.x ${quote(`!${s}`)}`,
  (s) => `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0=${quote(s)} git log`,
  (s) => `tar -xf a --to-command ${quote(s)}`,
  (s) => `tar --checkpoint=1 --checkpoint-action=exec=${doubleQuote(s)} -cf a b`,
  (s) => `tar -cI ${quote(s)} -f a b`,
  (s) => `rsync -ave ${quote(s)} a h:b`,
  (s) => `ssh -o ${quote(`ProxyCommand=${s}`)} h`,
  (s) => `split --filter=${quote(s)} f`,
  (s) => `man -P ${quote(s)} ls`,
  (s) => `vim -c ${quote(`!${s}`)} f`,
  (s) => `less ${quote(`+!${s}`)} f`,
  // The command of sed is one line.
  (s) => (s.includes('\n') ? s : `sed ${quote(`1e ${s}`)} f`),
  (s) => `fd -e ts -x sh -c ${quote(s)}`,
  (s) => `git bisect run sh -c ${quote(s)}`,
  (s) => `ls | entr -r sh -c ${quote(s)}`,
  (s) => `# comment\n${s}`,
  (s) => `cd sub && ${s}`,
]

/** Words that run the simple command behind them. */
const prefixes = [
  '>/dev/null ',
  '2>&1 </dev/null ',
  'env ',
  'env A=1 -- ',
  'sudo -n ',
  'timeout 5 ',
  'timeout --signal=KILL -k 1 5 ',
  'nice -n 5 ',
  'nohup ',
  'time -p ',
  'command ',
  'builtin ',
  'exec ',
  'stdbuf -oL ',
  'setsid -w ',
  'ionice -c 2 ',
  'xargs ',
  'xargs -0 -n 1 ',
  'find . -exec ',
  'watch ',
  'fd -x ',
  'fd . -HX ',
  'git bisect run ',
  'entr -r ',
]

/** Options whose value is the name of a program. */
const nameOptions = [
  'rg --pre ',
  'rg x --pre=',
  'rg --hostname-bin ',
  'sort --compress-program ',
  'sort --compress-prog=',
  'git grep -O',
  'git grep --open-files-in-pager=',
  'scp -S ',
  'make SHELL=',
]

/** The command, or its name alone as the value of an option. */
export function commandOrName(name: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom('', ...nameOptions), name)
    .map(([option, written]) => `${option}${written} -rf x`)
}

/** Ways to write a name that mean the same to the shell, or hide it. */
export function spellings(name: string): fc.Arbitrary<string> {
  const first = name.slice(0, 1)
  const rest = name.slice(1)
  return fc.constantFrom(
    name,
    `"${name}"`,
    `'${name}'`,
    `${first}''${rest}`,
    `\\${name}`,
    `"${first}"'${rest}'`,
    `${first}\\\n${rest}`,
    `/usr/bin/${name}`,
    `"$X"/${name}`,
    `$(echo ${name})`,
    `\${x:-${name}}`,
  )
}

/** Puts a simple command behind other words and into other constructs, up to four deep. */
export function hide(command: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const prefixed = fc
    .tuple(
      fc.constantFrom('', 'A=1 B="x y" '),
      fc.array(fc.constantFrom(...prefixes), { maxLength: 2 }),
      command,
    )
    .map(([variables, before, simple]) => variables + before.join('') + simple)
  return fc
    .tuple(prefixed, fc.array(fc.constantFrom(...constructs), { maxLength: 4 }))
    .map(([simple, around]) => around.reduce((script, wrap) => wrap(script), simple))
}
