import type { GitPolicy } from './git.ts'

// In git, `-U`, `--unified` and `--abbrev` take attached values only, and `--format` alone is an error after its neighbours
// were obeyed: a word behind them is an operand or an option of its own.
const diffShort = 'puU::sabwzRMCBDl:S:G:W'
const diffLong =
  'patch no-patch unified:: raw patch-with-raw stat:: numstat shortstat dirstat:: summary name-only name-status color:: no-color color-words:: word-diff:: minimal patience histogram diff-algorithm: diff-filter: find-renames:: find-copies:: find-copies-harder no-renames full-index binary abbrev:: cached staged merge-base quiet exit-code text ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines inter-hunk-context: function-context no-ext-diff no-textconv relative:: no-prefix check compact-summary pickaxe-regex pickaxe-all no-index submodule::'
const logShort = `${diffShort}n:L:icgEFP`
const logLong = `${diffLong} oneline graph all branches:: tags:: remotes:: decorate:: no-decorate decorate-refs: source max-count: skip: since: after: until: before: author: committer: grep: all-match invert-grep regexp-ignore-case merges no-merges first-parent follow pretty:: format:: date: abbrev-commit no-abbrev-commit reverse topo-order date-order author-date-order left-right cherry cherry-pick cherry-mark left-only right-only simplify-by-decoration full-history ancestry-path no-walk:: walk-reflogs show-notes:: no-notes boundary parents children mailmap relative-date`
const refLong =
  'format: sort: count: points-at: merged:: no-merged:: contains: no-contains: color:: no-color ignore-case column:: no-column'

const diff: GitPolicy = { short: diffShort, long: diffLong }
const log: GitPolicy = { short: logShort, long: logLong, takesNumber: true }

/** The subcommands of `git` that read. */
export const gitSubcommands: ReadonlyMap<string, GitPolicy> = new Map<string, GitPolicy>(
  Object.entries({
    status: {
      short: 'sbvu::z',
      long: 'short branch show-stash porcelain:: long verbose untracked-files:: ignored:: ignore-submodules:: column:: no-column ahead-behind no-ahead-behind renames no-renames find-renames::',
    },
    diff,
    'diff-tree': { short: `${diffShort}rtcm`, long: `${diffLong} root no-commit-id stdin pretty:: always` },
    'diff-index': { ...diff, short: `${diffShort}m` },
    'diff-files': { ...diff, short: `${diffShort}q` },
    log,
    show: log,
    shortlog: { ...log, short: 'snecg', long: `${logLong} summary numbered email group:` },
    whatchanged: log,
    'rev-parse': {
      short: 'q',
      long: 'abbrev-ref:: verify quiet short:: show-toplevel show-prefix show-cdup show-superproject-working-tree git-dir absolute-git-dir git-common-dir git-path: is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository symbolic symbolic-full-name all branches:: tags:: remotes:: sq show-object-format:: show-ref-format',
    },
    'rev-list': { ...log, long: `${logLong} count objects timestamp header` },
    'ls-files': {
      short: 'cdmoistukvzxX:',
      long: 'cached deleted modified others ignored stage unmerged killed exclude: exclude-from: exclude-standard error-unmatch full-name abbrev:: debug eol deduplicate format: directory no-empty-directory',
    },
    'ls-tree': {
      short: 'drtlz',
      long: 'long name-only name-status object-only full-name full-tree abbrev:: format:',
    },
    'cat-file': { short: 'tsep', long: 'batch-check:: unordered batch-all-objects buffer' },
    'merge-base': { short: 'a', long: 'all octopus independent is-ancestor fork-point' },
    'name-rev': { long: 'tags refs: all name-only always' },
    describe: {
      long: 'all tags contains abbrev:: candidates: exact-match debug long match: exclude: always first-parent dirty:: broken::',
    },
    'for-each-ref': { long: refLong },
    'show-ref': {
      short: 'dqs',
      long: 'head tags heads branches dereference hash:: verify abbrev:: quiet exists',
    },
    'count-objects': { short: 'vH', long: 'verbose human-readable' },
    'check-ignore': { short: 'qvzn', long: 'quiet verbose non-matching no-index' },
    'check-attr': { short: 'az', long: 'all cached source:' },
    blame: {
      short: 'bctlL:fnsewpM::C::S:',
      long: 'root show-stats reverse porcelain line-porcelain incremental date: show-name show-number show-email abbrev:: ignore-rev: ignore-revs-file: color-lines color-by-age',
    },
    grep: {
      short: 'aIinwvhHEGPFlLczoqpWA:B:C:e:m:',
      long: 'cached untracked no-index recursive no-recursive text ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count color:: no-color break heading show-function context: after-context: before-context: function-context max-depth: all-match and or not quiet threads: max-count: exclude-standard no-exclude-standard',
      takesNumber: true,
    },
    // With an operand and no listing option it creates a branch.
    branch: {
      short: 'alrvi',
      long: `${refLong} list all remotes verbose show-current abbrev:: no-abbrev`,
      maxOperands: 0,
      listing: '--list -l --contains --no-contains --merged --no-merged --points-at',
    },
    tag: {
      short: 'ln::i',
      long: `${refLong} list`,
      maxOperands: 0,
      listing: '--list -l --contains --no-contains --merged --no-merged --points-at',
    },
    remote: { short: 'v', long: 'verbose', verbs: '- get-url' },
    stash: {
      short: 'p',
      long: 'patch stat:: name-only name-status oneline',
      verbs: 'list show',
      takesNumber: true,
    },
    worktree: { short: 'vz', long: 'porcelain verbose', verbs: 'list' },
    reflog: { ...log, verbs: '- show exists' },
    submodule: { long: 'cached recursive quiet', verbs: 'status summary' },
    notes: { long: 'ref:', verbs: 'list show' },
    config: {
      short: 'lz',
      long: 'get: get-all: get-regexp: get-urlmatch: get-color: get-colorbool: list global system local worktree null name-only show-origin show-scope includes no-includes type: bool int path default:',
      verbs: '- get list',
    },
    var: {},
    version: { long: 'build-options' },
  } satisfies Record<string, GitPolicy>),
)
