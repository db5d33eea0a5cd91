import { reminderText } from '@x/contract'
import { expect, test } from 'vitest'

test('a reminder stands on lines of its own in its frame', () => {
  expect(reminderText('One.\nTwo.')).toBe('<system-reminder>\nOne.\nTwo.\n</system-reminder>')
})
