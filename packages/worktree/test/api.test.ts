import * as api from '@x/worktree'
import { expect, test } from 'vitest'

test('exports exactly these names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'createGit',
    'createWorktree',
    'createWorktreeGuard',
    'discardWorktree',
    'inspectWorktree',
    'keepOutOfStatus',
    'listWorktrees',
    'lockWorktree',
    'openWorktree',
    'releaseWorktree',
    'removeWorktree',
    'sweepWorktrees',
    'withoutRepository',
  ])
})
