import type { Matcher } from './compiled-rule.ts'
import { compilePathPattern, type PathPattern } from './path-pattern.ts'
import { type FoundPath, isBelow, type Places, sourceFolder } from './places.ts'
import { resolvePath } from './resolve-path.ts'
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
  return {
    kind: 'path',
    matches: (path, places, readLink) => {
      const folders = anchorFolders({ anchor, rule, places }).flatMap(
        (folder) => resolvePath(folder, readLink).all,
      )
      const match: PathPattern['matches'] =
        path.isPattern === true
          ? (segments) => compiled.meets(segments)
          : (segments) => compiled.matches(segments)
      const fits = (form: string): boolean => folders.some((folder) => isMatch(form, folder, match))
      return forbids ? path.all.some(fits) : isSure(path) && path.all.every(fits)
    },
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
      return [sourceFolder(rule, places)]
    case 'cwd':
      // A session that moves must not get out of reach of what forbids.
      return rule.behavior === 'allow' ? [places.cwd] : [...new Set([places.cwd, places.startDir])]
  }
}

function isMatch(path: string, folder: string, match: PathPattern['matches']): boolean {
  const rest = isBelow(path, folder) ? path.slice(folder === '/' ? 0 : folder.length) : openRest(path, folder)
  return rest !== undefined && match(rest.split('/').filter(Boolean))
}

/** `/a/**` may lead below `/a/b`: what is not known may hold the way there. */
function openRest(path: string, folder: string): string | undefined {
  const at = path.indexOf('/**')
  return at >= 0 && isBelow(folder, at === 0 ? '/' : path.slice(0, at)) ? path.slice(at) : undefined
}

function isSure(path: FoundPath): boolean {
  return path.isResolved && path.doubt === undefined && path.isPattern !== true
}
