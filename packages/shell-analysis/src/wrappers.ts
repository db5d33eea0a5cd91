import type { OptionTable } from './options.ts'

/** A program that runs the command given as its operands. */
export interface Wrapper extends OptionTable {
  /** Operands in front of the command. @default 0 */
  readonly skip?: number
  /** Whether `NAME=value` words may stand in front of the command. @default false */
  readonly takesAssignments?: boolean
  /** Options that make it do something else than run its operands (`command -v`). */
  readonly inert?: string
  /** Whether it joins its operands to a script for the shell. An option that turns that off stands in `exec`. */
  readonly joins?: boolean
  /** The option with which a joining wrapper runs its operands as they are. */
  readonly exec?: string
  /** The options whose value is a script for the shell. */
  readonly script?: string
  /** Whether its operands are no command, so that only the options for scripts run something. */
  readonly hasNoCommand?: boolean
  /** Whether options and the rest are harmless, so that only the inner command decides on read-only. */
  readonly isHarmless?: boolean
}

/** Wrappers by name. An option that is not listed makes the command not understood. */
export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>(
  Object.entries({
    builtin: { isHarmless: true },
    busybox: {},
    caffeinate: { short: 'disumt:w:' },
    cgexec: { short: 'g:' },
    chroot: { skip: 1, long: 'groups: userspec: skip-chdir' },
    chrt: { skip: 1, short: 'abfiormpRvT:P:D:', inert: 'mp' },
    command: { short: 'pvV', inert: 'vV', isHarmless: true },
    doas: { short: 'a:C:Lnsu:', inert: 'CL' },
    env: {
      short: 'iv0u:C:S:',
      long: 'ignore-environment null debug unset: chdir: split-string:',
      takesAssignments: true,
      script: 'S split-string',
    },
    exec: { short: 'cla:' },
    fakeroot: { short: 'l:s:i:ub:', long: 'unknown-is-real' },
    flock: { skip: 1, short: 'sxneouE:w:Fc:', script: 'c command', long: 'command: nonblock timeout:' },
    ionice: { short: 'c:n:p:P:u:t', long: 'class: classdata: ignore pid:', inert: 'pPu pid' },
    nice: { short: 'n:', long: 'adjustment:', takesNumber: true, isHarmless: true },
    nocorrect: {},
    noglob: {},
    nohup: {},
    runuser: { short: 'u:g:G:lpmc:s:', script: 'c command', long: 'command: user:' },
    script: {
      short: 'aefqc:E:O:I:T:B:',
      long: 'command: append quiet flush return force',
      script: 'c command',
      hasNoCommand: true,
    },
    setarch: { skip: 1, short: 'BFILRSTXZ3v' },
    setsid: { short: 'cfw', long: 'ctty fork wait' },
    stdbuf: { short: 'i:o:e:', long: 'input: output: error:', isHarmless: true },
    strace: { short: 'fFqtvxydDciTrwko:e:p:s:u:E:P:O:S:a:b:I:X:U:' },
    su: {
      short: 'c:lmps:g:G:',
      long: 'command: login shell:',
      script: 'c command',
      hasNoCommand: true,
    },
    sudo: {
      short: 'AbBEeHiKklNnPSsVvC:D:g:h:p:R:r:T:t:U:u:',
      long: 'askpass background preserve-env:: edit group: set-home help host: login list non-interactive preserve-groups prompt: stdin shell user: validate version chdir:',
      takesAssignments: true,
      inert: 'elvV edit list validate version help',
    },
    taskset: { skip: 1, short: 'acp', inert: 'p', long: 'all-tasks cpu-list pid' },
    toybox: {},
    time: { short: 'pvaqo:f:', long: 'portability verbose append quiet output: format:' },
    timeout: {
      skip: 1,
      short: 'k:s:vfp',
      long: 'kill-after: signal: foreground preserve-status verbose',
      isHarmless: true,
    },
    unbuffer: { short: 'p' },
    unshare: { short: 'mUinpuCTfrcR:S:G:w:', long: 'map-root-user fork' },
    chpst: {},
    chronic: {},
    cpulimit: {},
    daemonize: {},
    'dbus-launch': {},
    'dbus-run-session': {},
    'dumb-init': {},
    eatmydata: {},
    // With -s the command is a script: an option that is not listed is not understood.
    entr: { short: 'acdnprxz' },
    envdir: { skip: 1 },
    fakechroot: {},
    faketime: { skip: 1 },
    firejail: {},
    ifne: { short: 'n' },
    gosu: { skip: 1 },
    'ld-linux-aarch64.so.1': {},
    'ld-linux-x86-64.so.2': {},
    'ld.so': {},
    ltrace: {},
    nsenter: {},
    numactl: {},
    pkexec: { long: 'user:' },
    prlimit: {},
    proot: {},
    proxychains: {},
    proxychains4: {},
    rlwrap: {},
    setpriv: {},
    runcon: { skip: 1 },
    setuidgid: { skip: 1 },
    sg: { skip: 1, joins: true },
    softlimit: {},
    sshpass: { short: 'ef:d:p:P:v' },
    'su-exec': { skip: 1 },
    'systemd-run': {},
    tini: { short: 'gsvw' },
    tsocks: {},
    torify: {},
    torsocks: {},
    trickle: { short: 'sd:u:w:l:t:' },
    valgrind: {},
    'xvfb-run': {},
    watch: {
      short: 'bcCden:tgpq:rs:vwxf',
      long: 'beep color differences:: errexit chgexit interval: precise no-title no-wrap exec',
      joins: true,
      exec: 'x exec',
    },
  } satisfies Record<string, Wrapper>),
)

/** `time` in front of a pipeline is a keyword; these are the options of `xargs`. */
export const xargsOptions: OptionTable = {
  short: '0rtpoxa:d:E:e::I:i::J:L:l::n:P:R:S:s:',
  long: 'null no-run-if-empty verbose interactive open-tty exit arg-file: delimiter: eof:: replace:: max-lines:: max-args: max-procs: max-chars: process-slot-var: show-limits',
  stopsAtOperand: true,
}
