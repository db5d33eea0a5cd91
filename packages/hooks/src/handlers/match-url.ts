/**
 * Whether an address fits a pattern, in which `*` stands for any text. In the host it ends where the host does, so that no other host
 * can have the pattern somewhere in its path; only at the very end of a pattern it takes all the rest. Hosts are compared without
 * case and trailing dot.
 */
export function matchesUrl(pattern: string, url: string): boolean {
  if (pattern === '*') return true
  if (!URL.canParse(url)) return false
  // As it will be requested: other spellings of a host's end are undone.
  const { origin, pathname, search } = new URL(url)
  const [wantedOrigin, wantedRest] = splitPattern(pattern.replace(/#.*$/s, ''))
  if (!toExpression(wantedOrigin, '[^/?#@]*').test(withoutDot(origin))) return false
  return wantedRest === undefined || toExpression(wantedRest, '.*').test(`${pathname}${search}`)
}

/** Origin and rest of a pattern; no rest where anything may follow. */
function splitPattern(pattern: string): readonly [origin: string, rest: string | undefined] {
  const [, scheme = '', host = '', rest = ''] =
    /^((?:[a-z0-9+.*-]+:\/\/)?)([^/?]*)(.*)$/is.exec(pattern) ?? []
  const spelled = scheme === '' && host.startsWith('*') ? `*://${host}` : `${scheme}${host}`
  const origin = withoutDot(spelled.toLowerCase().replace(/^(https:.*):443$|^(http:.*):80$/, '$1$2'))
  if (rest === '' && host.endsWith('*')) return [origin, undefined]
  return [origin, rest.startsWith('/') ? rest : `/${rest}`]
}

function toExpression(pattern: string, any: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join(any)}$`, 's')
}

function withoutDot(origin: string): string {
  return origin.replace(/\.(?=:\d+$|$)/, '')
}
