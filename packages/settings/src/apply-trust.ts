import { isDeepStrictEqual } from 'node:util'
import { type PathStep, toKeyText } from './json-node.ts'
import type { LayerName } from './layers.ts'
import type { Settings, SettingsPart } from './settings.ts'
import type { SettingsSections } from './settings-file.ts'
import { type TrustPart, type TrustRule, type TrustState, trustPolicy } from './trust-policy.ts'

/** How far the configuration of a folder is trusted. */
export interface Trust {
  /** What the trust store says. */
  readonly state: TrustState
  /** Nobody is there who could be asked (`-p`, SDK). */
  readonly isHeadless: boolean
  /** The local settings file is the user's own: see {@link TrustStore.judge}. @default false */
  readonly isLocalFileOwn?: boolean
}

/** A part of a file that does not count. */
export interface HeldPart {
  /** What it would do. */
  readonly part: TrustPart
  /** The layer of the file. */
  readonly layer: LayerName
  /** The file. */
  readonly file: string
  /** The keys. */
  readonly path: readonly PathStep[]
  /** How many entries are held. */
  readonly count: number
  /** One line for the user: what is ignored, where it stands, why, and what to do. */
  readonly message: string
}

/** Settings with what may count, and what was held back. */
export interface TrustedSettings<Sections extends SettingsSections> {
  /** The settings without the held parts. */
  readonly settings: Settings<Sections>
  /** What does not count. */
  readonly held: readonly HeldPart[]
}

/**
 * Takes out of settings what may not count as long as the folder is not trusted.
 *
 * @param policy The rules. @default trustPolicy
 */
export function applyTrust<Sections extends SettingsSections>(
  settings: Settings<Sections>,
  trust: Trust,
  policy: readonly TrustRule[] = trustPolicy,
): TrustedSettings<Sections> {
  const held = policy
    .filter((rule) => !isEnough(rule, trust))
    .flatMap((rule) => rule.paths.flatMap((path) => heldAt(settings, rule, { path, trust })))
  return { settings: held.length === 0 ? settings : settings.without(held satisfies SettingsPart[]), held }
}

/** Whether what a folder itself brings may do this; for files beside settings, such as `.mcp.json` and agents. */
export function isTrusted(part: TrustPart, trust: Trust): boolean {
  return trustPolicy.every((rule) => rule.part !== part || isEnough(rule, trust))
}

function isEnough(rule: TrustRule, { state, isHeadless }: Trust): boolean {
  if (state === 'trusted') return true
  return (state === 'parent-trusted' && rule.countsByParent) || (isHeadless && rule.countsHeadless)
}

function heldAt<Sections extends SettingsSections>(
  settings: Settings<Sections>,
  rule: TrustRule,
  { path, trust }: { path: readonly PathStep[]; trust: Trust },
): readonly HeldPart[] {
  return settings.explain(path).flatMap(({ layer, file, value }) => {
    const isOwn = layer === 'local' && rule.countsInOwnLocalFile && trust.isLocalFileOwn === true
    const isMeant = rule.value === undefined || isDeepStrictEqual(rule.value, value)
    if (!rule.layers.includes(layer) || isOwn || !isMeant) return []
    const count = countOf(value)
    const advice = 'Start here once without -p and trust the folder to use them.'
    const message = `Ignoring ${count} ${toKeyText(path)} entries from ${file}: this workspace has not been trusted. ${advice}`
    return count === 0 ? [] : [{ part: rule.part, layer, file, path, count, message }]
  })
}

function countOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, one) => sum + (Array.isArray(one) ? one.length : 1), 0)
}
