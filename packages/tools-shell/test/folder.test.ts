import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createSession, temporaryFolder } from './harness.ts'

/** A project and a folder beside it. */
function project() {
  const folder = temporaryFolder()
  for (const name of ['project', 'beside']) mkdirSync(folder.file(name))
  return {
    dir: folder.file('project'),
    beside: folder.file('beside'),
    [Symbol.dispose]: folder[Symbol.dispose],
  }
}

test('42: the folder carries over to the next command', async () => {
  using at = project()
  const { text } = createSession(at.dir)
  await text('mkdir sub; cd sub')
  expect(await text('pwd')).toBe(`${at.dir}/sub`)
  await text('cd ..')
  expect(await text('pwd')).toBe(at.dir)
})

test('43: outside the working directories it goes back to the project', async () => {
  using at = project()
  const { text } = createSession(at.dir)
  await text('mkdir sub; cd sub')
  expect(await text('cd /; pwd')).toBe(`/\nShell cwd was reset to ${at.dir}`)
  expect(await text('pwd')).toBe(at.dir)
})

test('44: a subagent’s folder never moves', async () => {
  using at = project()
  const { call, text } = createSession(at.dir, { agent: { id: 'a1', type: 'helper' } })
  const result = await call({ command: 'mkdir sub; cd sub' })
  expect(result.contextModifier).toBeUndefined()
  expect(result.text).toBe('(no output)')
  expect(await text('pwd')).toBe(at.dir)
})

test('additional directories are working directories, a neighbour with the same beginning is not', async () => {
  using at = project()
  mkdirSync(`${at.dir}-not`)
  const { text, cwd } = createSession(at.dir, { additionalDirectories: [at.beside] })
  await text(`mkdir ${at.beside}/a; cd ${at.beside}/a`)
  expect(cwd()).toBe(`${at.beside}/a`)
  expect(await text(`cd ${at.dir}-not`)).toBe(`Shell cwd was reset to ${at.dir}`)
  rmSync(`${at.dir}-not`, { recursive: true })
})

test('a link that leads out of the working directories leads out', async () => {
  using at = project()
  symlinkSync(at.beside, `${at.dir}/link`)
  const { text } = createSession(at.dir)
  expect(await text('cd link')).toBe(`Shell cwd was reset to ${at.dir}`)
})

test('a project reached through a link keeps its name', async () => {
  using at = project()
  symlinkSync(at.dir, `${at.beside}/link`)
  const { text, cwd } = createSession(`${at.beside}/link`)
  await text('true')
  expect(cwd()).toBe(`${at.beside}/link`)
  await text('mkdir s; cd s')
  expect(cwd()).toBe(`${at.dir}/s`)
  await text('cd ..')
  expect(await text('pwd -P')).toBe(at.dir)
})

test('maintainsProjectDirectory: always back', async () => {
  using at = project()
  const { text } = createSession(at.dir, { maintainsProjectDirectory: true })
  expect(await text('mkdir sub; cd sub')).toBe(`Shell cwd was reset to ${at.dir}`)
  expect(await text('pwd')).toBe(at.dir)
})

test('SH-12: a folder that vanished is told, and commands go on in the project', async () => {
  using at = project()
  const { text, call, cwd } = createSession(at.dir)
  await text('mkdir -p w/a && cd w/a')
  expect(await text(`rm -rf ${at.dir}/w`)).toBe(
    `The working directory ${at.dir}/w/a no longer exists. Shell cwd was reset to ${at.dir}`,
  )
  expect(await call({ command: 'echo hi' })).toMatchObject({ text: 'hi', data: { exitCode: 0 } })
  expect(await text('cd / && pwd')).toBe(`/\nShell cwd was reset to ${at.dir}`)
  expect(cwd()).toBe(at.dir)
})

test('SH-12: a folder that vanished between two commands is told by the second', async () => {
  using at = project()
  const { call, cwd } = createSession(at.dir)
  await call({ command: 'mkdir -p w/a && cd w/a' })
  rmSync(`${at.dir}/w`, { recursive: true })
  expect(await call({ command: 'echo hi' })).toMatchObject({
    text: `hi\nThe working directory ${at.dir}/w/a no longer exists. Shell cwd was reset to ${at.dir}`,
    data: { exitCode: 0 },
  })
  expect(cwd()).toBe(at.dir)
})

test('SH-12: there is no state in which no command can run, not even without a project', async () => {
  using at = project()
  const { text } = createSession(at.dir, { outputFolder: `${at.beside}/out` })
  rmSync(at.dir, { recursive: true })
  expect(await text('cd / && echo hi')).toMatch(/^hi\nThe working directory .* no longer exists/)
})

test('SH-13: blanks, quotes, dollars and line feeds in a folder’s name', async () => {
  using at = project()
  const { text } = createSession(at.dir)
  const name = "od d/it's $HOME\nx\n"
  await text(`mkdir -p $'od d/it\\'s $HOME\\nx\\n' && cd $'od d/it\\'s $HOME\\nx\\n'`)
  const expected = execFileSync('od', ['-c'], { input: `${at.dir}/${name}\n`, encoding: 'utf8' })
  expect(await text('pwd | od -c')).toBe(expected.trimEnd())
})

test.each([
  ['exit', 'cd sub; exit 0', 'sub'],
  ['a failing exit', 'cd sub; exit 3', 'sub'],
  ['a trap of its own', 'trap "echo bye; false" EXIT; cd sub; true', 'sub'],
  ['set -e', 'set -e; cd sub; false; cd ..', 'sub'],
  ['set -u', 'set -u; cd sub; echo "$NOTHING"', 'sub'],
  ['a failing command', 'cd sub; false', 'sub'],
  ['set -x', 'set -x; cd sub', 'sub'],
  ['set -C', 'set -C; cd sub', 'sub'],
  ['closed streams', 'cd sub; exec >&- 2>&-', 'sub'],
  ['a subshell', '(cd sub)', '.'],
  ['a syntax error behind it', 'cd sub\nif', 'sub'],
  ['another program in its place', 'cd sub; exec true', '.'],
  ['the death of the shell', 'cd sub; kill -9 $$', '.'],
  ['TERM', 'cd sub; kill $$', 'sub'],
])('the folder is known after %s', async (_what, command, expected) => {
  using at = project()
  mkdirSync(`${at.dir}/sub`)
  const { call, cwd } = createSession(at.dir)
  const { data } = await call({ command })
  expect(cwd()).toBe(expected === '.' ? at.dir : `${at.dir}/${expected}`)
  expect(data.stdout).not.toContain('pwd')
})

test('a relative folder for output does not follow the commands', async () => {
  using folder = temporaryFolder()
  const before = process.cwd()
  process.chdir(folder.path)
  try {
    const { text, cwd } = createSession(folder.path, { outputFolder: 'out' })
    expect(await text('mkdir sub; cd sub')).toBe('(no output)')
    expect(cwd()).toBe(folder.file('sub'))
    expect(await text('echo hi')).toBe('hi')
  } finally {
    process.chdir(before)
  }
})
