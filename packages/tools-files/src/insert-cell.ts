import { randomUUID } from 'node:crypto'
import { hasSourceInLines, toSource } from './cell-source.ts'
import { type JsonLayout, layoutIn, printJson } from './json-layout.ts'
import { type JsonSpan, splice } from './json-spans.ts'
import type { OpenNotebook } from './open-notebook.ts'

/** The kinds of cells that can be made. */
export type CellType = 'code' | 'markdown'

/** Puts a new cell at a place among the others; gives back the notebook's text, and the id that the cell got. */
export function insertCell(
  notebook: OpenNotebook,
  index: number,
  { cellType, newSource }: { readonly cellType: CellType; readonly newSource: string },
): { readonly text: string; readonly id?: string } {
  const { text, hasCellIds, list, items } = notebook
  const [first] = items
  const neighbour = items[index - 1] ?? first
  const isInLines = neighbour === undefined || hasSourceInLines(text, neighbour)
  const id = hasCellIds ? makeId(notebook) : undefined
  const cell = makeCell({ id, cellType, source: toSource(newSource, isInLines) })
  const changed =
    first === undefined
      ? { span: list, text: fillList(notebook, cell) }
      : placeBeside(notebook, { index, first, cell: printJson(cell, layoutOfCells(notebook)) })
  return { text: splice(text, changed.span, changed.text), ...(id !== undefined && { id }) }
}

function makeId({ cells }: OpenNotebook): string {
  for (;;) {
    const id = randomUUID().slice(0, 8)
    if (cells.every(({ shownId }) => shownId !== id)) return id
  }
}

function makeCell({
  id,
  cellType,
  source,
}: {
  readonly id: string | undefined
  readonly cellType: CellType
  readonly source: string | readonly string[]
}): object {
  const isCode = cellType === 'code'
  // In the order in which Jupyter writes them.
  return {
    cell_type: cellType,
    ...(isCode && { execution_count: null }),
    ...(id !== undefined && { id }),
    metadata: {},
    ...(isCode && { outputs: [] }),
    source,
  }
}

/** The first cell of a list, laid out as the notebook is. */
function fillList({ layout }: OpenNotebook, cell: object): string {
  const { newline, unit } = layout
  if (newline === '') return `[${printJson(cell, layout)}]`
  const indent = unit + unit
  return `[${newline}${indent}${printJson(cell, { ...layout, indent })}${newline}${unit}]`
}

function layoutOfCells({ text, list, items, layout }: OpenNotebook): JsonLayout {
  return layoutIn(text, list, { elements: items, unit: layout.unit })
}

/** Puts a cell before the first or behind another, with between them what stands between the others. */
function placeBeside(
  { text, list, items }: OpenNotebook,
  { index, first, cell }: { readonly index: number; readonly first: JsonSpan; readonly cell: string },
): { readonly span: JsonSpan; readonly text: string } {
  const second = items[1]
  const gap =
    second === undefined ? `,${text.slice(list.start + 1, first.start)}` : text.slice(first.end, second.start)
  const before = items[index - 1]
  return before === undefined
    ? { span: { start: first.start, end: first.start }, text: cell + gap }
    : { span: { start: before.end, end: before.end }, text: gap + cell }
}
