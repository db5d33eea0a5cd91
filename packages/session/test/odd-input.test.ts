import { text } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import type { UserInput } from '../src/index.ts'
import { collect, createTalk, resultsOf, Scripted } from './scripted.ts'
import { refusals } from './wire.ts'

/** Says something odd, then something fine. */
async function sayOdd(content: unknown) {
  await using scripted = await Scripted.start([[text('Fine.')]])
  const talk = createTalk()
  // What comes over a wire may be anything.
  talk.say({ type: 'user', message: { role: 'user', content } } as UserInput)
  talk.say('Well?')
  talk.end()
  const events = await collect(scripted.ask(talk.prompt))
  return { results: resultsOf(events).map(({ result }) => result), refused: refusals(scripted) }
}

describe('a message with nothing in it that could be sent', () => {
  it.each([
    ['no block', []],
    ['a result of a call that nobody made', [{ type: 'tool_result', tool_use_id: 'x', content: 'y' }]],
    ['blanks', [{ type: 'text', text: ' \n' }]],
    ['half a block', [{ type: 'text' }]],
    ['no block at all', [null, 7]],
  ])('is answered as a blank one, without the model: %s', async (_, content) => {
    const { results, refused } = await sayOdd(content)
    expect(results).toEqual([expect.stringContaining('Blank prompt'), 'Fine.'])
    expect(refused).toEqual([])
  })
})

describe('what is no message', () => {
  it.each([null, 'text', {}, { type: 'user' }, { type: 'user', message: { role: 'user' } }])(
    'ends the session with an error that says what one is: %j',
    async (input) => {
      await using scripted = await Scripted.start([])
      const prompt = (async function* () {
        yield await Promise.resolve(input as UserInput)
      })()
      await expect(collect(scripted.ask(prompt))).rejects.toThrow(/prompt must give user messages/)
    },
  )
})

describe('the source of the messages', () => {
  it('may fail when it is told that nobody listens any more', async () => {
    await using scripted = await Scripted.start([[text('Fine.')]])
    const talk = createTalk()
    talk.say('Hello')
    const source: AsyncIterator<UserInput> = talk.prompt[Symbol.asyncIterator]()
    const prompt: AsyncIterable<UserInput> = {
      [Symbol.asyncIterator]: () => ({
        next: () => source.next(),
        return() {
          throw new Error('I will not')
        },
      }),
    }
    const running = scripted.ask(prompt)
    for await (const event of running) if (event.type === 'result') break
    expect(await running.next()).toEqual({ done: true, value: undefined })
  })
})
