import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSession, temporaryFolder } from './harness.ts'

const SHELLS = ['/bin/bash', '/usr/bin/zsh', '/bin/dash'].filter((path) => existsSync(path))

const texts = [
  ['SH-14: exclamation marks', `printf '%s|' 'a!b' "c!d" e!f; printf '%s' '1 != 2'; cat <<'E'\nHi!\nE`],
  ['SH-15: a quoted here-document', "cat > out <<'EOF'\nit's $HOME `date` \"x\" $'y' EOF2\nEOF\ncat out"],
  ['a comment at its end', 'echo a # b'],
  ['a here-document without its end', 'exec 2>/dev/null\ncat <<E\na'],
  ['a backslash at its end', 'echo a\\'],
  ['line feeds and tabs around it', '\n\n\techo  a\n\t\n'],
  ['several lines with several ends', 'echo a\r\necho b'],
  ['its positional parameters', 'set -- p q; echo "$1 $# $0"'],
] as const

describe.each(SHELLS)('in %s', (shell) => {
  test.each(texts)('a command arrives as it was given: %s', async (_what, command) => {
    using ours = temporaryFolder()
    using bare = temporaryFolder()
    const { call } = createSession(ours.path, { shell })
    const name = shell.split('/').at(-1) ?? ''
    const expected = spawnSync(shell, ['-c', command], {
      cwd: bare.path,
      argv0: name,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const { data } = await call({ command })
    expect(data.exitCode).toBe(expected.status)
    expect(data.stdout.replaceAll('\r', '')).toBe(expected.stdout.replaceAll('\r', ''))
  })
})

test('SH-15: what a quoted here-document writes is equal byte by byte', async () => {
  using folder = temporaryFolder()
  const body = "it's $HOME \\`date\\` \"x\" $'y' EOF2 !! \\\\ \\n é 你 😀\n\ttab"
  await createSession(folder.path).text(`cat > out <<'EOF'\n${body}\nEOF`)
  expect(readFileSync(folder.file('out'), 'utf8')).toBe(`${body}\n`)
})

test('a command may begin with a dash', async () => {
  using folder = temporaryFolder()
  const { text } = createSession(folder.path)
  expect(await text('-x')).toMatch(/^Exit code 127\n.*-x: command not found$/)
})

test('any text in quotes arrives as bash -c gets it', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path, { shell: '/bin/bash', settleMs: 0 })
  const piece = fc.oneof(
    fc.constantFrom(
      "'",
      '"',
      '$',
      '`',
      '\\',
      '!',
      '\n',
      '$(echo x)',
      '${HOME}',
      '#',
      '&',
      ';',
      '<<E',
      '*',
      '~',
      '%s',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }).filter((text) => !/[\0\ud800-\udfff]/.test(text)),
  )
  const body = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  await fc.assert(
    fc.asyncProperty(body, async (text) => {
      const quoted = `'${text.replaceAll("'", `'\\''`)}'`
      const command = `printf '%s' ${quoted} > ours; printf '%s' "${text.replace(/["$`\\!]/g, '\\$&')}" >> ours`
      await call({ command })
      const ours = readFileSync(folder.file('ours'))
      execFileSync('/bin/bash', ['-c', command.replaceAll('ours', 'bare')], {
        cwd: folder.path,
        stdio: 'ignore',
      })
      expect(ours.equals(readFileSync(folder.file('bare')))).toBe(true)
    }),
    { numRuns: 40 },
  )
})

test('any text at all does what bash -c does with it', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path, { shell: '/bin/bash', settleMs: 0 })
  const words = fc.constantFrom(
    'echo',
    'a',
    '"b c"',
    "'d'",
    '$X',
    '${X:-y}',
    '$(echo s)',
    '\n',
    ';',
    '&&',
    '||',
    '|',
    'cat',
    '(',
    ')',
    '{',
    '}',
    'if',
    'then',
    'fi',
    'true',
    'false',
    '!',
    '#',
    '\\',
    '<<E',
    'E',
    '2>&1',
    'exit 3',
    'set -e',
    'X=1',
    '"',
    "'",
    '`',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 14 }), async (picked) => {
      const command = picked.join(' ')
      fc.pre(command.trim() !== '')
      const bare = spawnSync('/bin/bash', ['-c', `exec 2>/dev/null\n${command}`], {
        argv0: 'bash',
        cwd: folder.path,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const { data } = await call({ command: `exec 2>/dev/null\n${command}` })
      expect(data.stdout).toBe(bare.stdout)
      // Bash itself ends with one code or the other after a syntax error.
      const isSound = spawnSync('/bin/bash', ['-n', '-c', command], { stdio: 'ignore' }).status === 0
      if (isSound) expect(data.exitCode).toBe(bare.status)
      else expect(data.exitCode === 0).toBe(bare.status === 0)
    }),
    { numRuns: 40 },
  )
})

test('a command too long for an argument runs', async () => {
  using folder = temporaryFolder()
  const long = 'x'.repeat(300_000)
  expect(await createSession(folder.path).text(`printf %s ${long} | wc -c`)).toBe('300000')
})

test('a prefix gets the whole line as one argument, and the folder carries over all the same', async () => {
  using folder = temporaryFolder()
  mkdirSync(folder.file('bin dir'))
  writeFileSync(
    folder.file('bin dir/log.sh'),
    `#!/bin/sh\necho "$# $1" >> "${folder.file('log')}"\nexec sh -c "$1"\n`,
  )
  chmodSync(folder.file('bin dir/log.sh'), 0o755)
  const { text } = createSession(folder.path, { shellPrefix: `'${folder.file('bin dir/log.sh')}'` })
  expect(await text("mkdir d && cd d && echo 'it'\\''s'")).toBe("it's")
  expect(await text('pwd')).toBe(folder.file('d'))
  expect(readFileSync(folder.file('log'), 'utf8')).toMatch(/^1 X_SHELL_COMMAND='mkdir d && cd d && echo /)
})

test.each([
  ['', 'command is empty. Say what to run.'],
  [' \n', 'command is empty. Say what to run.'],
  ['echo \0', 'command contains a null byte (\\0). Remove it and try again.'],
])('refuses %j', async (command, message) => {
  using folder = temporaryFolder()
  const { tool } = createSession(folder.path)
  expect(await tool.validateInput?.({ command }, {} as never)).toEqual({ ok: false, message })
})
