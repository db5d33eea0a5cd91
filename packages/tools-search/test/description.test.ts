import { createGlobTool, createGrepTool } from '@x/tools-search'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

describe.each([
  ['Glob', createGlobTool()],
  ['Grep', createGrepTool()],
])('%s', (name, tool) => {
  const schema = z.toJSONSchema(tool.inputSchema)

  test('is read-only, safe beside others, and ends when the user wants to be heard', () => {
    expect(tool).toMatchObject({ name })
    expect(tool.isReadOnly?.({ pattern: 'x' })).toBe(true)
    expect(tool.isConcurrencySafe?.({ pattern: 'x' })).toBe(true)
    expect(tool.interruptBehavior?.()).toBe('cancel')
  })

  test('says in short when to use it and what else to use', () => {
    expect(tool.description.length).toBeLessThanOrEqual(1200)
    expect(tool.description).toContain('Not ')
  })

  test('describes every field and takes no other', () => {
    expect(schema.additionalProperties).toBe(false)
    for (const field of Object.values(schema.properties ?? {})) {
      expect(field).toHaveProperty('description')
    }
  })
})
