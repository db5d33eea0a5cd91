import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { nodeBashOperations } from '@x/tools-shell'
import { expect, test, vi } from 'vitest'
import { createSession, temporaryFolder } from './harness.ts'

/** What stands between the tags. */
const PATH_IN_TEXT = /All of it is in: (.+)|all of it is in (\S+)/

function pathIn(text: string): string {
  const [, one, other] = PATH_IN_TEXT.exec(text) ?? []
  return one ?? other ?? 'none'
}

test('57: both streams in the order written, stderr holds only notices', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  const { data } = await call({ command: 'echo a; echo b >&2; echo c' })
  expect(data).toEqual({ stdout: 'a\nb\nc\n', stderr: '', interrupted: false, exitCode: 0 })
})

test('a command without output says so', async () => {
  using folder = temporaryFolder()
  expect(await createSession(folder.path).text('true')).toBe('(no output)')
})

test('SH-08: characters are whole wherever the output was cut', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path, { maxOutputLength: 150_000 })
  writeFileSync(folder.file('x'), '你'.repeat(50_000))
  const { data } = await call({ command: 'cat x' })
  expect(data.stdout).toBe('你'.repeat(50_000))
  expect(readFileSync(data.persistedOutputPath ?? '', 'utf8')).toBe('你'.repeat(50_000))
  const slow = await call({
    command: `printf '\\344\\275'; sleep 0.1; printf '\\240\\n'; printf '\\344' >&2; printf '\\275\\240' >&2`,
  })
  expect(slow.data.stdout).toBe('你\n你')
})

test('SH-09: bytes that are no text are replaced', async () => {
  using folder = temporaryFolder()
  const { text } = createSession(folder.path)
  const result = await text(
    String.raw`printf 'a\377\376\000b\n'; printf '\355\240\200\n'; printf '\360\237\230'`,
  )
  expect(result.isWellFormed()).toBe(true)
  expect(result).toMatch(/^a\uFFFD{3}b\n\uFFFD+\n\uFFFD+$/)
  expect(await text('echo next')).toBe('next')
})

test('SH-10: memory does not grow with the output', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  const before = process.memoryUsage().rss
  const { data, text } = await call({ command: 'yes 0123456789 | head -c 100000000' })
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20)
  expect(data.persistedOutputSize).toBe(100_000_000)
  expect(text.length).toBeLessThan(3000)
})

test('SH-11: of a long failure both ends are shown, the gap is told, the whole is in a file', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  const result = await call({
    command: 'for i in $(seq 1 100000); do echo line-$i; done; touch finished; exit 7',
  })
  expect(result).toMatchObject({ isError: true, data: { exitCode: 7 } })
  expect(existsSync(folder.file('finished'))).toBe(true)
  expect(result.text).toMatch(/^Exit code 7\nline-1\nline-2\n/)
  expect(result.text).toMatch(/\nline-99999\nline-100000$/)
  expect(result.text).toMatch(
    /\n\[\.\.\. about \d+ of 1088895 bytes left out here; all of it is in .+ \.\.\.\]\n/,
  )
  expect(result.text.length).toBeLessThan(11_000)
  expect(readFileSync(pathIn(result.text), 'utf8').trimEnd().split('\n')).toHaveLength(100_000)
})

test('54: a long valid output is a file and a preview', async () => {
  using folder = temporaryFolder()
  const { call, tool } = createSession(folder.path)
  const result = await call({ command: 'seq 1 11000 | head -c 50000' })
  expect(result.isError).toBeUndefined()
  expect(result.data).toMatchObject({ exitCode: 0, persistedOutputSize: 50_000 })
  expect(result.text).toMatch(
    /^<persisted-output>\n.*50000 bytes.*\n\nThe first 2000 characters:\n1\n2\n[^]*\n<\/persisted-output>$/,
  )
  expect(result.text.length).toBeLessThan(tool.maxResultSizeChars ?? 0)
  expect(statSync(pathIn(result.text)).size).toBe(50_000)
  expect(statSync(pathIn(result.text)).mode & 0o777).toBe(0o600)
})

test('55: a long failure is about 10,000 characters of head and tail, and no preview', async () => {
  using folder = temporaryFolder()
  const { text } = createSession(folder.path)
  const result = await text('seq 1 11000 | head -c 50000; exit 2')
  expect(result).toMatch(/^Exit code 2\n1\n2\n/)
  expect(result.length).toBeGreaterThan(9000)
  expect(result.length).toBeLessThan(11_000)
  expect(result).not.toContain('<persisted-output>')
})

test('56: a larger limit only changes what is read back', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path, { maxOutputLength: 150_000 })
  const { data, text } = await call({ command: 'yes 123456789 | head -c 50000' })
  expect(text).toMatch(/^<persisted-output>/)
  expect(data.stdout).toHaveLength(50_000)
})

test('a smaller limit makes the preview begin earlier', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path, { maxOutputLength: 100 })
  const { data, text } = await call({ command: 'seq 1 1000' })
  expect(data.stdout.length).toBeLessThanOrEqual(100)
  expect(text).toMatch(/^<persisted-output>/)
})

