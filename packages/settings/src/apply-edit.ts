import { isDeepStrictEqual } from 'node:util'
import { changeText, insertMember, memberIndexOf, removeMember, type TextChange } from './edit-text.ts'
import {
  type JsonArray,
  type JsonNode,
  type JsonObject,
  nodesAlong,
  type PathStep,
  toKeyText,
  toValue,
} from './json-node.ts'
import { type KeyPath, toSteps } from './key-path.ts'
import { parseJson } from './parse-json.ts'
import { formatValue, indentAt, styleOf } from './text-style.ts'

/** One change to a settings file. Missing objects and lists on the way are made. */
export type SettingsEdit = SetEdit | UnsetEdit | AddEdit | RemoveEdit

interface EditPlace {
  /** The keys of the place: `'permissions.allow'`, or its steps. */
  readonly path: KeyPath
}

/** Gives a place a value. */
export interface SetEdit extends EditPlace {
  /** The value, of JSON. */
  readonly set: unknown
}

/** Removes a key with its value. */
export interface UnsetEdit extends EditPlace {
  /** Always true. */
  readonly unset: true
}

/** Adds elements to a list. */
export interface AddEdit extends EditPlace {
  /** Of these, those that the list does not have yet. */
  readonly add: readonly unknown[]
}

/** Removes elements from a list. */
export interface RemoveEdit extends EditPlace {
  /** All elements that equal one of these. */
  readonly remove: readonly unknown[]
}

/** The text with an edit done, or why it cannot be done. */
export type EditResult = { readonly text: string } | { readonly refusal: string }

/** Does one edit on a text without faults; every byte that the edit is not about stays. */
export function applyEdit(text: string, edit: SettingsEdit): EditResult {
  const root = parseJson(text).root
  const path = toSteps(edit.path)
  if (root === undefined) return fillBlank(text, edit)
  if ('remove' in edit) return removeItems(text, { root, path, unwanted: edit.remove })
  if ('add' in edit) return addItems(text, { root, path, wanted: edit.add })
  if ('unset' in edit) return { text: removeKey(text, root, path) }
  return setValue(text, { root, path, value: edit.set })
}

/** Comments without a value stay above the new one. */
function fillBlank(text: string, edit: SettingsEdit): EditResult {
  if ('remove' in edit || 'unset' in edit) return { text }
  return applyEdit(`${text}${text === '' || text.endsWith('\n') ? '' : '\n'}{}\n`, edit)
}

interface Place {
  readonly root: JsonNode
  readonly path: readonly PathStep[]
}

function setValue(text: string, { root, path, value }: Place & { value: unknown }): EditResult {
  const nodes = nodesAlong(root, path)
  const last = nodes.at(-1) ?? root
  const [step, ...inner] = path.slice(nodes.length - 1)
  if (step === undefined) return replaceValue(text, { root, node: last, value })
  const container = takerOf(last, step)
  if (container === undefined || inner.some((key) => typeof key === 'number')) {
    const place = toKeyText(path.slice(0, nodes.length - 1)) || 'the file'
    return { refusal: `${place} has no place for ${toKeyText([step, ...inner])}` }
  }
  const nested = inner.reduceRight<unknown>((below, key) => ({ [key]: below }), value)
  const member = typeof step === 'number' ? { value: nested } : { key: step, value: nested }
  return { text: changeText(text, insertMember(text, container, { member, style: styleOf(text, root) })) }
}

/** The node if it can take a new member under this step: any new key, or the next index. */
function takerOf(node: JsonNode, step: PathStep): JsonArray | JsonObject | undefined {
  if (node.kind === 'array') return step === node.items.length ? node : undefined
  return node.kind === 'object' && typeof step === 'string' ? node : undefined
}

function replaceValue(
  text: string,
  { root, node, value }: { root: JsonNode; node: JsonNode; value: unknown },
): EditResult {
  if (isDeepStrictEqual(toValue(node), value)) return { text }
  const written = formatValue(value, indentAt(text, node.offset), styleOf(text, root))
  return { text: changeText(text, [{ offset: node.offset, end: node.end, text: written }]) }
}

function addItems(text: string, { root, path, wanted }: Place & { wanted: readonly unknown[] }): EditResult {
  const list = nodeAt(root, path)
  if (list === undefined) return setValue(text, { root, path, value: unique(wanted) })
  if (list.kind !== 'array') return { refusal: `${toKeyText(path)} is no list` }
  const known = list.items.map(toValue)
  const missing = unique(wanted).find((one) => !known.some((other) => isDeepStrictEqual(one, other)))
  if (missing === undefined) return { text }
  const changes = insertMember(text, list, { member: { value: missing }, style: styleOf(text, root) })
  return applyEdit(changeText(text, changes), { path, add: wanted })
}

function removeItems(
  text: string,
  { root, path, unwanted }: Place & { unwanted: readonly unknown[] },
): EditResult {
  const list = nodeAt(root, path)
  if (list === undefined) return { text }
  if (list.kind !== 'array') return { refusal: `${toKeyText(path)} is no list` }
  const index = list.items.findIndex((item) => unwanted.some((one) => isDeepStrictEqual(one, toValue(item))))
  if (index === -1) return { text }
  return applyEdit(changeText(text, removeMember(text, list, index)), { path, remove: unwanted })
}

function removeKey(text: string, root: JsonNode, path: readonly PathStep[]): string {
  const node = nodeAt(root, path)
  const parent = nodeAt(root, path.slice(0, -1))
  if (node === undefined || path.length === 0) return text
  if (parent?.kind !== 'object' && parent?.kind !== 'array') return text
  const changes: readonly TextChange[] = removeMember(text, parent, memberIndexOf(parent, node))
  return changeText(text, changes)
}

function nodeAt(root: JsonNode, path: readonly PathStep[]): JsonNode | undefined {
  const nodes = nodesAlong(root, path)
  return nodes.length > path.length ? nodes.at(-1) : undefined
}

function unique(values: readonly unknown[]): readonly unknown[] {
  return values.filter(
    (value, index) => values.findIndex((other) => isDeepStrictEqual(value, other)) === index,
  )
}
