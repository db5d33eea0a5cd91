import type { z } from 'zod'
import { type JsonNode, nodesAlong, type PathStep, toValue, withoutNodes } from './json-node.ts'
import { type KeyPath, toSteps } from './key-path.ts'
import { type LayerName, layerNames, type WritableLayer } from './layers.ts'
import { type MergedNode, type MergeSource, mergeNodes, toMergedNode, toMergedValue } from './merge.ts'
import type { CheckedFile, SettingsProblem, SettingsSections } from './settings-file.ts'

/**
 * The value of settings: sections as their schemas take them, and every other key as the files have it.
 *
 * Schemas check and change nothing: a default or transform of a schema is up to whoever uses the section. Otherwise a default in a
 * strong layer would hide what a weaker one says.
 */
export type SettingsValue<Sections extends SettingsSections> = {
  readonly [Key in keyof Sections]?: z.input<Sections[Key]>
} & { readonly [key: string]: unknown }

/** A place in a file that gives a value. */
export interface SettingOrigin {
  /** The layer of the file. */
  readonly layer: LayerName
  /** The file. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1. */
  readonly column: number
  /** The keys in that file. */
  readonly path: readonly PathStep[]
  /** What this place says, whatever others say. */
  readonly value: unknown
}

/** An element of a merged array with the place it comes from. */
export interface SettingEntry {
  /** The element. */
  readonly value: unknown
  /** The strongest place that gives it. */
  readonly origin: SettingOrigin
}

/** One file of a layer. */
export interface SettingsFile {
  /** The file, absolute. */
  readonly path: string
  /** There is a file. */
  readonly exists: boolean
  /** What counts of it. */
  readonly value: Readonly<Record<string, unknown>>
  /** What is wrong with it. */
  readonly problems: readonly SettingsProblem[]
}

/** One layer, whatever the others say. */
export interface SettingsLayer<Sections extends SettingsSections> {
  /** Its name. */
  readonly name: LayerName
  /** Its files, the weakest first; also those that do not exist. */
  readonly files: readonly SettingsFile[]
  /** What its files say together. */
  readonly value: SettingsValue<Sections>
  /** What is wrong with its files. */
  readonly problems: readonly SettingsProblem[]
  /** The file that {@link updateSettings} writes to; nothing for managed and command line settings. */
  readonly target: string | undefined
}

/** Tells parts of files that must not count. */
export interface SettingsPart {
  /** The layer. */
  readonly layer: LayerName
  /** Only in this file. @default all files of the layer */
  readonly file?: string
  /** The keys. */
  readonly path: readonly PathStep[]
}

/** Settings as they count, and where each comes from. An immutable snapshot. */
export interface Settings<Sections extends SettingsSections = SettingsSections> {
  /** All layers merged. */
  readonly value: SettingsValue<Sections>
  /** All five layers, the strongest first. */
  readonly layers: readonly SettingsLayer<Sections>[]
  /** What is wrong with any file. */
  readonly problems: readonly SettingsProblem[]
  /** One layer. */
  layer(name: LayerName): SettingsLayer<Sections>
  /** All places that give a value, the strongest first: it wins, unless the value is an array or object, which all give together. */
  explain(path: KeyPath): readonly SettingOrigin[]
  /** The elements of a merged array with their places; empty if there is no array. */
  entries(path: KeyPath): readonly SettingEntry[]
  /** The same settings without some parts of some files, such as those of a folder that is not trusted. */
  without(parts: readonly SettingsPart[]): Settings<Sections>
}

/** What settings are made of. */
export interface SettingsIngredients {
  /** The weakest first. */
  readonly files: readonly CheckedFile[]
  /** The file to write to. */
  readonly targets: Readonly<Record<WritableLayer, string>>
}

/** Merges checked files into settings. */
export function buildSettings<Sections extends SettingsSections>(
  ingredients: SettingsIngredients,
): Settings<Sections> {
  const { files, targets } = ingredients
  const merged = mergeFiles(files)
  const layers = layerNames.map((name) => buildLayer<Sections>(name, files, targets))
  return {
    value: valueOf<Sections>(merged),
    layers,
    problems: files.toReversed().flatMap(({ problems }) => problems),
    layer: (name) => layers.find((layer) => layer.name === name) ?? buildLayer(name, files, targets),
    explain: (path) => find(merged, path)?.sources.map(toOrigin) ?? [],
    entries: (path) => {
      const node = find(merged, path)
      return node?.kind === 'array' ? node.items.flatMap(toEntry) : []
    },
    without: (parts) => buildSettings({ files: files.map((file) => withoutParts(file, parts)), targets }),
  }
}

function buildLayer<Sections extends SettingsSections>(
  name: LayerName,
  all: readonly CheckedFile[],
  targets: SettingsIngredients['targets'],
): SettingsLayer<Sections> {
  const own = all.filter(({ layer }) => layer === name)
  return {
    name,
    files: own.map(({ path, exists, problems, root }) => ({
      path,
      exists,
      value: toRecord(root === undefined ? {} : toValue(root)),
      problems,
    })),
    value: valueOf<Sections>(mergeFiles(own)),
    problems: own.flatMap(({ problems }) => problems),
    target: name === 'managed' || name === 'command-line' ? undefined : targets[name],
  }
}

function mergeFiles(files: readonly CheckedFile[]): MergedNode | undefined {
  return files
    .flatMap((file) => (file.root === undefined ? [] : toMergedNode(file, file.root)))
    .reduce<MergedNode | undefined>((weaker, node) => (weaker ? mergeNodes(weaker, node) : node), undefined)
}

function valueOf<Sections extends SettingsSections>(node: MergedNode | undefined): SettingsValue<Sections> {
  // Every section was checked file by file; united lists of checked elements pass the same check.
  return (node === undefined ? {} : toMergedValue(node)) as SettingsValue<Sections>
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function find(root: MergedNode | undefined, path: KeyPath): MergedNode | undefined {
  return toSteps(path).reduce<MergedNode | undefined>((node, step) => {
    if (node?.kind === 'array') return typeof step === 'number' ? node.items[step] : undefined
    return node?.kind === 'object' ? node.entries.get(String(step)) : undefined
  }, root)
}

function toOrigin({ file, node, path }: MergeSource): SettingOrigin {
  const { line, column } = file.positionOf(node.offset)
  return { layer: file.layer, file: file.path, line, column, path, value: toValue(node) }
}

function toEntry(node: MergedNode): readonly SettingEntry[] {
  const source = node.sources[0]
  return source === undefined ? [] : [{ value: toMergedValue(node), origin: toOrigin(source) }]
}

function withoutParts(file: CheckedFile, parts: readonly SettingsPart[]): CheckedFile {
  const { root } = file
  if (root === undefined) return file
  const unwanted = parts
    .filter((part) => part.layer === file.layer && (part.file ?? file.path) === file.path)
    .flatMap(({ path }) => nodeAt(root, path))
  const rest = withoutNodes(root, new Set(unwanted))
  return { ...file, root: rest?.kind === 'object' ? rest : undefined }
}

function nodeAt(root: JsonNode, path: readonly PathStep[]): readonly JsonNode[] {
  const nodes = nodesAlong(root, path)
  return nodes.length > path.length ? nodes.slice(-1) : []
}
