import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addFacts, isFull, parseFacts } from '../src/notes/facts.ts'
import { createHideSecrets } from '../src/notes/hide-secrets.ts'

const answers = fc
  .array(fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.constant('a fact'), fc.constant('- b')))
  .map((lines) => lines.map((line) => `- ${line}`).join('\n'))

describe('facts', () => {
  it('are one line each, of characters that can be seen', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        for (const fact of parseFacts(answer)) {
          expect(fact).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202E\u{E0041}]/u)
          expect(fact.trim()).not.toBe('')
          expect(fact.length).toBeLessThanOrEqual(300)
        }
      }),
    )
  })

  it('go behind what is there, each once, as long as all of it is loaded', () => {
    const memories = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.integer({ min: 190, max: 201 }).map((lines) => '- old\n'.repeat(lines)),
      fc.integer({ min: 25_000, max: 25_700 }).map((size) => 'x'.repeat(size)),
    )
    fc.assert(
      fc.property(memories, answers, (memory, answer) => {
        const facts = parseFacts(answer)
        const { text, added, refused } = addFacts(memory, facts)
        const all = memory + text
        expect(text === '').toBe(added.length === 0)
        if (added.length > 0) {
          expect(all.trimEnd().split('\n').length).toBeLessThanOrEqual(200)
          expect(Buffer.byteLength(all.trimEnd())).toBeLessThanOrEqual(25 * 1024)
          expect(all.split('\n').slice(-added.length - 1)).toEqual([...added.map((fact) => `- ${fact}`), ''])
        }
        // What was taken is known; what was refused is not half there.
        expect(addFacts(all, facts).added).toEqual([])
        if (isFull(memory)) expect(added).toEqual([])
        expect(added.length + refused.length).toBeLessThanOrEqual(facts.length)
      }),
    )
  })
})

describe('secrets', () => {
  it('of the environment are in no text that was hidden', () => {
    const secrets = fc.array(fc.stringMatching(/^[A-Za-z0-9+/.-]{8,40}$/), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(secrets, fc.array(fc.string()), (values, words) => {
        const env = Object.fromEntries(values.map((value, index) => [`SERVICE_${index}_TOKEN`, value]))
        const hide = createHideSecrets(env)
        const hidden = hide(values.flatMap((value, index) => [value, words[index] ?? '']).join(''))
        for (const value of values) expect(hidden).not.toContain(value)
      }),
    )
  })

  it.each([
    ['an address', 'postgres://me:pa55word@host/db', 'pa55word'],
    ['a header', 'Authorization: Bearer abcdefgh12345', 'abcdefgh12345'],
    ['an assignment', 'db_password = "correct-horse"', 'correct-horse'],
    ['a key file', '-----BEGIN RSA PRIVATE KEY-----\nabcd\n-----END RSA PRIVATE KEY-----', 'abcd'],
    ['a web token', 'eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl', 'c2lnbmF0dXJl'],
  ])('are known by their looks: %s', (_, text, secret) => {
    expect(createHideSecrets({})(text)).not.toContain(secret)
  })

  it('are not the words that people use of them', () => {
    const text = 'The user signs in with a token from the vault; GIT_AUTHOR_NAME is Jo Sample.'
    expect(createHideSecrets({ GIT_AUTHOR_NAME: 'Jo Sample', HOME: '/home/jo-sample' })(text)).toBe(text)
  })
})
