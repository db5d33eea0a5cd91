import { expect, it } from 'vitest'
import { parseRuleTests, runRuleTests } from '../src/index.ts'

const options = { cwd: '/repo', home: '/home/u', readLink: () => true as const }

it('rules, modes and folders count for the lines below them', () => {
  const report = runRuleTests(
    `
# what is allowed
npm test => ask
allow Bash(npm test *)
deny  Bash(rm *)
npm test -- --ci => allow by Bash(npm test *)
npm test; rm -rf x => deny by Bash(rm *)
echo "a => b" => allow
Read /etc/hosts => ask
directory /etc
Read /etc/hosts => allow
Edit src/a.ts => ask
mode acceptEdits
Edit src/a.ts => allow
Bash {"command": "npm test\\ncurl x"} => ask
mcp__a__b => ask
WebFetch https://example.com/ => ask
mode dontAsk
npm install => deny
`,
    options,
  )
  expect(
    report.results.filter(({ passed }) => !passed).map(({ test, verdict }) => [test.call, verdict]),
  ).toEqual([])
  expect([report.results.length, report.passed, report.problems]).toEqual([12, true, []])
})

it('tells what came otherwise, with its line', () => {
  const { results, passed } = runRuleTests(
    'deny Bash(rm *)\n\nrm x => allow\nrm x => deny by Bash(rm x)',
    options,
  )
  expect(passed).toBe(false)
  expect(
    results.map(({ test, verdict, passed }) => [test.line, test.expected, verdict.behavior, passed]),
  ).toEqual([
    [3, 'allow', 'deny', false],
    [4, 'deny', 'deny', false],
  ])
})

it('rules of the options count too', () => {
  const rules = [{ behavior: 'allow', text: 'Bash(make)', layer: 'user' }] as const
  expect(runRuleTests('make => allow', { ...options, rules }).passed).toBe(true)
})

it.each([
  ['allow Bash(', 'is not a permission rule'],
  ['mode yolo', 'is no mode'],
  ['directory src', 'absolute'],
  ['npm test', 'write a rule'],
  ['npm test => maybe', 'write a rule'],
  ['mcp__a__b x => ask', 'as JSON'],
  ['mcp__a__b {"x" => ask', 'no JSON'],
])('%s is a problem of its line', (line, message) => {
  const { tests, problems } = parseRuleTests(`# first\n${line}`)
  expect([tests, problems]).toEqual([[], [{ line: 2, message: expect.stringContaining(message) }]])
  expect(runRuleTests(line, options).passed).toBe(false)
})
