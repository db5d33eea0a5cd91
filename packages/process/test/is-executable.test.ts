import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { isExecutable } from '@x/process'
import { expect, test } from 'vitest'
import { temporaryFolder } from './helpers.ts'

test('a file that may be executed is, and so is a link to it', () => {
  using folder = temporaryFolder()
  writeFileSync(folder.file('run'), '', { mode: 0o755 })
  symlinkSync('run', folder.file('link'))
  expect([folder.file('run'), folder.file('link')].map(isExecutable)).toEqual([true, true])
  chmodSync(folder.file('run'), 0o644)
  expect([folder.file('run'), folder.file('link')].map(isExecutable)).toEqual([false, false])
})

test('a folder, what is missing, and what lies below a file are not', () => {
  using folder = temporaryFolder()
  writeFileSync(folder.file('file'), '', { mode: 0o755 })
  mkdirSync(folder.file('folder'), { mode: 0o755 })
  symlinkSync('nowhere', folder.file('link'))
  const paths = ['folder', 'missing', 'file/below', 'link'].map(folder.file)
  expect([...paths, '', '\0'].filter(isExecutable)).toEqual([])
})
