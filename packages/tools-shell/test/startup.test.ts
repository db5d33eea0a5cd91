import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createSession, type SessionOptions, temporaryFolder } from './harness.ts'

const PATH = process.env['PATH'] ?? ''

/** A session whose user has this start-up file. */
function withProfile(folder: string, profile: string, options: SessionOptions = {}) {
  const home = `${folder}/home`
  mkdirSync(home)
  for (const name of ['.bashrc', '.bash_profile', '.zshrc']) writeFileSync(`${home}/${name}`, profile)
  return createSession(folder, {
    usesStartupFile: true,
    startupWaitMs: 60_000,
    env: { PATH, HOME: home },
    shell: '/bin/bash',
    ...options,
  })
}

const SHELLS = ['/bin/bash', '/usr/bin/zsh'].filter((path) => existsSync(path))

const ODD = 'echo WELCOME; echo WELCOME >&2\n_x() { local a=1; read -t 60 b; }\nset -u\n'

describe.each(SHELLS)('with %s', (shell) => {
  test.each([
    ['a banner, odd functions and set -u', ODD],
    ['set -e and a failure', `${ODD}set -e\nfalse\n`],
    ['xtrace', `${ODD}set -x\n`],
    ['a syntax error', `${ODD}if then fi (\n`],
    ['exit 0 at its end', `${ODD}exit 0\n`],
    ['a trap of its own', `${ODD}trap 'echo BYE' EXIT\n`],
    [
      'functions with the names of builtins',
      'eval() { echo EVIL; }\ntrap() { echo EVIL; }\npwd() { echo /; }\n',
    ],
    ['a closed standard output', 'exec >&- 2>&-\n'],
    ['another program instead', 'exec true\n'],
  ])('SH-21: a start-up file with %s changes nothing', async (_what, profile) => {
    using folder = temporaryFolder()
    const { call, cwd } = withProfile(folder.path, profile, { shell })
    const result = await call({ command: 'echo hi; mkdir s; cd s; false' })
    expect(result).toMatchObject({ isError: true, data: { stdout: 'hi\n', stderr: '', exitCode: 1 } })
    expect(cwd()).toBe(folder.file('s'))
  })

  test('SH-21: a start-up file that sleeps holds a command up for the waiting time only', async () => {
    using folder = temporaryFolder()
    const { text } = withProfile(folder.path, 'sleep 600\n', {
      shell,
      startupWaitMs: 50,
      startupTimeoutMs: 300,
    })
    expect(await text('echo hi')).toBe('hi')
  })

  test('functions, aliases and options carry over, variables do not', async () => {
    using folder = temporaryFolder()
    const option = shell.endsWith('zsh') ? 'setopt extendedglob' : 'shopt -s extglob'
    const profile = `greet() { echo "hello $(_name)"; }\n_name() { echo "it's" you; }\nalias ll='echo "long list"'\n${option}\nSECRET=1\n`
    const { text } = withProfile(folder.path, profile, { shell })
    const show = shell.endsWith('zsh') ? '[[ -o extendedglob ]] && echo on' : 'shopt -q extglob && echo on'
    expect(await text(`greet\nll\n${show}\necho "[$SECRET]"`)).toBe("hello it's you\nlong list\non\n[]")
  })

  test('a function that moves the shell moves the session', async () => {
    using folder = temporaryFolder()
    const { text } = withProfile(folder.path, 'cd() { builtin cd "$@" && echo moved; }\n', { shell })
    expect(await text('mkdir a; cd a')).toBe('moved')
    expect(await text('pwd')).toBe(folder.file('a'))
  })
})

test('aliases count that are set only where somebody is there', async () => {
  using folder = temporaryFolder()
  const profile = 'case $- in *i*) ;; *) return;; esac\n[ -z "$PS1" ] && return\nalias hi=\'echo hello\'\n'
  expect(await withProfile(folder.path, profile).text('hi')).toBe('hello')
})

test('an alias that makes rm ask nobody is left out', async () => {
  using folder = temporaryFolder()
  const { text } = withProfile(folder.path, "alias rm='rm -i'\nalias ll='echo list'\n")
  expect(await text('touch f\nrm f\nls f 2>/dev/null || echo gone\nll')).toBe('gone\nlist')
})

test('the start-up file is read once for a session, and can be left alone', async () => {
  using folder = temporaryFolder()
  const count = folder.file('count')
  const profile = `echo x >> ${count}\nf() { echo f; }\n`
  const { text } = withProfile(folder.path, profile)
  expect(await Promise.all([text('f'), text('f'), text('f')])).toEqual(['f', 'f', 'f'])
  expect(await text(`cat ${count}`)).toBe('x')
})

test('a session can do without the start-up file', async () => {
  using folder = temporaryFolder()
  const { text } = withProfile(folder.path, 'f() { echo f; }\n', { usesStartupFile: false })
  expect(await text('f')).toMatch(/^Exit code 127\n.*f: command not found/)
})

test('a slow start-up file serves later commands', async () => {
  using folder = temporaryFolder()
  const { text } = withProfile(folder.path, 'f() { echo f; }\nsleep 0.2\n', { startupWaitMs: 1 })
  expect(await text('f')).toMatch(/^Exit code 127/)
  await expect.poll(() => text('f')).toBe('f')
})

test.each([
  ['', 'an empty'],
  ['.', 'a relative'],
])('with HOME "%s" a start-up file in the project is not the user’s', async (home, _kind) => {
  using folder = temporaryFolder()
  writeFileSync(folder.file('.bashrc'), `touch ${folder.file('ran')}\nll() { echo evil; }\n`)
  const before = process.cwd()
  process.chdir(folder.path)
  try {
    const { text } = createSession(folder.path, {
      usesStartupFile: true,
      startupWaitMs: 60_000,
      env: { PATH, HOME: home },
      shell: '/bin/bash',
    })
    expect(await text('ll 2>/dev/null || echo none')).toBe('none')
    expect(existsSync(folder.file('ran'))).toBe(false)
  } finally {
    process.chdir(before)
  }
})
