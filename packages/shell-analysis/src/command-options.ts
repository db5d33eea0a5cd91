import type { CommandOptions, CommandWord } from './option-payloads.ts'

const sshWords: readonly CommandWord[] = [
  { match: /^(-\w*o)?\s*(ProxyCommand|LocalCommand|KnownHostsCommand)(\s*=\s*|\s+)/i, holds: 'script' },
]

const apt: CommandOptions = {
  words: [{ match: /^(-o)?[\w:]*(Pre|Post)-(Invoke|Install-Pkgs)[\w:-]*=/i, holds: 'script' }],
}

const fd: CommandOptions = { rest: '-x --exec -X --exec-batch', valued: 'etdESco' }

const awk: CommandOptions = {
  words: [
    { match: /\bsystem\s*\(|\|\s*(getline\b|["&])|["\w]\s*\|\s*getline\b/, holds: 'hidden' },
    // `print | command`: only a lookahead that keeps what it found makes the time linear.
    { match: /^(?=(.*?\bprintf?\b))\1.*(?<!\|)\|(?!\|)\s*[\w($]/m, holds: 'hidden' },
  ],
}

const tar: CommandOptions = {
  script:
    '-I --use-compress-program --to-command -F --info-script --new-volume-script --rsh-command --rmt-command',
  valued: 'fCTXbgHKLNV',
  words: [
    { match: /^(--checkpoint-a[a-z]*=)?exec=/, holds: 'script' },
    // The old way without a dash: the values follow in the order of the letters.
    { match: /^(?=[a-zA-Z]*[cxtruA])[a-zA-Z]*[IF][a-zA-Z]*$/, holds: 'hidden', isFirst: true },
  ],
}

const vim: CommandOptions = {
  words: [
    { match: /^(\+|-c|--cmd=)?[\s:]*(sil(ent)?!?\s+)?[%\d,.$]*!/, holds: 'script' },
    // Calls and commands in the language of the editor.
    {
      match:
        /^(?![\s:+]*(sil(ent)?!?\s+)?[%\d,.$]*!)(.*[!(]|.*\b(exe|execute|term|terminal|py3?|pyx|python3?|lua|perl|ruby|tcl|source|norm|normal)!?\s)/s,
      holds: 'hidden',
    },
  ],
}

const pager: CommandOptions = { script: '--pager' }
const less: CommandOptions = { words: [{ match: /^\+{1,2}[^!]*!/, holds: 'script' }] }
const netcat: CommandOptions = { script: '-e -c --exec --sh-exec', valued: 'pswiIOPqTVXxGgo' }
const sqlClient: CommandOptions = {
  words: [{ match: /\\!|\\[go]\w*\s*\||\bprogram\s+'|(^|;)\s*system\s/i, holds: 'hidden' }],
}

/** Programs that run a command given in their options, by name. */
export const commandOptions: ReadonlyMap<string, CommandOptions> = new Map<string, CommandOptions>(
  Object.entries({
    apt,
    'apt-get': apt,
    awk,
    gawk: awk,
    mawk: awk,
    nawk: awk,
    bat: pager,
    batcat: pager,
    bsdtar: tar,
    cpio: { script: '--rsh-command' },
    delta: pager,
    dpkg: { script: '--pre-invoke --post-invoke' },
    emacs: { words: [{ match: /^\(|^--?(eval|execute)/, holds: 'hidden' }] },
    ex: vim,
    fd,
    fdfind: fd,
    fzf: { script: '--preview', words: [{ match: /:(execute|become|reload|transform)/, holds: 'hidden' }] },
    go: { script: '-exec --exec -toolexec --toolexec', program: '-vettool --vettool' },
    gsort: { program: '--compress-program' },
    gtar: tar,
    gvim: vim,
    helm: { program: '--post-renderer' },
    install: { program: '--strip-program', others: '--strip' },
    less,
    make: {
      words: [
        { match: /^SHELL=/, holds: 'program' },
        { match: /^--eval|^-[BbeikLnqRrsSvw]*E|\$[({]shell\s|^\w+!=/, holds: 'hidden' },
      ],
    },
    man: { script: '-P --pager', attached: '-H --html', valued: 'CLmMsSeErRp' },
    more: less,
    mosh: { script: '--ssh' },
    mysql: sqlClient,
    nc: netcat,
    ncat: netcat,
    netcat,
    nvim: vim,
    psql: sqlClient,
    rg: { program: '--pre --hostname-bin' },
    rsync: { script: '-e --rsh --rsync-path', valued: 'fBTM' },
    scp: { program: '-S -D', valued: 'cFiJlPoX', words: sshWords },
    sftp: { program: '-S', script: '-D', valued: 'BbcFiJlPoRsX', words: sshWords },
    socat: { words: [{ match: /(^|!!|,)(EXEC|SYSTEM|SHELL):/i, holds: 'hidden' }] },
    sort: { program: '--compress-program' },
    split: { script: '--filter' },
    sqlite3: {
      words: [{ match: /(^|\n)\s*\.(shell|system|once\s+\||output\s+\||import\s+\|)/, holds: 'hidden' }],
    },
    ssh: { words: sshWords },
    sshfs: { words: [...sshWords, { match: /(^|,)ssh_command=/, holds: 'script' }] },
    tar,
    tcpdump: { program: '-z', valued: 'BcCDEFGijmMrsTVwWy' },
    vi: vim,
    view: vim,
    vim,
    vimdiff: vim,
    wget: { program: '--use-askpass' },
    xterm: { rest: '-e', valued: 'bcfglmnstTwxS' },
    zip: { script: '-TT --unzip-command' },
  } satisfies Record<string, CommandOptions>),
)

/** The same for the subcommands of `git`. */
export const gitCommandOptions: ReadonlyMap<string, CommandOptions> = new Map<string, CommandOptions>(
  Object.entries({
    archive: { script: '--exec' },
    clone: { script: '-u --upload-pack', valued: 'bcoj' },
    difftool: { script: '-x --extcmd', valued: 't' },
    fetch: { script: '--upload-pack' },
    'fetch-pack': { script: '--upload-pack --exec' },
    'filter-branch': {
      script:
        '--setup --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter',
    },
    grep: { attached: '-O --open-files-in-pager', valued: 'efmABC' },
    instaweb: { program: '-b --browser -d --httpd' },
    'ls-remote': { script: '--upload-pack --exec' },
    pull: { script: '--upload-pack' },
    push: { script: '--receive-pack --exec' },
    rebase: { script: '-x --exec', valued: 'sXC' },
    'send-email': {
      script: '--to-cmd --cc-cmd --header-cmd --sendmail-cmd --smtp-server',
      others: '--to --cc',
    },
    'send-pack': { script: '--receive-pack --exec' },
  } satisfies Record<string, CommandOptions>),
)
