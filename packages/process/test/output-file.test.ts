import { appendFileSync, truncateSync, writeFileSync } from 'node:fs'
import { openOutputReader, readOutputFile } from '@x/process'
import { expect, test } from 'vitest'
import { openDescriptors, temporaryFolder } from './helpers.ts'

test('a reader returns what was added since the last read', async () => {
  using folder = temporaryFolder()
  const path = folder.file('out')
  writeFileSync(path, 'one')
  await using reader = await openOutputReader(path)
  expect(await reader.read()).toBe('one')
  expect(await reader.read()).toBe('')
  appendFileSync(path, 'two')
  expect(await reader.read()).toBe('two')
})

test('a reader waits for the rest of a character (SH-08)', async () => {
  using folder = temporaryFolder()
  const path = folder.file('out')
  const [first, second] = [Buffer.from('a你').subarray(0, 2), Buffer.from('a你').subarray(2)]
  writeFileSync(path, first)
  await using reader = await openOutputReader(path)
  expect(await reader.read()).toBe('a')
  appendFileSync(path, second)
  expect(await reader.read()).toBe('你')
})

test('a reader gives a long file in bounded pieces without splitting a character', async () => {
  using folder = temporaryFolder()
  const path = folder.file('out')
  writeFileSync(path, '你'.repeat(50_000))
  await using reader = await openOutputReader(path)
  const pieces: string[] = []
  for (let piece = await reader.read(1000); piece !== ''; piece = await reader.read(1000)) pieces.push(piece)
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(340)
  expect(pieces.join('')).toBe('你'.repeat(50_000))
})

test('a reader starts again when the file was cut to nothing', async () => {
  using folder = temporaryFolder()
  const path = folder.file('out')
  writeFileSync(path, 'a long beginning')
  await using reader = await openOutputReader(path)
  await reader.read()
  truncateSync(path)
  appendFileSync(path, 'new')
  expect(await reader.read()).toBe('new')
})

test('a reader can skip what is there', async () => {
  using folder = temporaryFolder()
  const path = folder.file('out')
  writeFileSync(path, 'old')
  await using reader = await openOutputReader(path)
  expect(await reader.skip()).toBe(3)
  appendFileSync(path, 'new')
  expect(await reader.read()).toBe('new')
})

test('a reader closes its file', async () => {
  using folder = temporaryFolder()
  const path = folder.file('out')
  writeFileSync(path, '')
  const before = openDescriptors()
  {
    await using reader = await openOutputReader(path)
    expect(openDescriptors()).toBe(before + 1)
    expect(await reader.read()).toBe('')
  }
  expect(openDescriptors()).toBe(before)
})

test.each([
  ['abcdef', 6, { text: 'abcdef', totalBytes: 6, omittedBytes: 0 }],
  ['abcdef', 4, { text: 'ab\n[... 2 bytes left out ...]\nef', totalBytes: 6, omittedBytes: 2 }],
  ['a你b你c', 5, { text: 'a\n[... 7 bytes left out ...]\nc', totalBytes: 9, omittedBytes: 7 }],
  ['', 10, { text: '', totalBytes: 0, omittedBytes: 0 }],
])('%j read with at most %d bytes', async (text, maxBytes, expected) => {
  using folder = temporaryFolder()
  const path = folder.file('out')
  writeFileSync(path, text)
  expect(await readOutputFile(path, maxBytes)).toEqual(expected)
})

test('a missing file rejects', async () => {
  await expect(readOutputFile('/nowhere/at/all', 10)).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(openOutputReader('/nowhere/at/all')).rejects.toMatchObject({ code: 'ENOENT' })
})
