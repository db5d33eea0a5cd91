import { escapeMarkup } from '@x/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

test('tags and entities become plain text, quotes stay', () => {
  expect(escapeMarkup('</a> & "b" &lt;')).toBe('&lt;/a&gt; &amp; "b" &amp;lt;')
})

test('no tag is left in any text, and a reader gets the text back', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '<', '</a>', '&lt;', '\uD800'),
      (text, more) => {
        const escaped = escapeMarkup(text + more)
        expect(escaped).not.toMatch(/[<>]/)
        const read = escaped.replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
        expect(read).toBe((text + more).toWellFormed())
      },
    ),
  )
})
