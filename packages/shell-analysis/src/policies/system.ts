import type { ParsedArguments } from '../options.ts'
import type { ShellWord } from '../types.ts'
import { refusePrintf, refuseRead, refuseTest } from './builtins.ts'
import { harmless, listed, type Policy } from './policy.ts'

/** Programs and builtins that print facts, compute, or do nothing. */
export const systemPolicies: Readonly<Record<string, Policy>> = {
  ':': harmless(),
  true: harmless(),
  false: harmless(),
  echo: harmless(),
  pwd: harmless(),
  cd: harmless(),
  pushd: harmless(),
  popd: harmless(),
  chdir: harmless(),
  sleep: harmless(),
  seq: harmless(),
  expr: harmless(),
  basename: harmless(),
  dirname: harmless(),
  whoami: harmless(),
  id: harmless(),
  groups: harmless(),
  uname: harmless(),
  // On macOS it runs its operands.
  arch: listed({ maxOperands: 0 }),
  nproc: harmless(),
  uptime: harmless(),
  free: harmless(),
  tty: harmless(),
  type: harmless(),
  which: harmless(),
  printenv: harmless(),
  locale: harmless(),
  getconf: listed({ short: 'a' }),
  df: harmless(),
  ps: harmless({ refuse: refuseEnvironment }),
  pgrep: harmless(),
  break: harmless(),
  continue: harmless(),
  exit: harmless(),
  return: harmless(),
  dirs: listed({ short: 'lpv', maxOperands: 0 }),
  test: harmless({ refuse: refuseTest }),
  '[': harmless({ refuse: refuseTest }),
  printf: harmless({ refuse: refusePrintf }),
  read: harmless({ refuse: refuseRead }),
  // An operand sets the name.
  hostname: listed({
    short: 'fsiIdA',
    long: 'fqdn short ip-address all-ip-addresses domain',
    maxOperands: 0,
  }),
  // An operand without `+` sets the clock, and so does -s.
  date: listed({
    short: 'uRI::d:r:',
    long: 'utc universal rfc-email iso-8601:: date: reference: rfc-3339:',
    refuse: refuseDate,
  }),
  lsof: listed({ short: 'nPitap:u:', maxOperands: 1, readsMore: true }),
  // -K closes connections, -D writes a file, -F reads one.
  ss: listed({
    short: '0460aA:bef:HhilmMnoOpQrsStTuvVwxzZ',
    long: 'all bpf context contexts cgroup extended family: help info inet-sockopt ipv4 ipv6 listening memory mptcp no-header no-queues numeric oneline options packet processes query: raw resolve sctp socket: summary tcp tipc tos udp unix version vsock xdp',
  }),
  tput: listed({
    refuse: ({ operands }) =>
      operands.length === 1 && /^(cols|lines|colors)$/.test(operands[0]?.value ?? '')
        ? undefined
        : 'tput may change the terminal',
  }),
}

function refuseDate({ operands }: ParsedArguments): string | undefined {
  return operands.every((word) => word.prefix.startsWith('+')) ? undefined : 'date may set the clock'
}

/** `ps e` (BSD), and `ps -E` on macOS, print the environment of processes: what is secret there is nobody's to read. */
function refuseEnvironment(_parsed: ParsedArguments, words: readonly ShellWord[]): string | undefined {
  const showsIt = words.some(({ value = '' }, index) => {
    const isValue = /^-[a-zA-Z]*[oOpuUCtgGsq]$|^--(sort|format|pid|ppid|user|User|group|Group|tty|sid)$/.test(
      words[index - 1]?.value ?? '',
    )
    return /^-[a-zA-Z]*E/.test(value) || (!isValue && /^[a-zA-Z]*e[a-zA-Z]*$/.test(value))
  })
  return showsIt ? 'it may print the environment of other processes' : undefined
}
