import type { OptionTable } from './options.ts'
import { xargsOptions } from './wrappers.ts'

/** Which words of a program name files that it reads. It may read others too. */
export interface Reader extends OptionTable {
  /** The operands from this one on are files. @default none */
  readonly filesFrom?: number
  /** The operands from this one on are no files. @default no limit */
  readonly filesTo?: number
  /** Options with which the first operand is a file too, separated by blanks, with dashes. */
  readonly patternOptions?: string
  /** Options whose values are files; `*` for all. */
  readonly fileOptions?: string
  /** What stands in front of a file inside a word. */
  readonly marks?: readonly RegExp[]
}

const all: Reader = { filesFrom: 0 }
const allAndOptions: Reader = { ...all, fileOptions: '*' }
const interpreter: Reader = { short: 'c:e:m:o:O:W:X:r:', filesFrom: 0, filesTo: 1 }
const awk: Reader = {
  short: 'F:v:f:',
  long: 'field-separator: assign: file:',
  filesFrom: 1,
  patternOptions: '-f --file',
  fileOptions: '-f --file',
}
const editor: Reader = { ...all, short: 'c:S:s:u:w:W:', long: 'cmd:' }
const searcher: Reader = { filesFrom: 1, short: 'A:B:C:m:g:G:' }
const transfer: Reader = {
  ...allAndOptions,
  short: 'e:f:i:F:S:o:P:l:c:J:',
  long: 'rsh: rsync-path: exclude: include:',
}

/** Programs that read the files they are given and are in no other table, by name. */
export const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...named(
    'less more most pg bat batcat delta zcat gzcat bzcat xzcat zstdcat zless zmore gzip gunzip bzip2 bunzip2 xz unxz zstd lz4 base32 basenc iconv split csplit shuf sdiff diff3 colordiff patch ptx ul bc dc m4 cpp groff uuencode enscript lp lpr xmllint sqlite3 pandoc yq gpg gpg2 ssh-keygen ssh-add sum qrencode nano pico ed emacs hexyl glow ar',
    all,
  ),
  ...named('tar gtar bsdtar pax 7z 7za 7zz zip', { ...allAndOptions, short: 'f:C:T:X:b:' }),
  ...named('rsync scp sftp rclone', transfer),
  ...named('awk gawk mawk nawk', awk),
  ...named('vi vim nvim gvim view ex vimdiff', editor),
  ...named('ag ack zgrep bzgrep xzgrep zegrep zfgrep ugrep', searcher),
  ...named('sh bash dash ash ksh mksh zsh rbash source . python python3 node perl ruby php lua', interpreter),
  ...Object.entries({
    curl: {
      short: 'T:K:b:E:o:H:X:u:A:e:x:m:w:c:d:F:',
      long: 'upload-file: config: cookie: cert: key: cacert: netrc-file:',
      fileOptions: '-T --upload-file -K --config -b --cookie -E --cert --key --cacert --netrc-file',
      marks: [
        /^(-[a-zA-Z]|--[\w-]+=)?([^@<\s]*=)?[@<]/,
        /^[\w.-]+@(?=[\w./-])/,
        /^(--url=)?file:\/\/(localhost)?/i,
      ],
    },
    date: { short: 'd:f:r:', long: 'file: date:', fileOptions: '-f --file' },
    du: { long: 'files0-from:', fileOptions: '--files0-from' },
    file: { short: 'f:m:', long: 'files-from:', fileOptions: '-f -m --files-from' },
    http: { marks: [/^[^@\s]*[=:]?@/] },
    jq: {
      long: 'from-file:',
      short: 'f:L:',
      fileOptions: '-f --from-file',
    },
    logger: { short: 'f:t:p:', long: 'file:', fileOptions: '-f --file' },
    openssl: { ...all, marks: [/^file:/] },
    socat: { marks: [/(^|!!)(FILE|OPEN|GOPEN):/i] },
    sort: { long: 'files0-from:', short: 'k:t:o:S:T:', fileOptions: '--files0-from' },
    ssh: { short: 'i:F:E:o:l:p:L:R:D:J:W:b:c:e:m:O:Q:S:w:I:B:', fileOptions: '-i -F' },
    wc: { long: 'files0-from:', fileOptions: '--files0-from' },
    wget: {
      short: 'i:O:o:a:P:U:',
      long: 'post-file: body-file: input-file: load-cookies: certificate: private-key: ca-certificate: config:',
      fileOptions:
        '-i --input-file --post-file --body-file --load-cookies --certificate --private-key --ca-certificate --config',
    },
    xargs: { ...xargsOptions, fileOptions: '-a --arg-file' },
    gxargs: { ...xargsOptions, fileOptions: '-a --arg-file' },
  } satisfies Record<string, Reader>),
])

const history: Reader = {
  ...all,
  short: 'S:G:n:L:O:',
  long: 'grep: author: committer: since: until: after: before: date: format: max-count: skip:',
  // A path of a revision; a path with signs in front; lines of a file.
  marks: [/^[^:]*:(\([^)]*\)|[/!^]+)?/, /^.*:/s],
}
const message: Reader = { short: 'F:m:C:c:t:', long: 'file: message:', fileOptions: '-F --file -t' }

/** The same for the subcommands of `git`. */
export const gitReaders: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...named(
    'show log diff whatchanged blame annotate cat-file archive format-patch range-diff difftool diff-tree diff-index diff-files rev-list stash hash-object',
    history,
  ),
  ...named('commit tag notes merge', message),
  ['config', { short: 'f:', long: 'file: blob:', fileOptions: '-f --file' }],
  [
    'grep',
    {
      ...history,
      short: 'A:B:C:e:f:m:',
      filesFrom: 1,
      patternOptions: '-e -f',
      fileOptions: '-f',
    },
  ],
])

function named(names: string, reader: Reader): [string, Reader][] {
  return names.split(' ').map((name) => [name, reader])
}
