import { chown, link, mkdir, readdir, readFile, rename, stat, symlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openWorld, summaryOf } from './world.ts'

const isPosix = process.platform !== 'win32'
const isRoot = process.getuid?.() === 0

describe('what comes back', () => {
  test.each<[string, Buffer]>([
    ['an empty file (FI-20)', Buffer.alloc(0)],
    ['CRLF (FI-01)', Buffer.from('a\r\nb\r\nc\r\n')],
    ['mixed line endings (FI-02)', Buffer.from('a\r\nb\nc\r\nd')],
    ['a byte-order mark (FI-03)', Buffer.from('\uFEFFhello\n中文\n')],
    ['a Latin-1 byte (FI-04)', Buffer.from('// caf\xE9\n', 'latin1')],
    ['UTF-16', Buffer.from('\uFEFFa\n', 'utf16le')],
    ['zero bytes', Buffer.from([0, 1, 2, 0, 255])],
    ['two megabytes', Buffer.alloc(2_000_000, 'line\n')],
  ])('%s is the same to the byte', async (_, content) => {
    await using world = await openWorld()
    await world.user('f', content)
    await world.checkpoints.begin('m1')
    await world.tool('f', 'changed\n')
    await world.tool('f', 'changed again\n')
    expect(summaryOf(await world.checkpoints.rewind('m1'))).toEqual({
      changed: [`restore ${world.path('f')}`],
    })
    expect((await world.bytes('f')).equals(content)).toBe(true)
  })

  test('a file is what it was at the message, whatever happened in between', async () => {
    await using world = await openWorld()
    await world.user('f', '0')
    for (const name of ['m1', 'm2', 'm3']) {
      await world.checkpoints.begin(name)
      await world.tool('f', name)
      await world.tool('f', `${name} again`)
    }
    await world.checkpoints.rewind('m3')
    expect(await world.text('f')).toBe('m2 again')
    await world.checkpoints.rewind('m1')
    expect(await world.text('f')).toBe('0')
  })

  test('a rewind can be taken back: a later message is still one to go to', async () => {
    await using world = await openWorld()
    await world.user('f', '0')
    await world.checkpoints.begin('m1')
    await world.tool('f', '1')
    await world.checkpoints.begin('m2')
    await world.checkpoints.rewind('m1')
    expect(await world.text('f')).toBe('0')
    await world.checkpoints.rewind('m2')
    expect(await world.text('f')).toBe('1')
  })

  test('a file that was made goes, with the folders made for it; one that somebody uses stays', async () => {
    await using world = await openWorld()
    await world.checkpoints.begin('m1')
    await world.tool('new/deep/f', 'x')
    await world.tool('new/deep/g', 'x')
    await world.tool('used/f', 'x')
    await world.user('used/theirs', 'x')
    const outcome = await world.checkpoints.rewind('m1')
    expect(summaryOf(outcome)).toEqual({
      changed: ['new/deep/f', 'new/deep/g', 'used/f'].map((name) => `remove ${world.path(name)}`),
    })
    expect(await readdir(world.path('.'))).toEqual(['used'])
    expect(await readdir(world.path('used'))).toEqual(['theirs'])
  })

  test('a file that was deleted comes back with its folder and mode, whoever deleted it', async () => {
    await using world = await openWorld()
    await world.user('d/by-tool', 'a\n')
    await world.user('d/by-user', 'b\n')
    await world.setMode('d/by-user', 0o750)
    await world.checkpoints.begin('m1')
    await world.tool('d/by-tool', undefined)
    await world.tool('d/by-user', 'changed\n')
    await rename(world.path('d'), world.path('moved'))
    const outcome = await world.checkpoints.rewind('m1')
    expect(summaryOf(outcome)).toEqual({
      changed: [`create ${world.path('d/by-tool')}`, `create ${world.path('d/by-user')}`],
    })
    expect([await world.text('d/by-tool'), await world.text('d/by-user')]).toEqual(['a\n', 'b\n'])
    if (isPosix) expect(await world.mode('d/by-user')).toBe(0o750)
  })

  test('lines that come and go are counted, one by one and together', async () => {
    await using world = await openWorld()
    await world.user('f', 'a\nb\n')
    await world.user('g', 'a\0')
    await world.checkpoints.begin('m1')
    await world.tool('f', 'a\nc\nd\n')
    await world.tool('g', 'a\n')
    await world.tool('h', 'x\ny\n')
    expect(await world.checkpoints.diff('m1')).toMatchObject({
      type: 'planned',
      changed: [
        { isBinary: false, insertions: 1, deletions: 2 },
        { isBinary: true, insertions: 0, deletions: 0 },
        { isBinary: false, insertions: 0, deletions: 2 },
      ],
      insertions: 1,
      deletions: 4,
    })
    expect([await world.text('f'), await world.text('h')]).toEqual(['a\nc\nd\n', 'x\ny\n'])
  })

  test.runIf(isPosix)('modes stay: that of the file, also where the user has changed it since', async () => {
    await using world = await openWorld()
    for (const [name, mode] of [
      ['script', 0o755],
      ['secret', 0o600],
    ] as const) {
      await world.user(name, 'a')
      await world.setMode(name, mode)
    }
    await world.checkpoints.begin('m1')
    for (const name of ['script', 'secret']) await world.tool(name, 'b')
    await world.setMode('secret', 0o640)
    await world.checkpoints.rewind('m1')
    expect([await world.mode('script'), await world.mode('secret')]).toEqual([0o755, 0o640])
  })

  test.runIf(isRoot)('the owner stays (only root can give files away, so only root can try)', async () => {
    await using world = await openWorld()
    await world.user('f', 'a')
    await chown(world.path('f'), 1234, 4321)
    await world.checkpoints.begin('m1')
    await world.tool('f', 'b')
    await world.checkpoints.rewind('m1')
    expect(await stat(world.path('f'))).toMatchObject({ uid: 1234, gid: 4321 })
  })

  test('a name as long as names can be comes back, and nothing else is left beside it', async () => {
    await using world = await openWorld()
    const path = world.path('n'.repeat(255))
    await world.user(basename(path), 'a')
    await world.checkpoints.begin('m1')
    await world.tool(basename(path), 'b')
    await world.checkpoints.rewind('m1')
    expect([await readdir(world.path('.')), await world.text(basename(path))]).toEqual([
      [basename(path)],
      'a',
    ])
  })
})

