import { declareCall } from '@x/contract'
import { createBashTool } from '@x/tools-shell'
import { describe, expect, test } from 'vitest'
import { createSession, fakeRegistry, temporaryFolder } from './harness.ts'

const tool = createBashTool({ tasks: fakeRegistry() })

test.each([
  ['ls -la', { safe: true, readOnly: true, cancels: false }],
  ['grep zzz f | wc -l', { safe: true, readOnly: true, cancels: false }],
  ['cd sub && ls', { safe: false, readOnly: true, cancels: false }],
  ['rm -rf x', { safe: false, readOnly: false, cancels: true }],
  ['ls > f', { safe: false, readOnly: false, cancels: true }],
  ['if (', { safe: false, readOnly: false, cancels: true }],
  ['$CMD', { safe: false, readOnly: false, cancels: true }],
])('91, 93: declares itself for %j', (command, { safe, readOnly, cancels }) => {
  expect(declareCall(tool, { command })).toEqual({
    isConcurrencySafe: safe,
    isReadOnly: readOnly,
    isDestructive: false,
    failureCancelsSiblings: cancels,
    interruptBehavior: 'block',
  })
})

test('91, 92: a failure is an error, an answer with exit code 1 is none, so it cancels nobody', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  expect((await call({ command: 'touch a; false' })).isError).toBe(true)
  expect((await call({ command: 'touch a; grep zzz a' })).isError).toBeUndefined()
})

describe('the input', () => {
  test.each([
    [{ command: 'ls' }, true],
    [
      {
        command: 'ls',
        timeout: 5,
        description: 'd',
        run_in_background: true,
        dangerouslyDisableSandbox: true,
      },
      true,
    ],
    [{}, false],
    [{ command: 1 }, false],
    [{ command: 'ls', timeout: -1 }, false],
    [{ command: 'ls', cwd: '/' }, false],
  ])('%j is valid: %j', (input, isValid) => {
    expect(tool.inputSchema.safeParse(input).success).toBe(isValid)
  })
})

test('the description is short, names the better tools and the rules of git safety', () => {
  const { description } = tool
  expect(description.length).toBeLessThanOrEqual(3500)
  for (const word of [
    'Read',
    'Glob',
    'Grep',
    'Edit',
    'Write',
    'Agent',
    'run_in_background',
    'TaskStop',
    '--no-verify',
    'reset --hard',
  ]) {
    expect(description).toContain(word)
  }
})

test.each([
  [{ defaultTimeoutMs: 0 }, 'defaultTimeoutMs must be a number from 1 to 2147483647, got 0'],
  [{ maxOutputLength: Number.NaN }, 'maxOutputLength must be a number from 1 to 9007199254740991, got NaN'],
  [{ killGraceMs: -1 }, 'killGraceMs must be a number from 0 to 2147483647, got -1'],
])('refuses %j', (options, message) => {
  expect(() => createBashTool(options)).toThrow(new RangeError(message))
})

// Read anew each time, it would take minutes.
test('a predicate asked again costs next to nothing', () => {
  const command = `${'ls -la; '.repeat(1000)}ls`
  const input = { command }
  tool.isReadOnly?.(input)
  for (let round = 0; round < 50_000; round += 1) tool.isReadOnly?.(input)
})
