import type { SessionRecord } from '@x/contract'
import { expectTypeOf, test } from 'vitest'
import { type Query, type QueryEnd, type QueryOptions, runQuery } from '../src/index.ts'

declare const options: QueryOptions

test('a query yields session records and returns its end', async () => {
  const query = runQuery(options)
  expectTypeOf(query).toEqualTypeOf<Query>()
  expectTypeOf<Query['interrupt']>().toEqualTypeOf<() => void>()
  const step = await query.next()
  expectTypeOf(step).toEqualTypeOf<IteratorResult<SessionRecord, QueryEnd>>()
})

test('the required options are few', () => {
  type Required = {
    [Key in keyof QueryOptions]-?: object extends Pick<QueryOptions, Key> ? never : Key
  }[keyof QueryOptions]
  expectTypeOf<Required>().toEqualTypeOf<
    'model' | 'modelName' | 'prompt' | 'context' | 'authorize' | 'history' | 'controller'
  >()
})
