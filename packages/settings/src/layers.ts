/** Where settings come from, the strongest first. */
export const layerNames = ['managed', 'command-line', 'local', 'project', 'user'] as const

/** Where settings come from. */
export type LayerName = (typeof layerNames)[number]

/** A layer that `--setting-sources` names; managed and command line settings always count. */
export type SettingSource = 'user' | 'project' | 'local'

/** A layer that can be written to. */
export type WritableLayer = SettingSource

/** The place of one settings file. */
export interface SettingsPlace {
  /** The layer it belongs to. */
  readonly layer: LayerName
  /** The file, absolute. */
  readonly path: string
}
