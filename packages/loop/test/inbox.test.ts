import { expect, test } from 'vitest'
import { createInbox } from '../src/inbox.ts'

test('a reader hears of what came between its look and its wait', async () => {
  const inbox = createInbox<number>()
  inbox.put(1)
  expect(inbox.take()).toEqual([1])
  inbox.wake()
  await inbox.changed()
  expect(inbox.take()).toEqual([])
  const waiting = inbox.changed()
  inbox.put(2)
  await waiting
  expect([inbox.hasItems, inbox.take()]).toEqual([true, [2]])
})