describe('what the user or Bash has changed', () => {
  test('example 47: a file that only Bash rewrote stays as it is, and is no matter of a rewind', async () => {
    await using world = await openWorld()
    await world.user('by-bash', 'a\n')
    await world.user('by-edit', 'a\n')
    await world.checkpoints.begin('m1')
    await world.user('by-bash', 'bash\n')
    await world.tool('by-edit', 'b\n')
    expect(summaryOf(await world.checkpoints.rewind('m1'))).toEqual({
      changed: [`restore ${world.path('by-edit')}`],
    })
    expect([await world.text('by-bash'), await world.text('by-edit')]).toEqual(['bash\n', 'a\n'])
  })

  test('example 47: a file that Edit changed and Bash after that is a conflict, and left alone', async () => {
    await using world = await openWorld()
    await world.user('f', 'a\n')
    await world.checkpoints.begin('m1')
    await world.tool('f', 'b\n')
    await world.user('f', 'bash\n')
    expect(summaryOf(await world.checkpoints.rewind('m1'))).toEqual({
      conflicts: [`restore ${world.path('f')}`],
    })
    expect(await world.text('f')).toBe('bash\n')
  })

  test('is a conflict even if a tool has edited the file after that', async () => {
    await using world = await openWorld()
    await world.user('f', 'a\n')
    await world.checkpoints.begin('m1')
    await world.tool('f', 'b\n')
    await world.user('f', 'b\nuser\n')
    await world.tool('f', 'c\nuser\n')
    expect(summaryOf(await world.checkpoints.rewind('m1'))).toEqual({
      conflicts: [`restore ${world.path('f')}`],
    })
    expect(await world.text('f')).toBe('c\nuser\n')
  })

  test('is no conflict for a message after it', async () => {
    await using world = await openWorld()
    await world.checkpoints.begin('m1')
    await world.tool('f', 'b\n')
    await world.user('f', 'user\n')
    await world.checkpoints.begin('m2')
    await world.tool('f', 'c\n')
    await world.checkpoints.rewind('m2')
    expect(await world.text('f')).toBe('user\n')
  })

  test('is a conflict when it is the undoing of what a tool did', async () => {
    await using world = await openWorld()
    for (const [message, content] of [
      ['m1', 'a'],
      ['m2', 'b'],
    ] as const) {
      await world.checkpoints.begin(message)
      await world.tool('f', content)
    }
    await world.user('f', 'a')
    expect(summaryOf(await world.checkpoints.rewind('m2'))).toEqual({})
    expect(summaryOf(await world.checkpoints.rewind('m1'))).toEqual({
      conflicts: [`remove ${world.path('f')}`],
    })
  })

  test('is overwritten when that is asked for, and kept before', async () => {
    await using world = await openWorld()
    await world.user('f', 'a\n')
    await world.checkpoints.begin('m1')
    await world.tool('f', 'b\n')
    await world.user('f', 'user\n')
    const options = { overwriteUserChanges: true }
    const plan = await world.checkpoints.diff('m1', options)
    expect(plan).toMatchObject({ changed: [{ hasUserChanges: true }], conflicts: [] })
    expect(await world.text('f')).toBe('user\n')
    const outcome = await world.checkpoints.rewind('m1', options)
    if (outcome.type === 'unknown-message') throw new Error('the message must be known')
    expect(await world.text('f')).toBe('a\n')
    expect(await readFile(outcome.changed[0]?.keptAs ?? '', 'utf8')).toBe('user\n')
    await world.tool('f', 'c\n')
    expect(summaryOf(await world.checkpoints.rewind('m1'))).toEqual({
      changed: [`restore ${world.path('f')}`],
    })
  })

  test('a change that never came about is nobody’s, and the file no matter of ours', async () => {
    await using world = await openWorld()
    await world.user('f', 'a')
    await world.checkpoints.begin('m1')
    const before = { bytes: await world.bytes('f'), mode: 0o644 }
    await world.checkpoints.fileHistory.beforeChange({
      path: world.path('f'),
      before,
      after: [Buffer.from('b')],
    })
    expect(summaryOf(await world.checkpoints.rewind('m1'))).toEqual({})
    await world.user('f', 'user')
    expect(summaryOf(await world.checkpoints.rewind('m1'))).toEqual({})
    expect(await world.text('f')).toBe('user')
  })

  test('a change whose end nobody heard of is ours all the same', async () => {
    await using world = await openWorld()
    await world.user('f', 'a')
    await world.checkpoints.begin('m1')
    const before = { bytes: await world.bytes('f'), mode: 0o644 }
    await world.checkpoints.fileHistory.beforeChange({
      path: world.path('f'),
      before,
      after: [Buffer.from('b')],
    })
    await world.user('f', 'b')
    expect(summaryOf(await world.reopen().rewind('m1'))).toEqual({ changed: [`restore ${world.path('f')}`] })
  })

  test('a change that began before a message and came about after it belongs to both', async () => {
    await using world = await openWorld()
    await world.user('f', 'a')
    await world.checkpoints.begin('m1')
    const before = { bytes: await world.bytes('f'), mode: 0o644 }
    const change = { path: world.path('f'), before, after: [Buffer.from('b')] }
    const noteWritten = await world.checkpoints.fileHistory.beforeChange(change)
    await world.checkpoints.begin('m2')
    await world.user('f', 'b')
    await noteWritten()
    await world.checkpoints.rewind('m2')
    expect(await world.text('f')).toBe('a')
  })
})

