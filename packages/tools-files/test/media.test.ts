import { Buffer } from 'node:buffer'
import { readFile, writeFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import type { ToolResultPart } from '@x/contract'
import type { ImageBytes } from '@x/tools-files'
import { describe, expect, test } from 'vitest'
import { openSession } from './session.ts'

/** A picture of the given size, all black, with as many bytes as wanted. */
function png(width: number, height: number, bytes = 0): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  const data = deflateSync(Buffer.alloc((width + 1) * height))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const parts = [signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.of())]
  const missing = bytes - Buffer.concat(parts).length - 12
  return Buffer.concat(missing > 0 ? parts.toSpliced(2, 0, chunk('teXt', Buffer.alloc(missing))) : parts)
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

function webp(kind: string, tail: string): Buffer {
  const bytes = Buffer.concat([
    Buffer.from(`RIFF____WEBP${kind}____`),
    Buffer.from(tail.padEnd(40, '0'), 'hex'),
  ])
  bytes.writeUInt32LE(bytes.length - 8, 4)
  return bytes
}

const GIF = Buffer.concat([Buffer.from('GIF89a'), Buffer.from('0a0014000000002c000000003b', 'hex')])
const JPEG = Buffer.from('ffd8ffe00002ffffc0001108001e001401000000000000000000ffda0002aaffd9', 'hex')

describe('images', () => {
  test.each([
    ['png', png(10, 20), 'image/png', 10, 20],
    ['gif', GIF, 'image/gif', 10, 20],
    ['jpeg', JPEG, 'image/jpeg', 20, 30],
    ['webp, lossy', webp('VP8 ', '0000009d012a0a001400'), 'image/webp', 10, 20],
    ['webp, lossless', webp('VP8L', '2f09c00400'), 'image/webp', 10, 20],
    ['webp, extended', webp('VP8X', '00000000090000130000'), 'image/webp', 10, 20],
  ])('%s is recognised by its content, whatever its name', async (...[, bytes, type, width, height]) => {
    await using session = await openSession()
    await writeFile(session.path('picture.txt'), bytes)
    const { data, block } = await session.read('picture.txt')
    const dimensions = { originalWidth: width, originalHeight: height }
    const base64 = bytes.toString('base64')
    expect(data).toEqual({ type: 'image', file: { base64, type, originalSize: bytes.length, dimensions } })
    expect(block.content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: type, data: base64 } },
    ])
  })

  test('text in a .jpeg is text', async () => {
    await using session = await openSession()
    await writeFile(session.path('p.jpeg'), 'hello\n')
    expect((await session.read('p.jpeg')).text).toBe('1\thello')
  })

  test.each([
    ['png', png(10, 20)],
    ['jpeg', JPEG],
    ['gif', GIF],
    ['webp', webp('VP8X', '00000000090000130000')],
  ])('a %s that is cut anywhere is refused, or shown as text, never as an image', async (_, bytes) => {
    await using session = await openSession()
    for (let length = 1; length < bytes.length; length++) {
      await writeFile(session.path(`p${length}`), bytes.subarray(0, length))
      const kind = await session.read(`p${length}`).then(
        ({ data }) => data.type,
        () => 'error',
      )
      expect([length, kind]).not.toEqual([length, 'image'])
    }
  })

  test('a png with a flipped bit is refused', async () => {
    await using session = await openSession()
    const bytes = png(10, 20)
    bytes.writeUInt8((bytes[45] ?? 0) ^ 1, 45)
    await writeFile(session.path('p.png'), bytes)
    await expect(session.read('p.png')).rejects.toThrow('damaged')
  })

  test.each([
    ['too many pixels', png(8001, 10), '8001 x 10 pixels'],
    ['too many bytes', png(10, 10, 4_000_000), 'bytes in base64'],
  ])('with %s it is refused where nothing resizes it', async (_, bytes, expected) => {
    await using session = await openSession()
    await writeFile(session.path('p.png'), bytes)
    await expect(session.read('p.png')).rejects.toThrow(expected)
    await expect(session.read('p.png')).rejects.toThrow('nothing to resize images is set up')
  })

  test('a large one is made smaller where something does', async () => {
    const seen: ImageBytes[] = []
    await using session = await openSession({
      read: {
        shrinkImage: async (image) => {
          seen.push(image)
          return { bytes: Uint8Array.of(1, 2, 3), mediaType: 'image/jpeg' }
        },
      },
    })
    await writeFile(session.path('small.png'), png(10, 10))
    await writeFile(session.path('large.png'), png(10, 10, 2_000_000))
    await writeFile(session.path('wide.png'), png(9000, 10))
    await session.read('small.png')
    const large = await session.read('large.png')
    const wide = await session.read('wide.png')
    expect(seen.map(({ bytes }) => bytes.length)).toEqual([2_000_000, png(9000, 10).length])
    expect(large.data).toMatchObject({
      file: { base64: 'AQID', type: 'image/jpeg', originalSize: 2_000_000 },
    })
    expect(wide.block.content).toHaveLength(1)
  })

  test('one that stays too large after that is refused', async () => {
    await using session = await openSession({ read: { shrinkImage: async (image) => image } })
    await writeFile(session.path('p.png'), png(10, 10, 4_000_000))
    await expect(session.read('p.png')).rejects.toThrow('even after resizing')
  })

  test('one above the limit of the context is not loaded', async () => {
    await using session = await openSession({ context: { limits: { maxFileBytes: 10 } } })
    await writeFile(session.path('p.png'), png(10, 10))
    await expect(session.read('p.png')).rejects.toThrow(`${png(10, 10).length} bytes`)
  })
})

