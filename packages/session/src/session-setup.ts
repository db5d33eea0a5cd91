import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Model, TaskRegistry, TextBlock } from '@x/contract'
import { assertLimits, builtInPrices, type PriceTable, type QueryLimits } from '@x/loop'
import { createAnthropicModel, readAnthropicEnvironment, resolveModelName } from '@x/model-anthropic'
import { createTaskRegistry } from '@x/tools-tasks'
import { createBuiltInTools } from './built-in-tools.ts'
import { isPermissionMode, permissionModes } from './permission-mode.ts'
import { type SelectedTools, selectTools } from './select-tools.ts'
import { readSessionEnvironment, type SessionEnvironment } from './session-environment.ts'
import type { QueryOptions } from './session-options.ts'
import { sessionFolder, stateFolder } from './state-folder.ts'
import { createSystemPrompt } from './system-prompt.ts'

/** Everything about a session that is settled before its first prompt. */
export interface SessionSetup {
  readonly options: QueryOptions
  readonly sessionId: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly environment: SessionEnvironment
  readonly endpoint: Model
  readonly model: string
  readonly fallbackModels: readonly string[]
  readonly limits: QueryLimits
  readonly prices: PriceTable
  readonly system: readonly TextBlock[]
  readonly tasks: TaskRegistry
  readonly selected: SelectedTools
  /** Where large results are kept. */
  readonly resultFolder: string
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Checks the options and settles what follows from them and the environment.
 *
 * @throws TypeError for an option of a wrong shape, and where no endpoint is given and none is configured.
 * @throws RangeError for a limit out of range, and where a model has no price while there is a budget in money.
 */
export function setUpSession(options: QueryOptions): SessionSetup {
  checkOptions(options)
  const { cwd = process.cwd(), env = process.env, sessionId = randomUUID() } = options
  const environment = readSessionEnvironment(env)
  const tasks = createTaskRegistry()
  const folder = sessionFolder(stateFolder(env), cwd, sessionId)
  const taskFolder = join(
    env['CLAUDE_CODE_TMPDIR'] ?? tmpdir(),
    `x-${process.getuid?.() ?? 'user'}`,
    sessionId,
    'tasks',
  )
  const model = resolveModelName(options.model ?? environment.model ?? 'sonnet', env)
  const fallbackModels = readFallbackModels(options.fallbackModel).map((name) => resolveModelName(name, env))
  const limits = readLimits(options, environment)
  const { prices = builtInPrices } = options
  assertLimits({ modelName: model, fallbackModels, limits, prices })
  return {
    options,
    sessionId,
    cwd,
    env,
    environment,
    endpoint: options.endpoint ?? createAnthropicModel(requireEndpoint(env, environment)),
    model,
    limits,
    prices,
    fallbackModels,
    system: createSystemPrompt(options, cwd),
    tasks,
    selected: selectTools(createBuiltInTools({ env, tasks, taskFolder }), options),
    resultFolder: join(folder, 'tool-results'),
  }
}

function readLimits({ maxTurns, maxBudgetUsd }: QueryOptions, environment: SessionEnvironment): QueryLimits {
  const turns = maxTurns ?? environment.maxTurns
  return {
    ...(turns === undefined ? {} : { maxTurns: turns }),
    ...(maxBudgetUsd === undefined ? {} : { maxBudgetUsd }),
  }
}

function checkOptions({ cwd, sessionId, permissionMode }: QueryOptions): void {
  if (cwd !== undefined && !isAbsolute(cwd)) throw new TypeError(`cwd must be an absolute path, not "${cwd}"`)
  if (sessionId !== undefined && !uuid.test(sessionId)) {
    throw new TypeError(`sessionId must be a UUID, not "${sessionId}"`)
  }
  if (permissionMode !== undefined && !isPermissionMode(permissionMode)) {
    throw new TypeError(
      `permissionMode must be one of ${permissionModes.join(', ')}, not "${String(permissionMode)}"`,
    )
  }
}

function requireEndpoint(env: QueryOptions['env'] & object, environment: SessionEnvironment) {
  if (!environment.hasEndpoint) {
    throw new TypeError(
      'No model endpoint is configured. Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for an endpoint of your own that speaks the Messages API.',
    )
  }
  return readAnthropicEnvironment(env)
}

function readFallbackModels(value: QueryOptions['fallbackModel']): readonly string[] {
  const names = typeof value === 'string' ? value.split(',') : (value ?? [])
  return names.map((name) => name.trim()).filter((name) => name !== '')
}
