import process from 'node:process'
import { parseArgs } from 'node:util'
import {
  createPermissions,
  explain,
  isKnownTool,
  type PermissionMode,
  type Permissions,
  parseCall,
  permissionModes,
  runRuleTests,
  toPermissionMode,
} from '@x/permissions'
import { loadSessionSettings, type SessionSettings } from '@x/session'
import { print, printError } from './print.ts'
import { readNamedFile } from './read-named-file.ts'
import { runGroup } from './run-group.ts'

const usage = `Usage:
  x permissions explain [--json] [--mode MODE] TOOL INPUT   e.g. Bash 'npm test', Read ./a.ts, WebFetch '{"url": "..."}'
  x permissions test [--json] FILE                          rules with expectations, line by line:
                                                            allow Bash(npm test *)
                                                            npm test -- --ci => allow
`

/** Runs `x permissions ...`; resolves with the exit code. */
export function runPermissionsCommand(argv: readonly string[]): Promise<number> {
  return runGroup({ name: 'permissions', usage, commands: { explain: explainCall, test: testRules } }, argv)
}

/** Says what would be decided about one call, by which rule of which file, and what would allow it. */
async function explainCall(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { json: { type: 'boolean' }, mode: { type: 'string' }, settings: { type: 'string' } },
  })
  const [toolName, ...words] = positionals
  if (toolName === undefined) throw new TypeError(`Name a tool and its input.\n${usage}`)
  if (!isKnownTool(toolName)) throw new TypeError(`There is no tool ${toolName}. ${aboutNames}`)
  const call = parseCall(toolName, words.join(' '))
  if (!call.ok) throw new TypeError(call.message)
  const settings = await loadAll(values.settings)
  const waiting = (await loadAll(values.settings, false)).held
  const permissions = openPermissions(settings, values.mode)
  const explanation = explain(permissions.check(toolName, call.input))
  const notices = [...settings.notices, ...waiting, ...permissions.problems.map(({ message }) => message)]
  if (values.json === true) {
    process.stdout.write(
      `${JSON.stringify({ ...explanation, mode: permissions.mode, notices }, undefined, 2)}\n`,
    )
  } else {
    print(explanation.text)
    for (const notice of notices) printError(notice)
  }
  return 0
}

const aboutNames = 'Upper and lower case count; tools of MCP servers are called mcp__server__tool.'

/** Checks every expectation of a file; exits with 1 if one is not met or a line cannot be read. */
async function testRules(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  })
  const [file] = positionals
  if (file === undefined) throw new TypeError(`Name a file.\n${usage}`)
  const report = runRuleTests(await readNamedFile(file))
  if (values.json === true) process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`)
  else for (const line of describeReport(file, report)) print(line)
  return report.passed ? 0 : 1
}

function describeReport(file: string, report: ReturnType<typeof runRuleTests>): readonly string[] {
  const failed = report.results.filter(({ passed }) => !passed)
  return [
    ...report.problems.map(({ line, message }) => `${file}:${line}: ${message}`),
    ...failed.map(({ test, verdict }) => {
      return `${file}:${test.line}: ${test.call}: expected ${test.expected}, got ${explain(verdict).text}`
    }),
    `${report.results.length - failed.length} passed, ${failed.length} failed`,
  ]
}

/** All settings as they would count in a trusted folder: the question is what the rules say. */
function loadAll(flagSettings: string | undefined, isTrusted = true): Promise<SessionSettings> {
  const cwd = process.cwd()
  return loadSessionSettings({
    cwd,
    isTrusted,
    ...(flagSettings === undefined ? {} : { flagSettings }),
  })
}

function openPermissions({ permissions: given }: SessionSettings, modeName: string | undefined): Permissions {
  const mode = readMode(modeName) ?? given.defaultMode ?? 'default'
  return createPermissions({
    rules: given.rules,
    mode,
    cwd: process.cwd(),
    workingDirectories: given.additionalDirectories,
    canRemember: given.canRemember,
  })
}

function readMode(name: string | undefined): PermissionMode | undefined {
  if (name === undefined) return undefined
  const mode = toPermissionMode(name)
  if (mode === undefined)
    throw new TypeError(`There is no permission mode ${name}; there are: ${permissionModes.join(', ')}`)
  return mode
}
