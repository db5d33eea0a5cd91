import { expect, it } from 'vitest'
import * as api from '../src/index.ts'

it('exports these names', () => {
  expect(Object.keys(api)).toEqual(['analyzeShell'])
})
