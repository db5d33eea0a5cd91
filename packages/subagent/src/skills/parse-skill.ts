import { dirname } from 'node:path'
import { parseFrontMatter } from '../front-matter.ts'

/** Instructions for one kind of work, as they stand in a folder of their own. */
export interface Skill {
  /** The name of its folder. */
  readonly name: string
  /** The file. */
  readonly path: string
  /** The folder the file stands in; more may stand there. */
  readonly folder: string
  /** The instructions, without the front matter. Nothing in them is replaced. */
  readonly body: string
  /** The fields of the front matter; what they mean is up to the reader. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Only the user may use it: `disable-model-invocation` is set, whatever to. */
  readonly isForUserOnly: boolean
}

/** The skill, or why there is none, to stand behind its name. */
export type LoadedSkill =
  | { readonly ok: true; readonly skill: Skill }
  | { readonly ok: false; readonly reason: string }

/** Reads the text of a skill's file. Broken YAML is read field by field, as that of agents is. Never throws. */
export function parseSkill(text: string, { name, path }: Pick<Skill, 'name' | 'path'>): LoadedSkill {
  const parts = parseFrontMatter(text, knownFields)
  if (parts === undefined) return { ok: false, reason: `${path} does not begin with front matter` }
  const { fields, body } = parts
  if (body === '') return { ok: false, reason: `${path} holds no instructions` }
  const isForUserOnly = !isOff(fields['disable-model-invocation'])
  return { ok: true, skill: { name, path, folder: dirname(path), body, fields, isForUserOnly } }
}

/** The fields that are looked for where the block is no YAML. */
const knownFields = new Set(['name', 'description', 'disable-model-invocation'])

/** What cannot be read forbids. */
function isOff(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true
  return typeof value === 'string' && ['', 'false', 'no'].includes(value.trim().toLowerCase())
}
