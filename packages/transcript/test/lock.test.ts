import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identifySelf } from '@x/process'
import { isTranscriptError, openTranscript, readTranscript, TranscriptError } from '@x/transcript'
import { describe, expect, test } from 'vitest'
import { user } from './builders.ts'
import { crash, runProgram } from './processes.ts'
import { makeFolder } from './world.ts'

/** Leaves a lock as a killed writer does. */
async function leaveStaleLock(path: string): Promise<void> {
  const started = Promise.withResolvers<void>()
  const child = runProgram('contender', [path], () => started.resolve())
  await started.promise
  crash(child)
  await child.exited
}

async function contend(path: string, count: number): Promise<string[]> {
  const startMs = String(Date.now() + 400)
  const stop = join(path, '..', 'stop')
  const told: string[] = []
  const all = Promise.withResolvers<void>()
  const children = Array.from({ length: count }, () =>
    runProgram('contender', [path, startMs], (line) => {
      if (told.push(line) === count) all.resolve()
    }),
  )
  await all.promise
  writeFileSync(stop, '')
  await Promise.all(children.map(({ exited }) => exited))
  return told
}

describe('one writer', () => {
  test('a second one in this process is refused, and told who has it', async () => {
    const path = join(makeFolder(), 'chat.jsonl')
    await using transcript = await openTranscript(path)
    const error: unknown = await openTranscript(path).catch((error: unknown) => error)
    expect(isTranscriptError(error)).toBe(true)
    expect(error).toMatchObject({ code: 'in-use', pid: process.pid, file: path })
    await transcript.append([user('still mine')])
    expect((await readTranscript(path)).messages).toEqual([user('still mine')])
  })

  test('of many that open at once in this process exactly one has it', async () => {
    const path = join(makeFolder(), 'chat.jsonl')
    for (let round = 0; round < 10; round += 1) {
      const all = await Promise.allSettled(Array.from({ length: 12 }, () => openTranscript(path)))
      const won = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      expect(won).toHaveLength(1)
      expect(
        all.filter((each) => each.status === 'rejected' && each.reason instanceof TranscriptError),
      ).toHaveLength(11)
      await won[0]?.close()
      expect(existsSync(`${path}.lock`)).toBe(false)
    }
  })

  test('one in another process is refused, and told its pid; after its death the lock is taken over', async () => {
    const path = join(makeFolder(), 'chat.jsonl')
    const started = Promise.withResolvers<void>()
    const child = runProgram('contender', [path], () => started.resolve())
    await started.promise
    await expect(openTranscript(path)).rejects.toMatchObject({ code: 'in-use', pid: child.pid })
    crash(child)
    await child.exited
    const transcript = await openTranscript(path)
    await transcript.close()
    expect(readdirSync(join(path, '..'))).toEqual([])
  })

  test('of processes that race for a lock left by a dead one exactly one wins', async () => {
    for (let round = 0; round < 4; round += 1) {
      const path = join(makeFolder(), 'chat.jsonl')
      await leaveStaleLock(path)
      expect(existsSync(`${path}.lock`)).toBe(true)
      const told = await contend(path, 5)
      expect(told.filter((line) => line.startsWith('won '))).toHaveLength(1)
      expect(told.filter((line) => line.startsWith('in-use '))).toHaveLength(4)
      expect(existsSync(`${path}.lock`)).toBe(false)
    }
  })
})

describe('a lock file', () => {
  /** Puts a lock there as somebody else would have. */
  function putLock(path: string, change: (entry: { [key: string]: unknown }) => unknown): void {
    mkdirSync(`${path}.lock`, { recursive: true })
    writeFileSync(join(`${path}.lock`, 'other'), JSON.stringify(change(ownEntry())))
  }

  function ownEntry(): { [key: string]: unknown } {
    return { held: 1, next: '0000000000000042', pid: process.pid, started: 'unknown' }
  }

  const [ticks, boot] = identifySelf().started.split('-')

  test('of a process that lives counts', async () => {
    const path = join(makeFolder(), 'chat.jsonl')
    putLock(path, (entry) => entry)
    await expect(openTranscript(path)).rejects.toMatchObject({ code: 'in-use' })
  })

  test.each<[string, (entry: { [key: string]: unknown }) => unknown]>([
    ['of a process that is gone', (entry) => ({ ...entry, pid: 2 ** 22 + 1 })],
    ['of a process whose number another has now', (entry) => ({ ...entry, started: `1-${boot}` })],
    ['from before the machine was started', (entry) => ({ ...entry, started: `${ticks}-another` })],
  ])('%s is taken over, and its number goes on', async (_name, change) => {
    const path = join(makeFolder(), 'chat.jsonl')
    putLock(path, change)
    await using transcript = await openTranscript(path)
    expect(transcript.nextSequence).toBe(42)
  })

  test.each([
    ['empty', ''],
    ['half', '{"held":1,"next":"00'],
    ['of other fields', '{"held":1}'],
    ['no object', '[]'],
  ])('that is %s belongs to nobody', async (_name, text) => {
    const path = join(makeFolder(), 'chat.jsonl')
    mkdirSync(`${path}.lock`)
    writeFileSync(join(`${path}.lock`, 'x'), text)
    await using transcript = await openTranscript(path)
    expect(transcript.messages).toEqual([])
  })

  test('holds the number of the last event, also of one that passed by', async () => {
    const path = join(makeFolder(), 'chat.jsonl')
    await using transcript = await openTranscript(path)
    transcript.noteSequence(1_234_567)
    const [name = ''] = readdirSync(`${path}.lock`)
    expect(JSON.parse(readFileSync(join(`${path}.lock`, name), 'utf8'))).toMatchObject({
      held: 1,
      next: '0000000001234568',
      pid: process.pid,
    })
  })
})

test('three hundred transcripts opened and closed leave no descriptor', async () => {
  const folder = makeFolder()
  const count = (): number => readdirSync('/dev/fd').length
  const before = count()
  for (let round = 0; round < 300; round += 1) {
    await using transcript = await openTranscript(join(folder, `${round % 7}.jsonl`))
    await transcript.append([user('x')])
    await openTranscript(transcript.path).catch(() => {})
  }
  expect(count()).toBeLessThanOrEqual(before)
})
