import { describe } from 'vitest'
import { promiseToKeep } from './promise-to-keep.ts'

describe('no byte is lost: changes that git hides', () => {
  promiseToKeep('hidden')
})
