import { writeFileSync } from 'node:fs'
import { readBashEnvironment } from '@x/tools-shell'
import { afterEach, expect, test, vi } from 'vitest'
import { createSession, temporaryFolder } from './harness.ts'

afterEach(() => vi.unstubAllEnvs())

test('SH-20: the host keeps its secrets, ordinary variables are passed on', async () => {
  using folder = temporaryFolder()
  for (const name of [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_CUSTOM_HEADERS',
    'CLAUDE_CODE_OAUTH_TOKEN',
  ])
    vi.stubEnv(name, 'sk-test-123')
  vi.stubEnv('FOO', 'bar')
  const { text } = createSession(folder.path)
  const command = `env | grep -c sk-test-123; cat /proc/self/environ | tr '\\0' '\\n' | grep -c sk-test; echo $FOO`
  expect(await text(command)).toBe('0\n0\nbar')
})

test('the environment of the session stands in place of the host’s', async () => {
  using folder = temporaryFolder()
  vi.stubEnv('FOO', 'host')
  const { text } = createSession(folder.path, { env: { PATH: process.env['PATH'] ?? '', BAR: 'session' } })
  expect(await text('echo "[$FOO][$BAR][$CLAUDECODE]"')).toBe('[][session][1]')
})

test('the file of exports is read before each command, whatever it prints', async () => {
  using folder = temporaryFolder()
  const environmentFile = folder.file('exports')
  const { text } = createSession(folder.path, { environmentFile })
  expect(await text('echo "[$A]"')).toBe('[]')
  writeFileSync(environmentFile, 'echo banner\nexport A=1\n')
  expect(await text('echo "[$A]"; sh -c \'echo $A\'')).toBe('[1]\n1')
})

test('45: variables do not carry over', async () => {
  using folder = temporaryFolder()
  const { text } = createSession(folder.path)
  await text('export A=1')
  expect(await text('echo "[$A]"')).toBe('[]')
})

test('nothing of the wrapping is seen by the command', async () => {
  using folder = temporaryFolder()
  const { text } = createSession(folder.path, { shell: '/bin/bash' })
  expect(await text('echo "$0 $# $*"; env | grep -c X_SHELL; echo "$LINENO"')).toBe('bash 0 \n0\n1')
})

test('readBashEnvironment turns variables into options', () => {
  expect(
    readBashEnvironment({
      BASH_DEFAULT_TIMEOUT_MS: '5000',
      BASH_MAX_TIMEOUT_MS: ' 9000 ',
      BASH_MAX_OUTPUT_LENGTH: '150000',
      CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: '1',
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: 'true',
      CLAUDE_CODE_SHELL: '/usr/bin/zsh',
      CLAUDE_CODE_SHELL_PREFIX: 'log.sh',
      CLAUDE_ENV_FILE: '/tmp/env',
      SHELL: '/bin/fish',
    }),
  ).toEqual({
    defaultTimeoutMs: 5000,
    maxTimeoutMs: 9000,
    maxOutputLength: 150_000,
    maintainsProjectDirectory: true,
    allowsBackground: false,
    shell: '/usr/bin/zsh',
    shellPrefix: 'log.sh',
    environmentFile: '/tmp/env',
  })
})

test.each(['', 'soon', '-1', '0', '1.5', '1e3', 'NaN'])(
  'the default stays for a number that reads %j',
  (text) => {
    expect(readBashEnvironment({ BASH_DEFAULT_TIMEOUT_MS: text, BASH_MAX_TIMEOUT_MS: text })).toEqual({})
  },
)

test('a number beyond every timer is the longest timer, switches that are off and unknown shells are left out', () => {
  expect(
    readBashEnvironment({
      BASH_DEFAULT_TIMEOUT_MS: '99999999999999',
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '0',
      CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: 'no',
      CLAUDE_CODE_SHELL: '/usr/bin/fish',
      CLAUDE_CODE_SHELL_PREFIX: ' ',
    }),
  ).toEqual({ defaultTimeoutMs: 2_147_483_647 })
})
