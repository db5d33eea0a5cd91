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
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`
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
