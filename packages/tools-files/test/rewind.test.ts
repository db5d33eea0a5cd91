import { Buffer } from 'node:buffer'
import { chmod, lstat, mkdtempDisposable, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Checkpoints, createCheckpoints } from '@x/checkpoint'
import { expect, test } from 'vitest'
import { openSession, type Session } from './session.ts'

/** The tools together with the checkpoints that a session gives them. */
async function openRewindable(): Promise<{
  readonly session: Session
  readonly checkpoints: Checkpoints
  [Symbol.asyncDispose](): Promise<void>
}> {
  const state = await mkdtempDisposable(join(tmpdir(), 'tools-files-state-'))
  const checkpoints = createCheckpoints({ folder: join(state.path, 'history') })
  const session = await openSession({ context: { fileHistory: checkpoints.fileHistory } })
  const dispose = async (): Promise<void> => {
    await session[Symbol.asyncDispose]()
    await state.remove()
  }
  return { session, checkpoints, [Symbol.asyncDispose]: dispose }
}

test.each<[string, Buffer]>([
  ['CRLF', Buffer.from('a = 1\r\nb\r\n')],
  ['a byte-order mark', Buffer.from('\uFEFFa = 1\n中文\n')],
  ['a Latin-1 byte', Buffer.from('// caf\xE9\na = 1\n', 'latin1')],
  ['UTF-16', Buffer.from('\uFEFFa = 1\r\n', 'utf16le')],
])('what Edit and Write did to a file with %s can be rewound to the byte', async (_, content) => {
  await using world = await openRewindable()
  const { session, checkpoints } = world
  await writeFile(session.path('f'), content)
  await checkpoints.begin('m1')
  await session.read('f')
  await session.edit('f', 'a = 1', 'a = 2')
  await checkpoints.begin('m2')
  await session.write('f', 'all new\n')
  const edited = content.toString('latin1').replace('1', '2')

  await checkpoints.rewind('m2')
  expect((await readFile(session.path('f'))).toString('latin1')).toBe(edited)
  expect(await checkpoints.rewind('m1')).toMatchObject({ type: 'rewound', conflicts: [], skipped: [] })
  expect((await readFile(session.path('f'))).equals(content)).toBe(true)
})

test('what NotebookEdit did to a notebook can be rewound to the byte', async () => {
  await using world = await openRewindable()
  const { session, checkpoints } = world
  const content =
    '{"cells":[ {"cell_type":"code","source":"1","outputs":[],"execution_count":7} ],"nbformat":4}'
  await writeFile(session.path('x.ipynb'), content)
  await session.read('x.ipynb')
  await checkpoints.begin('m1')
  await session.editCell('x.ipynb', '2', { cell_id: 'cell-0' })
  const edited = await readFile(session.path('x.ipynb'), 'utf8')
  await checkpoints.begin('m2')
  await session.editCell('x.ipynb', '', { cell_id: 'cell-0', edit_mode: 'delete' })

  await checkpoints.rewind('m2')
  expect(await readFile(session.path('x.ipynb'), 'utf8')).toBe(edited)
  expect(await checkpoints.rewind('m1')).toMatchObject({ type: 'rewound', conflicts: [], skipped: [] })
  expect(await readFile(session.path('x.ipynb'), 'utf8')).toBe(content)
})

test('a file that Write made goes, with its folders', async () => {
  await using world = await openRewindable()
  const { session, checkpoints } = world
  await checkpoints.begin('m1')
  await session.write('new/deep/f', 'x')
  await checkpoints.rewind('m1')
  await expect(stat(session.path('new'))).rejects.toThrow('ENOENT')
})

test('two edits at the same moment are one way back, without a conflict', async () => {
  await using world = await openRewindable()
  const { session, checkpoints } = world
  await writeFile(session.path('f'), 'a\nb\n')
  await checkpoints.begin('m1')
  await session.read('f')
  await Promise.all([session.edit('f', 'a', 'A'), session.edit('f', 'b', 'B')])
  expect(await readFile(session.path('f'), 'utf8')).toBe('A\nB\n')
  expect(await checkpoints.rewind('m1')).toMatchObject({ type: 'rewound', conflicts: [] })
  expect(await readFile(session.path('f'), 'utf8')).toBe('a\nb\n')
})

test('what was edited through a link comes back behind it, with its mode, and the link stays', async () => {
  await using world = await openRewindable()
  const { session, checkpoints } = world
  await writeFile(session.path('real'), 'a\n')
  await chmod(session.path('real'), 0o755)
  await symlink('real', session.path('link'))
  await checkpoints.begin('m1')
  await session.read('link')
  await session.edit('link', 'a', 'b')
  await checkpoints.rewind('m1')
  expect(await readFile(session.path('real'), 'utf8')).toBe('a\n')
  expect((await lstat(session.path('link'))).isSymbolicLink()).toBe(true)
  if (process.platform !== 'win32') expect((await stat(session.path('real'))).mode & 0o777).toBe(0o755)
})

test('what the user changed after an edit is left alone, and so is what came of both', async () => {
  await using world = await openRewindable()
  const { session, checkpoints } = world
  await writeFile(session.path('f'), 'a\nz\n')
  await checkpoints.begin('m1')
  await session.read('f')
  await session.edit('f', 'a', 'b')
  await writeFile(session.path('f'), 'b\nuser\nz\n')
  await session.edit('f', 'z', 'y')
  expect(await checkpoints.rewind('m1')).toMatchObject({
    changed: [],
    conflicts: [{ path: session.path('f') }],
  })
  expect(await readFile(session.path('f'), 'utf8')).toBe('b\nuser\ny\n')
})