test('about 28,000 characters come inline, whole', async () => {
  using folder = temporaryFolder()
  const result = await createSession(folder.path).text('yes 123456789 | head -c 28000')
  expect(result).toBe('123456789\n'.repeat(2800).trimEnd())
})

test('SH-24: of a redrawn line the last state stays', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  const { data, text } = await call({
    command: `node -e 'for(let i=0;i<5000;i++)process.stdout.write("\\x1b[2K\\rPROGRESS "+i);process.stdout.write("\\nDONE\\n")'`,
  })
  expect(text).toBe('PROGRESS 4999\nDONE')
  expect(data.persistedOutputPath).toBeUndefined()
})

/** A whole picture of one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('an image’s data URL becomes an image', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  writeFileSync(folder.file('i'), Buffer.from(PNG, 'base64'))
  const { data, text } = await call({ command: 'printf "data:image/png;base64,"; base64 -w 20 i' })
  expect(data.isImage).toBe(true)
  const source = { type: 'base64', media_type: 'image/png', data: PNG }
  expect(JSON.parse(text)).toEqual([{ type: 'image', source }])
})

test.each([
  ['no base64', 'no!'],
  ['no picture', Buffer.from('hello').toString('base64')],
  ['half a picture', PNG.slice(0, 60)],
  ['too large a picture', 'A'.repeat(6_000_000)],
])(
  '%s stays text: a picture that the service refuses would spoil every later request',
  async (_kind, data) => {
    using folder = temporaryFolder()
    writeFileSync(folder.file('i'), `data:image/png;base64,${data}`)
    const { data: result, text } = await createSession(folder.path).call({ command: 'cat i' })
    expect(result.isImage).toBeUndefined()
    expect(text).toContain('data:image/png;base64,')
  },
)

test('what only begins like an image is told apart before the test runs out of time', async () => {
  using folder = temporaryFolder()
  writeFileSync(folder.file('i'), `data:image/png;base64,A${' '.repeat(200_000)}!`)
  await createSession(folder.path).call({ command: 'cat i' })
})

test('no file is left that nobody needs, and the folder is the owner’s only', async () => {
  using folder = temporaryFolder()
  const { text } = createSession(folder.path)
  await text('echo a; cd /')
  await text('echo a; exit 1')
  await text(`: ${'x'.repeat(200_000)}`)
  expect(readdirSync(folder.file('.out'))).toEqual([])
  expect(statSync(folder.file('.out')).mode & 0o777).toBe(0o700)
})

test('progress shows the last lines of a running command, a few times a second at most', async () => {
  using folder = temporaryFolder()
  const { text, progress } = createSession(folder.path, { progressIntervalMs: 20 })
  const wait = (name: string): string => `until [ -e ${name} ]; do sleep 0.01; done`
  const running = text(
    `printf 'line %s\\n' 1 2 3 4 5 6 7; ${wait('seen')}; printf '10%%\\r20%%'; ${wait('read')}; echo`,
  )
  await expect.poll(() => progress.length).toBeGreaterThan(0)
  writeFileSync(folder.file('seen'), '')
  await expect.poll(() => progress.at(-1)?.output).toMatch(/20%$/)
  writeFileSync(folder.file('read'), '')
  await running
  // Bytes that change nothing on the screen may be reported too.
  expect([...new Set(progress.map(({ output }) => output))]).toEqual([
    'line 3\nline 4\nline 5\nline 6\nline 7',
    'line 4\nline 5\nline 6\nline 7\n20%',
  ])
  expect(progress[0]).toMatchObject({ totalBytes: 49, elapsedMs: expect.any(Number) })
})

test('without an output folder there is a new temporary one, for its owner only', async () => {
  using folder = temporaryFolder()
  vi.stubEnv('TMPDIR', folder.path)
  const { call } = createSession(folder.path, { outputFolder: undefined })
  const { data } = await call({ command: 'seq 1 20000' })
  const path = dirname(data.persistedOutputPath ?? '')
  expect(path.startsWith(`${folder.path}/x-shell-`)).toBe(true)
  expect(statSync(path).mode & 0o777).toBe(0o700)
  vi.unstubAllEnvs()
})

test('an output folder that cannot be made is an error, and the next call tries again', async () => {
  using folder = temporaryFolder()
  writeFileSync(folder.file('.out'), '')
  const { call, text } = createSession(folder.path)
  await expect(call({ command: 'true' })).rejects.toThrow('.out')
  rmSync(folder.file('.out'))
  expect(await text('echo hi')).toBe('hi')
})

test('other operations run the command elsewhere', async () => {
  using folder = temporaryFolder()
  const started: string[] = []
  const operations = {
    ...nodeBashOperations,
    start: (...[command, args, options]: Parameters<typeof nodeBashOperations.start>) => {
      started.push(command)
      return nodeBashOperations.start(command, args, options)
    },
  }
  const { text } = createSession(folder.path, { operations, shell: '/bin/sh' })
  expect(await text('echo hi')).toBe('hi')
  expect(started).toEqual(['/bin/sh'])
})
