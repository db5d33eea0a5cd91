import { Buffer } from 'node:buffer'
import { readFile, writeFile } from 'node:fs/promises'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { openSession } from './session.ts'

const JAPANESE = '日本語のテキストです。これは表示の確認のための文章です。\r\nソース能力\r\nconst 値 = 1;\r\n'
const RUSSIAN = 'Это обычный русский текст для проверки кодировки.\nconst значение = 1;\n'

describe.each([
  [
    'UTF-16LE with a mark',
    'utf-16le',
    '\uFEFFconst a = "Ā\u0A0A";\r\nconst b = 1;\r\n',
    'b = 1',
    'b = "中🙂"',
  ],
  ['UTF-16BE with a mark', 'utf-16be', '\uFEFFconst a = "Ā\u0A00";\nconst b = 1;\n', 'b = 1', 'b = "中🙂"'],
  ['UTF-16LE without a mark', 'utf-16le', 'const a = 0;\nconst b = 1;\n', 'b = 1', 'b = 2'],
  ['UTF-16BE without a mark', 'utf-16be', 'const a = 0;\nconst b = 1;\n', 'b = 1', 'b = 2'],
  ['Shift_JIS', 'shift_jis', JAPANESE, '値 = 1;', '値 = "能"\n'],
  ['EUC-JP', 'euc-jp', JAPANESE, '値 = 1', '値 = 2'],
  ['windows-1251', 'windows-1251', RUSSIAN, 'значение = 1', 'значение = "да"'],
  ['KOI8-R', 'koi8-r', RUSSIAN, 'значение = 1', 'значение = "да"'],
])('%s', (...[, encoding, text, old, next]) => {
  test('is shown as text', async () => {
    await using session = await openSession()
    await writeFile(session.path('f'), iconv.encode(text, encoding))
    const { data } = await session.read('f')
    const shown = text.replace('\uFEFF', '').replaceAll('\r\n', '\n').trimEnd()
    expect(data).toMatchObject({ file: { content: shown } })
  })

  test('is edited in its own bytes', async () => {
    await using session = await openSession()
    await writeFile(session.path('f'), iconv.encode(text, encoding))
    await session.read('f')
    await session.edit('f', old, next)
    const expected = text.replace(old, () => (text.includes('\r\n') ? next.replaceAll('\n', '\r\n') : next))
    expect(await readFile(session.path('f'))).toEqual(iconv.encode(expected, encoding))
  })
})

test('what the encoding cannot hold is refused, and the file stays', async () => {
  await using session = await openSession()
  const bytes = iconv.encode(RUSSIAN, 'windows-1251')
  await writeFile(session.path('f'), bytes)
  await session.read('f')
  await expect(session.edit('f', 'const', '中')).rejects.toThrow('cannot hold')
  expect(await readFile(session.path('f'))).toEqual(bytes)
})

test('a UTF-8 text in a file that also has other bytes can be edited as it is shown elsewhere', async () => {
  await using session = await openSession()
  const bytes = (name: string): Buffer => Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([0xe9, 0x0a])])
  await writeFile(session.path('f'), bytes('中文'))
  await session.read('f')
  await session.edit('f', '中文', '文')
  expect(await readFile(session.path('f'))).toEqual(bytes('文'))
})

test('a byte that is no UTF-8 far behind the beginning is shown as what it probably is', async () => {
  await using session = await openSession()
  const ascii = 'plain text\n'.repeat(30_000)
  await writeFile(
    session.path('f'),
    Buffer.concat([Buffer.from(ascii), Buffer.from('caf\xe9 d\xe9j\xe0 vu\n', 'latin1')]),
  )
  const { text } = await session.read({ file_path: 'f', offset: 30_001 })
  expect(text).toBe('30001\tcafé déjà vu')
})

test('a character on the border of two chunks is shown whole', async () => {
  await using session = await openSession({ read: { maxTokens: 200_000 } })
  await writeFile(session.path('f'), `${'x'.repeat(256 * 1024 - 1)}é\n`)
  const { data } = await session.read('f')
  expect(data.type === 'text' && data.file.content.slice(-2)).toBe('xé')
})

test('half a surrogate pair never reaches the model', async () => {
  await using session = await openSession()
  await writeFile(session.path('f'), Buffer.from('\uFEFFa\uD800b\nc\n', 'utf16le'))
  const read = await session.read('f')
  const edit = await session.edit('f', 'c', 'd')
  expect([read.text.isWellFormed(), edit.text.isWellFormed()]).toEqual([true, true])
  expect(await readFile(session.path('f'))).toEqual(Buffer.from('\uFEFFa\uD800b\nd\n', 'utf16le'))
})
