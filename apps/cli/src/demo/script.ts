import {
  delay,
  message,
  type RecordedRequest,
  type ScriptEntry,
  text,
  toolResults,
  toolUse,
} from '@x/model-anthropic/testing'

/** What the demo asks for. */
export const task = 'Our login page lets everybody in. Find out why, fix it, and show me that the tests pass.'

/**
 * What the scripted model says. It plays the part of a model: it reacts to the results it gets, and the tools it calls are real.
 * It pauses where a model would think, so that one can see calls run while it still speaks.
 */
export const script: readonly ScriptEntry[] = [
  message(
    [
      text('I will find the password check and read it beside its tests.'),
      delay(200),
      toolUse('Grep', { pattern: 'password', path: 'src', output_mode: 'content' }),
      toolUse('Read', { file_path: 'src/login.js' }),
      toolUse('Read', { file_path: 'test/login.test.js' }),
      delay(400),
    ],
    { eventDelayMs: 0 },
  ),
  message(
    [
      text(
        'There it is: `user.password = password` assigns instead of comparing, so every password is right, and is stored.',
      ),
      toolUse('Edit', {
        file_path: 'src/login.js',
        old_string: "  return (user.password = password) !== ''",
        new_string: '  return user.password === password',
      }),
      toolUse('Bash', { command: 'node --test', description: 'Run the tests' }),
    ],
    { eventDelayMs: 12 },
  ),
  (request) => message([text(closingWords(request))], { eventDelayMs: 12 }),
]

/** The model says only what it has seen. */
function closingWords(request: RecordedRequest): string {
  const results = toolResults(request)
  const failed = results.filter(({ isError }) => isError)
  if (failed.length > 0) return `That did not work: ${failed[0]?.text ?? ''}`
  return 'Fixed: `checkLogin` in src/login.js now compares the password instead of assigning it. All tests pass.'
}
