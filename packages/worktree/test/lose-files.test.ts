import { describe } from 'vitest'
import { promiseToKeep } from './promise-to-keep.ts'

describe('no byte is lost: files that only are in the worktree', () => {
  promiseToKeep('files')
})
