import process from 'node:process'
import { parseArgs } from 'node:util'
import { type ConfiguredHook, createHooks, describeHandler } from '@x/hooks'
import { loadSessionSettings, openSessionHooks } from '@x/session'
import { toLine } from '../live/paint.ts'
import { loadCliPlugins } from '../load-cli-plugins.ts'
import { print, printError } from '../print.ts'
import { type CommandPlace, findCommandProblem } from './command-problem.ts'

/** Prints what is configured, from where, and what is wrong with it. */
export async function listHooks(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      json: { type: 'boolean' },
      settings: { type: 'string' },
      'plugin-dir': { type: 'string', multiple: true, default: [] },
    },
  })
  const flag = values.settings === undefined ? {} : { flagSettings: values.settings }
  const cwd = process.cwd()
  const settings = await loadSessionSettings({ cwd, isTrusted: true, ...flag })
  const asked = await loadSessionSettings({ cwd, isHeadless: false, ...flag })
  const running = new Set(asked.hooks.sources.map(({ file }) => file))
  const plugins = await loadCliPlugins(values['plugin-dir'])
  await using hooks = openSessionHooks({ cwd, settings, ...(plugins && { plugins }) })
  await using sleeping = createHooks(settings.hooks.switchedOff ?? [])
  const place = { cwd, env: { ...process.env, ...settings.env } }
  const listed = [
    ...hooks.handlers.map((hook) => ({ ...toListed(hook, running), ...withProblem(hook, place) })),
    ...sleeping.handlers.map((hook) => ({ ...toListed(hook, running), unusable: switchedOff })),
  ]
  const problems = hooks.problems.map(({ file, message }) =>
    file === undefined ? message : `${file}: ${message}`,
  )
  const notices = [...settings.notices, ...problems]
  if (values.json === true) {
    process.stdout.write(`${JSON.stringify({ hooks: listed, problems: notices }, undefined, 2)}\n`)
    return 0
  }
  for (const line of listed.length === 0 ? ['No hooks are configured.'] : listed.map(toLines)) {
    print(line)
  }
  for (const notice of notices) printError(`Warning: ${notice}`)
  return 0
}

const switchedOff =
  'switched off: disableAllHooks, allowManagedHooksOnly or strictPluginOnlyCustomization is set'

interface ListedHook {
  readonly event: string
  readonly matcher: string
  readonly type: string
  readonly handler: string
  readonly if?: string
  readonly timeout?: number
  readonly source: string
  readonly file?: string
  /** Counts without a question; otherwise only once the folder is trusted, or with -p. */
  readonly trusted: boolean
  /** Why it never runs. */
  readonly unusable?: string
  /** Why its command would not start. */
  readonly problem?: string
}

function toListed(hook: ConfiguredHook, running: ReadonlySet<string | undefined>): ListedHook {
  const { event, matcher, handler, origin, file, timeoutSeconds, unusable } = hook
  return {
    event,
    matcher: matcher ?? '*',
    type: handler.type,
    handler: describeHandler(handler),
    ...(typeof handler.if === 'string' ? { if: handler.if } : {}),
    ...(timeoutSeconds === undefined ? {} : { timeout: timeoutSeconds }),
    source: origin,
    ...(file === undefined ? {} : { file }),
    trusted: origin === 'plugin' || running.has(file),
    ...(unusable === undefined ? {} : { unusable }),
  }
}

function withProblem(hook: ConfiguredHook, place: CommandPlace): Pick<ListedHook, 'problem'> {
  const problem = hook.unusable === undefined ? findCommandProblem(hook, place) : undefined
  return problem === undefined ? {} : { problem }
}

function toLines(hook: ListedHook): string {
  const condition = hook.if === undefined ? '' : ` if ${hook.if}`
  const waiting = hook.trusted ? undefined : 'folder not trusted: runs with -p only'
  const doubts = [hook.unusable ?? waiting, hook.problem].filter((doubt) => doubt !== undefined)
  return [
    `${hook.event} ${hook.matcher}${condition}`,
    `  ${hook.type}: ${toLine(hook.handler, 160)}`,
    `  from ${hook.source}${hook.file === undefined ? '' : ` (${hook.file})`}`,
    ...doubts.map((doubt) => `  ! ${doubt}`),
  ].join('\n')
}
