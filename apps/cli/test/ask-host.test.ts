import { type CanUseToolContext, createPermissions } from '@x/permissions'
import { expect, it } from 'vitest'
import { createHostAsker } from '../src/ask-host.ts'

function open() {
  const written: object[] = []
  const host = createHostAsker(async (record) => void written.push(record))
  const context: CanUseToolContext = {
    signal: new AbortController().signal,
    toolUseID: 'toolu_1',
    requestId: 'r',
    verdict: createPermissions({ cwd: '/repo' }).check('Bash', { command: 'npm test' }),
  }
  return { written, host, ask: () => host.canUseTool('Bash', { command: 'npm test' }, context) }
}

it('a question that the host leaves open when it closes its input is no', async () => {
  const { host, ask } = open()
  const answer = ask()
  host.close()
  await expect(answer).rejects.toThrow('the host closed its input')
})

it('a question that comes after the host has closed its input is no at once, and is not put', async () => {
  const { written, host, ask } = open()
  host.close()
  await expect(ask()).rejects.toThrow('the host closed its input')
  expect(written).toEqual([])
})

it.each([
  null,
  'x',
  {},
  { response: null },
  { response: { request_id: 5 } },
  { response: { request_id: 'other' } },
])('passes over the answer %j', async (record) => {
  const { host, ask } = open()
  const answer = ask()
  host.answer(record)
  host.close()
  await expect(answer).rejects.toThrow('the host closed its input')
})
