import { hasSourceInLines, toSource } from './cell-source.ts'
import { type CellType, insertCell } from './insert-cell.ts'
import { changeMembers, layoutIn, printJson } from './json-layout.ts'
import { membersOf, splice } from './json-spans.ts'
import { findCell, hasUnnamed, type OpenNotebook, openNotebook } from './open-notebook.ts'

/** What is to be done to one cell. */
export type NotebookChange =
  | {
      readonly editMode: 'replace'
      readonly cellId: string
      readonly newSource: string
      readonly cellType?: CellType | undefined
    }
  | {
      readonly editMode: 'insert'
      /** The cell before the new one; without it the new one is the first. */
      readonly cellId?: string | undefined
      readonly newSource: string
      readonly cellType: CellType
    }
  | { readonly editMode: 'delete'; readonly cellId: string }

/** A notebook after a change. */
export interface ChangedNotebook {
  readonly text: string
  /** The cell as Read shows it now; one that was deleted: as it was. */
  readonly cellId: string
  readonly cellType: string
  readonly language: string
  /** What a cell said before, where there was one. */
  readonly oldSource?: string
  /** Cells without an id are named by their place, and some have another now. */
  readonly isRenumbered: boolean
}

/**
 * Changes one cell in the text of a notebook; every character that does not belong to it stays.
 *
 * @throws Error that tells the model why the notebook cannot be changed so.
 */
export function changeNotebook(text: string, change: NotebookChange): ChangedNotebook {
  const notebook = openNotebook(text)
  switch (change.editMode) {
    case 'replace':
      return replaceCell(notebook, change)
    case 'insert':
      return addCell(notebook, change)
    case 'delete':
      return deleteCell(notebook, change)
  }
}

function replaceCell(
  notebook: OpenNotebook,
  { cellId, newSource, cellType: newType }: NotebookChange & { readonly editMode: 'replace' },
): ChangedNotebook {
  const { text, language } = notebook
  const { cell, span } = findCell(notebook, cellId)
  const members = membersOf(text, span.start)
  const cellType = newType ?? cell.cell_type
  const layout = layoutIn(text, span, { elements: members, unit: notebook.layout.unit })
  const source = toSource(newSource, hasSourceInLines(text, span))
  const changed = changeMembers(
    text,
    { object: span, members },
    {
      ...(cellType !== cell.cell_type && {
        ...withoutOtherFields(cellType),
        cell_type: JSON.stringify(cellType),
      }),
      // What it put out belongs to the old source.
      ...(cellType === 'code' && { execution_count: 'null', outputs: '[]' }),
      source: printJson(source, layout),
    },
  )
  return {
    text: splice(text, span, changed),
    cellId,
    cellType,
    language,
    oldSource: cell.source,
    isRenumbered: false,
  }
}

/** Fields that the format does not allow in a cell of this kind. */
function withoutOtherFields(cellType: string): Readonly<Record<string, undefined>> {
  return cellType === 'code' ? { attachments: undefined } : { execution_count: undefined, outputs: undefined }
}

function addCell(
  notebook: OpenNotebook,
  { cellId, newSource, cellType }: NotebookChange & { readonly editMode: 'insert' },
): ChangedNotebook {
  const index = cellId === undefined ? 0 : findCell(notebook, cellId).index + 1
  const { text, id = `cell-${index}` } = insertCell(notebook, index, { cellType, newSource })
  const { language } = notebook
  return { text, cellId: id, cellType, language, isRenumbered: hasUnnamed(notebook, index) }
}

function deleteCell(
  notebook: OpenNotebook,
  { cellId }: NotebookChange & { readonly editMode: 'delete' },
): ChangedNotebook {
  const { text, language, list, items } = notebook
  const { cell, span, index } = findCell(notebook, cellId)
  const [before, after] = [items[index - 1], items[index + 1]]
  const facts = {
    cellId,
    cellType: cell.cell_type,
    language,
    oldSource: cell.source,
    isRenumbered: hasUnnamed(notebook, index + 1),
  }
  if (before !== undefined) return { text: splice(text, { start: before.end, end: span.end }, ''), ...facts }
  if (after !== undefined)
    return { text: splice(text, { start: span.start, end: after.start }, ''), ...facts }
  return { text: splice(text, list, '[]'), ...facts }
}
