import * as entry from '@x/tools-files'
import { expect, test } from 'vitest'

test('the entry exports exactly these names', () => {
  expect(Object.keys(entry).toSorted()).toEqual([
    'createEditTool',
    'createFileReadCache',
    'createNotebookEditTool',
    'createReadTool',
    'createWriteTool',
  ])
})
