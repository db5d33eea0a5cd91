import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SamplingView } from '@x/loop'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AskText } from '../src/hooks/ask-model.ts'
import { createHideSecrets } from '../src/notes/hide-secrets.ts'
import { createMemoryExtraction } from '../src/notes/memory-extraction.ts'
import { createSessionNotes } from '../src/notes/session-notes.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'x-notes-'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

/** An answer that never comes, of a model that hears no signal. */
const deaf: AskText = () => new Promise(() => {})
const hideSecrets = (text: string): string => text

function view(signal: AbortSignal): SamplingView {
  return { messages: [{ role: 'user', content: 'Use tabs.' }], signal }
}

function callbacks(ask: AskText) {
  const file = join(folder, 'notes.md')
  const remember = createMemoryExtraction({ ask, folder: () => folder, hideSecrets })
  return {
    notes: createSessionNotes({ ask, file: () => file, hideSecrets, everyTokens: 1 }),
    memories: (seen: SamplingView) => remember({ ...seen, lastText: '', isActive: false }),
  }
}

describe.each(['notes', 'memories'] as const)('%s', (kind) => {
  it('are not waited for longer than 30 s, and leave no timer', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const ask: AskText = (question) => {
      resolve()
      return deaf(question)
    }
    const waiting = Promise.resolve(callbacks(ask)[kind](view(new AbortController().signal)))
    const ended = expect(waiting).rejects.toThrow(
      /^(No notes on the session|Nothing was remembered): Timed out after 30000 ms/,
    )
    await asked
    vi.advanceTimersByTime(30_000)
    await ended
    expect(vi.getTimerCount()).toBe(0)
  })

  it('end with the reason of an abort, and write nothing that comes after it', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const { promise: answer, resolve } = Promise.withResolvers<string>()
    const ask: AskText = () => {
      controller.abort(reason)
      return answer
    }
    const waiting = Promise.resolve(callbacks(ask)[kind](view(controller.signal)))
    await expect(waiting).rejects.toBe(reason)
    resolve('- The user wants tabs')
    await answer
    expect([existsSync(join(folder, 'notes.md')), existsSync(join(folder, 'MEMORY.md'))]).toEqual([
      false,
      false,
    ])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('notes', () => {
  it('are not asked for every turn after a failure, nor of what was heard', async () => {
    const asked: string[] = []
    const ask: AskText = async ({ prompt }) => {
      asked.push(prompt)
      if (asked.length === 1) throw new Error('away')
      return 'NOTES'
    }
    const notes = createSessionNotes({
      ask,
      file: () => join(folder, 'notes.md'),
      hideSecrets,
      everyTokens: 10,
    })
    const { signal } = new AbortController()
    const said = (text: string) => ({ role: 'user' as const, content: text })
    const messages = [said(`first ${'a'.repeat(40)}`)]
    await expect(notes({ messages, signal })).rejects.toThrow('No notes on the session: away')
    await notes({ messages, signal })
    expect(asked).toHaveLength(1)
    messages.push(said(`second ${'b'.repeat(40)}`))
    await notes({ messages, signal })
    expect(asked[1]).toMatch(/first[\s\S]*second/)
    messages.push(said(`third ${'c'.repeat(40)}`))
    await notes({ messages, signal })
    expect(asked[2]).toMatch(/NOTES[\s\S]*third/)
    expect(asked[2]).not.toContain('second')
  })

  it('are made of the end of what was said, however long that is', async () => {
    const asked: string[] = []
    const ask: AskText = async ({ prompt }) => {
      asked.push(prompt)
      return 'n'.repeat(100_000)
    }
    const notes = createSessionNotes({ ask, file: () => join(folder, 'notes.md'), hideSecrets })
    const { signal } = new AbortController()
    const messages = Array.from({ length: 100 }, (_, index) => ({
      role: 'user' as const,
      content: `${index} ${'x'.repeat(3_000)}`,
    }))
    await notes({ messages, signal })
    expect(asked[0]?.length).toBeLessThan(42_000)
    expect(asked[0]).toContain('User: 99 ')
    await notes({ messages: [...messages, ...messages.map((one) => ({ ...one }))], signal })
    expect(asked[1]?.length).toBeLessThan(50_000)
  })
})

it('a secret that a long text is cut in is hidden like any other', async () => {
  const secret = 'Zq7-'.repeat(10)
  const asked: string[] = []
  const ask: AskText = async ({ prompt }) => {
    asked.push(prompt)
    return 'NONE'
  }
  const hide = createHideSecrets({ DEPLOY_TOKEN: secret })
  const remember = createMemoryExtraction({ ask, folder: () => folder, hideSecrets: hide })
  for (let before = 1_950; before <= 2_000; before += 1) {
    const content = `${'w '.repeat(before / 2)}${' '.repeat(before % 2)}${secret} and so on`
    const { signal } = new AbortController()
    await remember({ messages: [{ role: 'user', content }], signal, lastText: '', isActive: false })
  }
  expect(asked).toHaveLength(51)
  expect(asked.filter((prompt) => prompt.includes('Zq7'))).toEqual([])
})