/** Enough of a PDF to have a page tree. */
function pdf(pages: number, isCompressed = false): Buffer {
  const tree = `<</Type/Pages/Kids[]/Count ${pages}>>`
  const stream = deflateSync(`1 0 ${tree}`)
  const packed = [
    Buffer.from('1 0 obj\n<</Type/ObjStm/Filter/FlateDecode>>\nstream\r\n'),
    stream,
    Buffer.from('\nendstream'),
  ]
  const plain = [Buffer.from(`1 0 obj\n${tree}\nendobj\n2 0 obj\n<</Count 99>>\nendobj`)]
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...(isCompressed ? packed : plain),
    Buffer.from('\n%%EOF\n'),
  ])
}

describe('PDF', () => {
  test.each([false, true])('of up to 10 pages is sent whole (compressed tree: %s)', async (isCompressed) => {
    await using session = await openSession()
    const bytes = pdf(10, isCompressed)
    await writeFile(session.path('f.pdf'), bytes)
    const { data, block } = await session.read('f.pdf')
    const base64 = bytes.toString('base64')
    const source = { type: 'base64', media_type: 'application/pdf', data: base64 }
    expect(data).toEqual({
      type: 'pdf',
      file: { filePath: session.path('f.pdf'), base64, originalSize: bytes.length },
    })
    expect(block.content).toEqual([{ type: 'document', source }])
  })

  test.each([
    ['more than 10 pages', pdf(12), undefined, /The PDF has 12 pages.*pages.*pdftotext/],
    ['an unknown number of pages', Buffer.from('%PDF-1.7 %%EOF'), undefined, /cannot be told.*pdftotext/],
    [
      'an encrypted one',
      Buffer.concat([pdf(2), Buffer.from('trailer <</Encrypt 5 0 R>>\n%%EOF')]),
      undefined,
      /cannot be told/,
    ],
    ['a cut one', pdf(2).subarray(0, -8), undefined, /cannot be told/],
    ['25 pages at once', pdf(30), '1-25', /25 pages; at most 20/],
    ['some pages where nothing takes them out', pdf(12), '1-5', /nothing to take them out.*pdftotext/],
    ['a page behind the end', pdf(12), '13', /has 12 pages; pages begins at 13/],
    ['an order that is none', pdf(12), '5-1', /must look like/],
    ['words', pdf(12), 'all', /must look like/],
  ])('refuses %s', async (...[, bytes, pages, expected]) => {
    await using session = await openSession()
    await writeFile(session.path('f.pdf'), bytes)
    await expect(session.read({ file_path: 'f.pdf', ...(pages && { pages }) })).rejects.toThrow(expected)
  })

  test('gives up to 20 pages that are all there are, without taking any out', async () => {
    await using session = await openSession()
    await writeFile(session.path('f.pdf'), pdf(12))
    expect((await session.read({ file_path: 'f.pdf', pages: '1-12' })).data.type).toBe('pdf')
  })

  test('gives the pages asked for where something takes them out', async () => {
    await using session = await openSession({
      read: { extractPdfPages: async (_, { first, last }) => Buffer.from(`${first}-${last}`) },
    })
    await writeFile(session.path('f.pdf'), pdf(30))
    const { data } = await session.read({ file_path: 'f.pdf', pages: '3-5' })
    expect(data).toMatchObject({ file: { base64: Buffer.from('3-5').toString('base64') } })
    await expect(session.read('f.pdf')).rejects.toThrow(/30 pages.*such as "1-5"\.$/)
  })
})

