import * as api from '@x/tools-shell'
import { expect, test } from 'vitest'

test('exports exactly these names', () => {
  expect(Object.keys(api).sort()).toEqual(['createBashTool', 'nodeBashOperations', 'readBashEnvironment'])
})
