import { declareCall } from '@x/contract'
import { createEditTool, createNotebookEditTool, createReadTool, createWriteTool } from '@x/tools-files'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const NOTEBOOK_EDIT = createNotebookEditTool()
const TOOLS = [createReadTool(), createWriteTool(), createEditTool(), NOTEBOOK_EDIT]

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (_, tool) => {
  test('says when not to use it, and what is better', () => {
    expect(tool.description).toMatch(/Not for .*: (use )?\w+/)
  })

  test('describes every field', () => {
    const schema = z.toJSONSchema(tool.inputSchema)
    const fields = Object.values(schema.properties ?? {})
    expect(fields.every((field) => typeof field === 'object' && field.description !== undefined)).toBe(true)
    expect(schema.additionalProperties).toBe(false)
  })
})

test('those that are always sent take less than 4 KB of a request', () => {
  const sent = TOOLS.filter(({ shouldDefer }) => shouldDefer !== true).map(
    ({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: z.toJSONSchema(inputSchema),
    }),
  )
  expect(JSON.stringify(sent).length).toBeLessThan(4096)
})

test('writing tools claim nothing: they run alone and are asked about', () => {
  const claims = [
    declareCall(createWriteTool(), { file_path: 'f', content: '' }),
    declareCall(createEditTool(), { file_path: 'f', old_string: 'a', new_string: 'b' }),
    declareCall(NOTEBOOK_EDIT, { notebook_path: 'f.ipynb', new_source: '' }),
  ]
  const none = { isConcurrencySafe: false, isReadOnly: false, isDestructive: false }
  expect(claims).toMatchObject([none, none, none])
})

test('only NotebookEdit may be sent when it is asked for', () => {
  expect(TOOLS.filter(({ shouldDefer }) => shouldDefer === true)).toEqual([NOTEBOOK_EDIT])
})