describe('what is skipped with a warning', () => {
  test.runIf(isPosix)('links, soft and hard, and what is no file', async () => {
    await using world = await openWorld()
    const names = ['soft', 'hard', 'folder', 'below/f']
    for (const name of names) await world.user(name, 'a')
    await world.checkpoints.begin('m1')
    for (const name of names) await world.tool(name, 'b')
    await world.user('elsewhere', 'b')
    await world.user('soft', undefined)
    await symlink('elsewhere', world.path('soft'))
    await link(world.path('hard'), world.path('second-name'))
    await world.user('folder', undefined)
    await mkdir(world.path('folder'))
    await rename(world.path('below'), world.path('real'))
    await symlink('real', world.path('below'))

    const outcome = await world.checkpoints.rewind('m1', { overwriteUserChanges: true })
    expect(summaryOf(outcome)).toEqual({
      skipped: [
        `symlink ${world.path('soft')}`,
        `hard-link ${world.path('hard')}`,
        `not-a-file ${world.path('folder')}`,
        `symlink ${world.path('below/f')}`,
      ],
    })
    for (const name of ['soft', 'elsewhere', 'hard', 'second-name', 'real/f'])
      expect([name, await world.text(name)]).toEqual([name, 'b'])
  })

  test('a file outside of the project', async () => {
    await using world = await openWorld()
    const checkpoints = world.reopen({ isInProject: (path) => path === world.path('inside') })
    for (const name of ['inside', 'outside']) await world.user(name, 'a')
    await world.checkpoints.begin('m1')
    for (const name of ['inside', 'outside']) await world.tool(name, 'b')
    expect(summaryOf(await checkpoints.rewind('m1'))).toEqual({
      changed: [`restore ${world.path('inside')}`],
      skipped: [`outside-project ${world.path('outside')}`],
    })
    expect(await world.text('outside')).toBe('b')
  })

  test('a file that was too large to keep', async () => {
    await using world = await openWorld({ maxFileBytes: 10 })
    await world.user('large', '0123456789+')
    await world.user('small', '0123456789')
    await world.checkpoints.begin('m1')
    for (const name of ['large', 'small']) await world.tool(name, 'b')
    expect(summaryOf(await world.checkpoints.rewind('m1'))).toEqual({
      changed: [`restore ${world.path('small')}`],
      skipped: [`not-kept ${world.path('large')}`],
    })
    expect(await world.text('large')).toBe('b')
  })

  test('a file that has become too large for a copy is not overwritten, even if asked', async () => {
    await using world = await openWorld({ maxFileBytes: 10 })
    await world.user('f', 'a')
    await world.checkpoints.begin('m1')
    await world.tool('f', 'b')
    await world.user('f', 'more than ten bytes')
    const outcome = await world.checkpoints.rewind('m1', { overwriteUserChanges: true })
    expect([outcome.type, summaryOf(outcome)]).toEqual(['incomplete', { failed: [world.path('f')] }])
    expect(await world.text('f')).toBe('more than ten bytes')
  })

  test('what a tool has made larger than that comes back all the same', async () => {
    await using world = await openWorld({ maxFileBytes: 10 })
    await world.user('f', 'a')
    await world.checkpoints.begin('m1')
    await world.tool('f', 'more than ten bytes')
    await world.checkpoints.rewind('m1')
    expect(await world.text('f')).toBe('a')
  })

  test.runIf(isPosix)('a file that the user has write-protected since', async () => {
    await using world = await openWorld()
    await world.user('f', 'a')
    await world.checkpoints.begin('m1')
    await world.tool('f', 'b')
    await world.setMode('f', 0o444)
    expect(summaryOf(await world.checkpoints.rewind('m1'))).toEqual({
      skipped: [`write-protected ${world.path('f')}`],
    })
    expect(await world.text('f')).toBe('b')
  })
})
