import * as entry from '@x/tools-search'
import { expect, test } from 'vitest'

test('the entry exports exactly these names', () => {
  expect(Object.keys(entry).toSorted()).toEqual(['createGlobTool', 'createGrepTool', 'readSearchEnvironment'])
})
