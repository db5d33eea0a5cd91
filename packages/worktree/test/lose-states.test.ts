import { describe } from 'vitest'
import { promiseToKeep } from './promise-to-keep.ts'

describe('no byte is lost: operations in progress and broken folders', () => {
  promiseToKeep('states')
})
