import { isModelError, ModelError } from '@x/contract'
import { expect, test } from 'vitest'

test('carries its facts and its cause', () => {
  const cause = new Error('socket')
  const error = new ModelError('The connection broke off.', {
    code: 'connection_lost',
    status: null,
    isRetryable: true,
    cause,
  })
  expect(error).toMatchObject({
    name: 'ModelError',
    code: 'connection_lost',
    status: null,
    isRetryable: true,
    cause,
  })
  expect(error.retryAfterMs).toBeUndefined()
})

test('is told from other errors, also when it comes from another copy of the package', () => {
  const foreign = Object.assign(new Error('x'), { [Symbol.for('@x/contract/ModelError')]: true })
  expect(isModelError(new ModelError('x', { code: 'unknown', status: 500, isRetryable: false }))).toBe(true)
  expect(isModelError(foreign)).toBe(true)
  expect([new Error('x'), null, undefined, 'x'].some((value) => isModelError(value))).toBe(false)
})
