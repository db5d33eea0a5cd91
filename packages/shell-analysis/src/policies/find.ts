import type { ParsedArguments } from '../options.ts'
import type { ShellWord } from '../types.ts'

/** Tests and actions of `find` that take the number of words given. */
const primaries: ReadonlyMap<string, number> = new Map([
  ...words(
    '-print -print0 -ls -prune -quit -true -false -depth -d -mount -xdev -x -s -daystart -follow -noleaf -empty -readable -writable -executable -nouser -nogroup -ignore_readdir_race -H -L -P -E -X -a -and -o -or -not ! ( ) ,',
    0,
  ),
  ...words(
    '-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -xtype -size -maxdepth -mindepth -newer -anewer -cnewer -neweraa -newermt -newerat -newerct -newermm -mtime -mmin -atime -amin -ctime -cmin -user -group -uid -gid -perm -links -inum -samefile -fstype -used -printf -context -f',
    1,
  ),
])

/** Refuses every primary that is not known to print only, and every word that may become one. */
export function refuseFind(_parsed: ParsedArguments, args: readonly ShellWord[]): string | undefined {
  if (args.some((word) => word.splits || word.hasGlob)) return 'An expansion may become an action of find'
  let isValue = false
  for (const word of args) {
    const arity: number | undefined = isValue ? 0 : primaries.get(word.value ?? '')
    if (arity === undefined && !isStart(word)) return `find ${word.text} may change something`
    isValue = arity === 1
  }
  return undefined
}

function isStart(word: ShellWord): boolean {
  if (word.pieces[0]?.kind === 'tilde') return true
  return word.value === undefined
    ? /^[^-(!,]/.test(word.prefix)
    : !word.value.startsWith('-') || /^-O[0-3]$/.test(word.value)
}

function words(list: string, arity: number): [string, number][] {
  return list.split(' ').map((name) => [name, arity])
}
