import { createGlobTool, createGrepTool, readSearchEnvironment } from '@x/tools-search'
import { expect, test } from 'vitest'

test.each([
  [{}, {}],
  [{ CLAUDE_CODE_GLOB_NO_IGNORE: 'false' }, { respectsIgnoreFiles: true }],
  [{ CLAUDE_CODE_GLOB_NO_IGNORE: 'true' }, { respectsIgnoreFiles: false }],
  [{ CLAUDE_CODE_GLOB_NO_IGNORE: 'perhaps' }, {}],
  [{ CLAUDE_CODE_GLOB_HIDDEN: '0' }, { includesDotfiles: false }],
  [{ CLAUDE_CODE_GLOB_HIDDEN: ' True ' }, { includesDotfiles: true }],
  [{ CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: '5' }, { timeoutMs: 5000 }],
  [{ CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: '0.5' }, { timeoutMs: 500 }],
  [{ CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: '0' }, {}],
  [{ CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: '-1' }, {}],
  [{ CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: '1e99' }, {}],
  [{ CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: '9'.repeat(30) }, {}],
  [{ WSL_DISTRO_NAME: 'Debian' }, { timeoutMs: 60_000 }],
  [{ WSL_DISTRO_NAME: 'Debian', CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: '5' }, { timeoutMs: 5000 }],
  [{ USE_BUILTIN_RIPGREP: '0' }, { ripgrepPath: 'rg' }],
  [{ USE_BUILTIN_RIPGREP: '1' }, {}],
])('%o is %o', (env, expected) => {
  const options = readSearchEnvironment(env)

  expect(options).toEqual(expected)
  expect([createGlobTool(options).name, createGrepTool(options).name]).toEqual(['Glob', 'Grep'])
})
