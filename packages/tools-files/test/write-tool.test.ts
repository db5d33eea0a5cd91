import { Buffer } from 'node:buffer'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { allow, openSession } from './session.ts'

test('makes a new file, and the folders above it', async () => {
  await using session = await openSession()
  const { data, text } = await session.write('a/b/f', '“x” /["\'(]+/\n')
  const filePath = session.path('a/b/f')
  expect(text).toBe(`The file ${filePath} has been created.`)
  expect(data).toEqual({
    type: 'create',
    filePath,
    content: '“x” /["\'(]+/\n',
    structuredPatch: [],
    originalFile: null,
  })
  expect(await readFile(filePath, 'utf8')).toBe('“x” /["\'(]+/\n')
})

test('replaces a file that was read', async () => {
  await using session = await openSession()
  await writeFile(session.path('f'), 'a\nb\n')
  await session.read('f')
  const { data, text } = await session.write('f', 'a\nc\n')
  expect(text).toBe(`The file ${session.path('f')} has been updated.`)
  expect(data).toMatchObject({
    type: 'update',
    originalFile: 'a\nb\n',
    structuredPatch: [{ lines: [' a', '-b', '+c'] }],
  })
})

test('refuses a file that was not read, or not whole', async () => {
  await using session = await openSession()
  await writeFile(session.path('f'), 'a\nb\n')
  await expect(session.write('f', 'x')).rejects.toThrow('File has not been read yet.')
  await session.read({ file_path: 'f', limit: 1 })
  await expect(session.write('f', 'x')).rejects.toThrow('File has not been read yet.')
})

test('refuses an unread notebook for every model', async () => {
  await using session = await openSession({
    context: { flags: { allowsUnreadEdits: true } },
    canUseTool: allow,
  })
  await writeFile(session.path('f.ipynb'), '{}')
  await expect(session.write('f.ipynb', 'x')).rejects.toThrow('File has not been read yet.')
})

test('refuses a file that changed since it was read, and leaves that change', async () => {
  await using session = await openSession()
  await writeFile(session.path('f'), 'a\n')
  await session.read('f')
  await writeFile(session.path('f'), 'a\nb\n')
  await expect(session.write('f', 'a\nc\n')).rejects.toThrow('File has been modified since read')
  expect(await readFile(session.path('f'), 'utf8')).toBe('a\nb\n')
})

test.each([
  ['CRLF', 'a\r\nb\r\n', 'c\nd\n', 'c\r\nd\r\n'],
  ['LF', 'a\nb\n', 'c\nd\n', 'c\nd\n'],
  ['mostly LF', 'a\r\nb\nc\n', 'd\ne\n', 'd\ne\n'],
  ['a byte-order mark', '\uFEFFa\n', 'b\n', '\uFEFFb\n'],
  ['a byte-order mark that is sent again', '\uFEFFa\n', '\uFEFFb\n', '\uFEFFb\n'],
  ['nothing', '', 'a\nb', 'a\nb'],
  ['content that becomes nothing', 'a\n', '', ''],
])('keeps %s', async (...[, before, content, after]) => {
  await using session = await openSession()
  await writeFile(session.path('f'), before)
  await session.read('f')
  await session.write('f', content)
  expect(await readFile(session.path('f'), 'utf8')).toBe(after)
})

test('keeps the encoding, and refuses what it cannot hold', async () => {
  await using session = await openSession()
  const before = Buffer.from('caf\xe9 cr\xe8me br\xfbl\xe9e d\xe9j\xe0 vu\n', 'latin1')
  await writeFile(session.path('f'), before)
  await session.read('f')
  await expect(session.write('f', '中')).rejects.toThrow('cannot hold')
  await session.write('f', 'th\xe9')
  expect(await readFile(session.path('f'))).toEqual(Buffer.from('th\xe9', 'latin1'))
})

test('refuses half a surrogate pair', async () => {
  await using session = await openSession()
  await expect(session.write('f', 'a\uD800')).rejects.toThrow('cannot hold')
  await expect(stat(session.path('f'))).rejects.toThrow('ENOENT')
})

test('refuses a path below a file', async () => {
  await using session = await openSession()
  await writeFile(session.path('f'), '')
  await expect(session.write('f/g', 'x')).rejects.toThrow('not a folder')
})

test('a written file is not "unchanged" for Read: it was never shown', async () => {
  await using session = await openSession()
  await session.write('f', 'a\n')
  expect((await session.read('f')).text).toBe('1\ta')
})

test.runIf(process.platform === 'linux')(
  'a folder that cannot be made is an error, not an endless try',
  async () => {
    await using session = await openSession()
    await expect(session.write('/proc/no-such-thing/deep/f', 'x')).rejects.toThrow(/ENOENT|Permission denied/)
  },
)

test('missing folders are made, and a file among them is an error', async () => {
  await using session = await openSession()
  await session.write('f', 'x')
  await expect(session.write('f/deep/g', 'x')).rejects.toThrow(/not a folder/)
  await session.write('deep/er/g', 'x')
  await session.write('deep/er/h', 'x')
})
