import { type JsonLayout, layoutIn } from './json-layout.ts'
import { itemsOf, type JsonSpan, membersOf, startOfValue } from './json-spans.ts'
import { parseRawNotebook, type RawCell, type RawNotebook } from './notebook-format.ts'

/** A notebook, and where its parts stand. */
export interface OpenNotebook extends RawNotebook {
  readonly text: string
  readonly list: JsonSpan
  readonly items: readonly JsonSpan[]
  /** How the members of the notebook itself are laid out. */
  readonly layout: JsonLayout
}

/** @throws Error that says why this is no notebook whose cells can be changed. */
export function openNotebook(text: string): OpenNotebook {
  const raw = parseRawNotebook(text)
  if (raw === 'not-json') {
    throw new Error(
      'The notebook is not valid JSON, so none of its cells can be changed. Mend its text with Edit first.',
    )
  }
  const root = { start: startOfValue(text, 0), end: text.length }
  const members = raw === 'not-notebook' ? [] : membersOf(text, root.start)
  const list = members.findLast(({ key }) => key === 'cells')
  if (raw === 'not-notebook' || list === undefined) {
    throw new Error(
      'The file is JSON, but no notebook of format 4: it has no list of cells that have a cell_type and a source. Change its text with Edit.',
    )
  }
  const layout = layoutIn(text, root, { elements: members })
  return { ...raw, text, list, items: itemsOf(text, list.start), layout }
}

const MAX_LISTED = 20

/** A cell, and where it stands. */
export interface FoundCell {
  readonly cell: RawCell
  readonly span: JsonSpan
  readonly index: number
}

/** The one cell that Read shows under this id. @throws Error if there is none, or more than one. */
export function findCell({ cells, items }: OpenNotebook, cellId: string): FoundCell {
  const found = cells.flatMap((cell, index): FoundCell[] => {
    const span = items[index]
    return cell.shownId === cellId && span !== undefined ? [{ cell, span, index }] : []
  })
  const [first] = found
  if (first === undefined) {
    const known = cells.slice(0, MAX_LISTED).map(({ shownId }) => shownId)
    const list = cells.length > known.length ? `${known.join(', ')}, ...` : known.join(', ') || 'none'
    throw new Error(
      `The notebook has no cell with the id ${cellId.toWellFormed()}. Its ${cells.length} cells: ${list}.`,
    )
  }
  if (found.length > 1) {
    throw new Error(
      `${found.length} cells of the notebook have the id ${cellId}, so it is not clear which one is meant. Give them different ids with Edit first.`,
    )
  }
  return first
}

/** Whether some cell from this place on is named by its place. */
export function hasUnnamed({ cells }: OpenNotebook, from: number): boolean {
  return cells.slice(from).some(({ id }) => id === undefined)
}
