import { effortLevels, toEffortLevel } from '@x/contract'
import { expect, test } from 'vitest'

test.each([...effortLevels, ' High ', 'MAX'])('%j is a level', (value) => {
  expect(toEffortLevel(value)).toBe(value.trim().toLowerCase())
})

test.each(['', 'auto', 'higher', 3, null, undefined, ['low']])('%j is none', (value) => {
  expect(toEffortLevel(value)).toBeUndefined()
})
