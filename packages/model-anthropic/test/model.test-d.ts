import type { Model } from '@x/contract'
import {
  type AnthropicModelOptions,
  createAnthropicModel,
  readAnthropicEnvironment,
} from '@x/model-anthropic'
import { type Reply, status, text, toolUse } from '@x/model-anthropic/testing'
import { expectTypeOf, test } from 'vitest'

test('the environment’s options are the model’s', () => {
  expectTypeOf(readAnthropicEnvironment(process.env)).toEqualTypeOf<AnthropicModelOptions>()
  expectTypeOf(createAnthropicModel).returns.toEqualTypeOf<Model>()
})

test('an undefined option and a wrong level do not compile', () => {
  // @ts-expect-error exact optional properties
  createAnthropicModel({ apiKey: undefined })
  // @ts-expect-error not a level
  createAnthropicModel({ effort: 'extreme' })
})

test('a reply is a step, a list of steps or a status', () => {
  expectTypeOf(text('x')).toExtend<Reply>()
  expectTypeOf([text('x'), toolUse('Read')]).toExtend<Reply>()
  expectTypeOf(status(529)).toExtend<Reply>()
})
