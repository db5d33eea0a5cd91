import { type CommandPattern, compileCommandPattern } from './command-pattern.ts'

/** The documented short names of cmdlets, in lower case. */
const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '%': 'foreach-object',
    '?': 'where-object',
    ac: 'add-content',
    cat: 'get-content',
    cd: 'set-location',
    chdir: 'set-location',
    clc: 'clear-content',
    clear: 'clear-host',
    cls: 'clear-host',
    compare: 'compare-object',
    copy: 'copy-item',
    cp: 'copy-item',
    cpi: 'copy-item',
    curl: 'invoke-webrequest',
    del: 'remove-item',
    diff: 'compare-object',
    dir: 'get-childitem',
    echo: 'write-output',
    erase: 'remove-item',
    fl: 'format-list',
    foreach: 'foreach-object',
    ft: 'format-table',
    gc: 'get-content',
    gci: 'get-childitem',
    gcm: 'get-command',
    gi: 'get-item',
    gl: 'get-location',
    gm: 'get-member',
    gp: 'get-itemproperty',
    gps: 'get-process',
    group: 'group-object',
    gsv: 'get-service',
    h: 'get-history',
    history: 'get-history',
    icm: 'invoke-command',
    iex: 'invoke-expression',
    ii: 'invoke-item',
    irm: 'invoke-restmethod',
    iwr: 'invoke-webrequest',
    kill: 'stop-process',
    ls: 'get-childitem',
    man: 'help',
    md: 'mkdir',
    measure: 'measure-object',
    mi: 'move-item',
    move: 'move-item',
    mv: 'move-item',
    ni: 'new-item',
    popd: 'pop-location',
    ps: 'get-process',
    pushd: 'push-location',
    pwd: 'get-location',
    rd: 'remove-item',
    ren: 'rename-item',
    ri: 'remove-item',
    rm: 'remove-item',
    rmdir: 'remove-item',
    rni: 'rename-item',
    rvpa: 'resolve-path',
    saps: 'start-process',
    sc: 'set-content',
    select: 'select-object',
    set: 'set-variable',
    si: 'set-item',
    sl: 'set-location',
    sleep: 'start-sleep',
    sls: 'select-string',
    sort: 'sort-object',
    sp: 'set-itemproperty',
    spps: 'stop-process',
    start: 'start-process',
    sv: 'set-variable',
    tee: 'tee-object',
    type: 'get-content',
    wget: 'invoke-webrequest',
    where: 'where-object',
    write: 'write-output',
  }),
)

/** A command of PowerShell with its alias resolved and in lower case: neither matters to the shell. */
export function normalizeCmdlet(command: string): string {
  const match = /^(\S+)(.*)$/s.exec(command.trim().toLowerCase())
  if (!match) return ''
  const name = (match[1] ?? '').replace(/^(?:microsoft\.powershell\.\w+\\)/, '').replace(/\.exe$/, '')
  return `${aliases.get(name) ?? name}${match[2] ?? ''}`
}

/** Compiles a rule about PowerShell commands. */
export function compileShellPattern(specifier: string): CommandPattern {
  const pattern = compileCommandPattern(normalizeSpecifier(specifier))
  return { ...pattern, matches: (command) => pattern.matches(normalizeCmdlet(command)) }
}

/** `ls:*` and `ls *` name an alias, `ls*` does not: more may follow. */
function normalizeSpecifier(specifier: string): string {
  const text = specifier.trim().toLowerCase()
  const match = /^([^\s:*]+)((?::\*|\s).*)?$/s.exec(text)
  return match ? `${normalizeCmdlet(match[1] ?? '')}${match[2] ?? ''}` : text
}
