import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { loadSessionSettings } from '@x/session'
import type { AgentDefinition, AgentProblem } from '@x/subagent'
import { toLine } from '../live/paint.ts'
import { loadCliPlugins } from '../load-cli-plugins.ts'
import { print, printError } from '../print.ts'
import { runGroup } from '../run-group.ts'
import { loadCliAgents } from './load-cli-agents.ts'
import { usage } from './usage.ts'

/** Says which agents there are; resolves with the exit code. */
export function runAgentsCommand(argv: readonly string[]): Promise<number> {
  return runGroup({ name: 'agents', usage, commands: { list: listAgents } }, argv)
}

async function listAgents(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      json: { type: 'boolean' },
      agents: { type: 'string' },
      'add-dir': { type: 'string', multiple: true, default: [] },
      'plugin-dir': { type: 'string', multiple: true, default: [] },
    },
  })
  const plugins = await loadCliPlugins(values['plugin-dir'])
  const cwd = process.cwd()
  const { env: settingsEnv } = await loadSessionSettings({ cwd })
  const { definitions, problems } = await loadCliAgents({
    cwd,
    settingsEnv,
    additionalDirectories: values['add-dir'].map((folder) => resolve(folder)),
    plugins: plugins?.plugins ?? [],
    flagAgents: values.agents,
  })
  if (values.json === true) {
    process.stdout.write(`${JSON.stringify({ agents: definitions, problems }, undefined, 2)}\n`)
    return 0
  }
  for (const definition of definitions) print(toLines(definition))
  for (const problem of problems) printError(toWarning(problem))
  return 0
}

const maxWidth = 120

function toLines({ name, description, source, path, model, tools, isolation }: AgentDefinition): string {
  const facts = [
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(tools === undefined ? [] : [`tools ${tools.length === 0 ? 'none' : tools.join(', ')}`]),
    ...(isolation === undefined ? [] : [`isolation ${isolation}`]),
  ]
  return [
    `${name}  ${toLine(description, maxWidth)}`,
    `  from ${source}${path === undefined ? '' : ` (${path})`}`,
    ...(facts.length === 0 ? [] : [`  ${toLine(facts.join('; '), maxWidth)}`]),
  ].join('\n')
}

function toWarning({ level, path, reason }: AgentProblem): string {
  return `${level === 'warning' ? 'Warning' : 'Note'}: ${path}: ${reason}`
}
