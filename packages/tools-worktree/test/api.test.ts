import * as api from '@x/tools-worktree'
import { expect, it } from 'vitest'

it('exports exactly these names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'createEnterWorktreeTool',
    'createExitWorktreeTool',
    'currentWorktree',
    'moveContext',
    'resumeWorktree',
    'worktreeState',
  ])
})