describe('notebooks', () => {
  const PLOT = png(4, 4).toString('base64')
  const notebook = {
    cells: [
      { cell_type: 'markdown', source: ['# Title\n', 'text'] },
      {
        id: 'abc',
        cell_type: 'code',
        source: 'print(1)',
        execution_count: 3,
        outputs: [
          { output_type: 'stream', text: ['1\n'] },
          { output_type: 'display_data', data: { 'image/png': `${PLOT}\n`, 'text/plain': 'figure' } },
          { output_type: 'execute_result', data: { 'text/plain': ['42'] } },
          { output_type: 'error', ename: 'E', evalue: 'bad', traceback: ['\u001b[31mline\u001b[0m'] },
        ],
      },
    ],
    metadata: { language_info: { name: 'julia' } },
    nbformat: 4,
  }

  test('are shown as cells with their outputs', async () => {
    await using session = await openSession()
    await writeFile(session.path('x.ipynb'), JSON.stringify(notebook))
    const { data, block } = await session.read('x.ipynb')
    const parts: ToolResultPart[] = [
      {
        type: 'text',
        text:
          '<cell id="cell-0" type="markdown">\n# Title\ntext\n</cell>\n' +
          '<cell id="abc" type="code, julia">\nprint(1)\n</cell>\n<output>\n1\n\n</output>',
      },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PLOT } },
      { type: 'text', text: '<output>\n42\n</output>\n<output>\nE: bad\nline\n</output>' },
    ]
    expect(block.content).toEqual(parts)
    expect(data.type === 'notebook' && data.file.cells.map(({ id, cellType }) => [id, cellType])).toEqual([
      ['cell-0', 'markdown'],
      ['abc', 'code'],
    ])
  })

  test('count as read', async () => {
    await using session = await openSession()
    await writeFile(session.path('x.ipynb'), JSON.stringify(notebook))
    await session.read('x.ipynb')
    expect((await session.read('x.ipynb')).data.type).toBe('file_unchanged')
    await expect(session.write('x.ipynb', '{}')).resolves.toBeDefined()
  })

  test('name the images that the service might refuse', async () => {
    await using session = await openSession()
    const images = ['aW1n', png(8001, 1).toString('base64'), ...Array(21).fill(PLOT)]
    const outputs = images.map((image) => ({ output_type: 'display_data', data: { 'image/png': image } }))
    const cells = [{ cell_type: 'code', source: '', outputs }]
    await writeFile(session.path('x.ipynb'), JSON.stringify({ cells }))
    const { data } = await session.read('x.ipynb')
    const shown = data.type === 'notebook' ? (data.file.cells[0]?.outputs ?? []) : []
    expect(shown.map((output) => (output.type === 'text' ? output.text : 'shown'))).toEqual([
      '[image: damaged]',
      '[image: too large to show]',
      ...Array(20).fill('shown'),
      '[image: one too many to show]',
    ])
  })

  test('without cells say so', async () => {
    await using session = await openSession()
    await writeFile(session.path('x.ipynb'), '{"cells": []}')
    expect((await session.read('x.ipynb')).block.content).toEqual([
      { type: 'text', text: 'The notebook exists but has no cells.' },
    ])
  })

  test('that are broken are shown as the text they are, and stay', async () => {
    await using session = await openSession()
    await writeFile(session.path('x.ipynb'), '{"cells": [')
    expect((await session.read('x.ipynb')).text).toBe('1\t{"cells": [')
    expect(await readFile(session.path('x.ipynb'), 'utf8')).toBe('{"cells": [')
  })

  test('can be read by lines, and are refused above the token limit', async () => {
    await using session = await openSession({ read: { maxTokens: 5 } })
    await writeFile(session.path('x.ipynb'), JSON.stringify(notebook, null, 1))
    expect((await session.read({ file_path: 'x.ipynb', limit: 1 })).text).toBe('1\t{')
    await expect(session.read('x.ipynb')).rejects.toThrow(/exceeds maximum allowed tokens \(5\)/)
  })
})
