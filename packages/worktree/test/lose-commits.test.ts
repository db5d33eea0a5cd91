import { describe } from 'vitest'
import { promiseToKeep } from './promise-to-keep.ts'

describe('no byte is lost: commits, refs and stashes', () => {
  promiseToKeep('commits')
})
