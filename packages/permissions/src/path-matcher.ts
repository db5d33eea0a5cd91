import type { Matcher } from './compiled-rule.ts'
import type { Disk } from './disk.ts'
import { compilePathPattern, type PathPattern } from './path-pattern.ts'
import { type FoundPath, type Places, sourceFolder } from './places.ts'
import type { PermissionRule } from './rule.ts'

/** Compiles the path of a `Read` or `Edit` rule. An allow rule needs the path and what it leads to; others need one of them. */
export function compilePathMatcher(specifier: string, rule: PermissionRule, isNarrow = false): Matcher {
  const { anchor, pattern } = splitAnchor(specifier.trim())
  const forbids = rule.behavior !== 'allow'
  const compiled = compilePathPattern(pattern, {
    reachesFar: forbids && !isNarrow,
    ignoresCase: forbids && (process.platform === 'darwin' || process.platform === 'win32'),
    isAnchored: anchor !== 'cwd',
  })
  const anchorsIn = rememberLast((places: Places, disk: Disk) =>
    anchorFolders({ anchor, rule, places }).flatMap((folder) => disk.resolve(folder).segments),
  )
  return {
    kind: 'path',
    matches: (path, places, disk) => {
      const folders = anchorsIn(places, disk)
      if (forbids) return path.segments.some((form) => isMatchIn(form, folders, { path, compiled }))
      return isSure(path) && path.segments.every((form) => isMatchIn(form, folders, { path, compiled }))
    },
    beginnings: (places, disk) =>
      compiled.fixed.length === 0
        ? undefined
        : anchorsIn(places, disk).map((folder) => `/${[...folder, ...compiled.fixed].join('/')}`),
    namedFiles: (root, places) => {
      const name = pattern.replace(/\/\*\*$/, '').replace(/^(\.?\/)*(\*\*\/)*/, '')
      if (name === '' || /[*?[\]\\]/.test(name)) return []
      const folders = anchorFolders({ anchor, rule, places })
      const isFloating =
        anchor === 'cwd' && !/^\.?\//.test(pattern) && (!name.includes('/') || pattern.startsWith('**'))
      return [...folders, ...(isFloating ? [root] : [])].map(
        (folder) => `${folder === '/' ? '' : folder}/${name}`,
      )
    },
  }
}

type Anchor = 'root' | 'home' | 'source' | 'cwd'

function splitAnchor(text: string): { anchor: Anchor; pattern: string } {
  if (text.startsWith('//')) return { anchor: 'root', pattern: withoutDrive(text.slice(1)) }
  if (text === '~' || text.startsWith('~/')) return { anchor: 'home', pattern: text.slice(1) }
  if (text.startsWith('/')) return { anchor: 'source', pattern: text }
  return /^[A-Za-z]:[\\/]/.test(text)
    ? { anchor: 'root', pattern: withoutDrive(text.replaceAll('\\', '/')) }
    : { anchor: 'cwd', pattern: text }
}

/** `C:/x` is kept as `/c/x`; upper and lower case of a drive are the same. */
function withoutDrive(path: string): string {
  return path.replace(/^\/?([A-Za-z]):?(?=\/)/, (whole, drive: string) =>
    whole.includes(':') || process.platform === 'win32' ? `/${drive.toLowerCase()}` : whole,
  )
}

interface AnchorQuestion {
  readonly anchor: Anchor
  readonly rule: PermissionRule
  readonly places: Places
}

function anchorFolders({ anchor, rule, places }: AnchorQuestion): readonly string[] {
  switch (anchor) {
    case 'root':
      return ['/']
    case 'home':
      return [places.home]
    case 'source':
      return sourceFolders(rule, places)
    case 'cwd':
      // A session that moves must not get out of reach of what forbids.
      return rule.behavior === 'allow' ? [places.cwd] : [...new Set([places.cwd, places.startDir])]
  }
}

/** What a rule forbids in the project, it forbids in a copy of the project too. */
function sourceFolders(rule: PermissionRule, places: Places): readonly string[] {
  const { projectDir, startDir, checkoutDir } = places
  const folder = sourceFolder(rule, places)
  const isCopied = rule.behavior !== 'allow' && (folder === projectDir || folder === startDir)
  return isCopied && checkoutDir !== undefined ? [folder, checkoutDir] : [folder]
}

/** All paths of one judgement meet the same folders. */
function rememberLast<Value>(
  find: (places: Places, disk: Disk) => Value,
): (places: Places, disk: Disk) => Value {
  let last: { readonly places: Places; readonly disk: Disk; readonly value: Value } | undefined
  return (places, disk) => {
    if (last?.places !== places || last.disk !== disk) last = { places, disk, value: find(places, disk) }
    return last.value
  }
}

interface Candidate {
  readonly path: FoundPath
  readonly compiled: PathPattern
}

function isMatchIn(
  form: readonly string[],
  folders: readonly (readonly string[])[],
  candidate: Candidate,
): boolean {
  return folders.some((folder) => isMatch(form, folder, candidate))
}

function isMatch(form: readonly string[], folder: readonly string[], { path, compiled }: Candidate): boolean {
  const isBelow = folder.every((name, index) => form[index] === name)
  if (path.isPattern !== true) return isBelow && compiled.matches(form, folder.length)
  if (isBelow) return compiled.meets(form, folder.length)
  // `/a/**` may lead below `/a/b`: what is not known may hold the way there.
  const open = form.indexOf('**')
  const mayLead = open >= 0 && form.slice(0, open).every((name, index) => folder[index] === name)
  return mayLead && compiled.meets(form, open)
}

function isSure(path: FoundPath): boolean {
  return path.isResolved && path.doubt === undefined && path.isPattern !== true
}
