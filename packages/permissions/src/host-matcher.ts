import type { Matcher } from './compiled-rule.ts'

/** Compiles `domain:host`. `*` alone is every host, `*.` in front any depth of subdomains, another `*` stays between dots. */
export function compileHostMatcher(specifier: string): Matcher | string {
  const match = /^\s*domain\s*:\s*(\S+)\s*$/.exec(specifier)
  if (!match) return 'write WebFetch(domain:host)'
  const host = normalizeHost(match[1] ?? '')
  if (host === '*') return { kind: 'text', matches: (other) => other !== '' }
  const isOpen = host.startsWith('*.')
  const labels = (isOpen ? host.slice(2) : host).split('.')
  return { kind: 'text', matches: (other) => matchLabels(labels, normalizeHost(other).split('.'), isOpen) }
}

/** The host of an address; empty if it is none. */
export function hostOf(url: unknown): string {
  if (typeof url !== 'string') return ''
  // As whoever fetches it reads it: `http:host` and blanks in front are taken; `host:80` is no address yet.
  const own = URL.canParse(url) ? new URL(url).hostname : ''
  if (own !== '') return normalizeHost(own)
  const withScheme = `https://${url}`
  return URL.canParse(withScheme) ? normalizeHost(new URL(withScheme).hostname) : ''
}

function normalizeHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

function matchLabels(pattern: readonly string[], labels: readonly string[], isOpen: boolean): boolean {
  const extra = labels.length - pattern.length
  if (isOpen ? extra < 1 : extra !== 0) return false
  return pattern.every((part, index) => matchLabel(part, labels[extra + index] ?? ''))
}

function matchLabel(pattern: string, label: string): boolean {
  if (!pattern.includes('*')) return pattern === label
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.at(-1) ?? ''
  return label.length >= first.length + last.length && label.startsWith(first) && label.endsWith(last)
}
