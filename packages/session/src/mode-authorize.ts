import type { Authorize, CallView, HookVerdict, PermissionDecision } from '@x/contract'
import { declareCall } from '@x/contract'
import { askHost, type CanUseToolCallback } from './can-use-tool.ts'
import type { PermissionMode } from './permission-mode.ts'
import { isAllowedBy, isForbiddenBy, type ToolRule } from './tool-rules.ts'
import { isInside } from './working-directory.ts'

/** What decides about a call. */
export interface ModeAuthorizeOptions {
  /** Read anew for each call: it may change while the session runs. */
  readonly mode: () => PermissionMode
  /** Calls that need no question. */
  readonly allowed: readonly ToolRule[]
  /** Calls that never run, in any mode. */
  readonly forbidden: readonly ToolRule[]
  /** Whom to ask; nobody to ask is a deny. */
  readonly canUseTool?: CanUseToolCallback
}

type Asked = CallView & { readonly hook?: HookVerdict }

/**
 * Makes the permission check of a session: forbidden rules first, then what needs no question (reads, the mode, allowed
 * rules, a hook's allow), then the host. What a person must answer is never answered by a mode or a rule.
 */
export function createModeAuthorize(options: ModeAuthorizeOptions): Authorize {
  return async (call) =>
    decideByRule(call, options) ?? (await decideByMode(call, options)) ?? ask(call, options)
}

function decideByRule(call: Asked, { forbidden }: ModeAuthorizeOptions): PermissionDecision | undefined {
  if (!isForbiddenBy(forbidden, call.tool.name, call.input)) return undefined
  return {
    behavior: 'deny',
    message: `Permission to use ${call.tool.name} has been denied by a rule of this session. Do not try to reach the same end another way.`,
    reason: { type: 'rule', detail: `disallowedTools has a rule for this ${call.tool.name} call` },
  }
}

/** What may allow a call without a question, in this order. */
const opinions: readonly ((call: Asked, options: ModeAuthorizeOptions) => Opinion | Promise<Opinion>)[] = [
  ({ tool, input }) => declareCall(tool, input).isReadOnly && allow('tool', `${tool.name} only reads here`),
  (_call, { mode }) => mode() === 'bypassPermissions' && allow('mode', 'bypassPermissions allows everything'),
  ({ tool }, { mode }) => mode() === 'plan' && denyInPlanMode(tool.name),
  async (call, { mode }) =>
    mode() === 'acceptEdits' &&
    (await isEditInside(call)) &&
    allow('mode', 'acceptEdits allows edits inside the working directories'),
  ({ tool, input }, { allowed }) =>
    isAllowedBy(allowed, tool.name, input) &&
    allow('rule', `allowedTools has a rule for this ${tool.name} call`),
  ({ hook, context }) =>
    hook?.behavior === 'allow' &&
    context.flags?.isPermissionCheckMandatory !== true &&
    allow('hook', hook.reason ?? 'a hook allowed it'),
]

type Opinion = PermissionDecision | false

async function decideByMode(
  call: Asked,
  options: ModeAuthorizeOptions,
): Promise<PermissionDecision | undefined> {
  if (call.tool.requiresUserInteraction === true || call.hook?.behavior === 'ask') return undefined
  for (const opinion of opinions) {
    const decision = await opinion(call, options)
    if (decision !== false) return decision
  }
  return undefined
}

async function ask(call: Asked, { canUseTool, mode }: ModeAuthorizeOptions): Promise<PermissionDecision> {
  const why =
    call.hook?.behavior === 'ask'
      ? (call.hook.reason ?? 'a hook wants to be sure')
      : `${mode()} mode asks about it`
  if (canUseTool === undefined || mode() === 'dontAsk') return denyUnasked(call, why)
  return askHost(canUseTool, call, why)
}

/** Says what was refused and how the user could allow it, so that the model can pass it on. */
function denyUnasked({ tool, input }: CallView, why: string): PermissionDecision {
  const command = input['command']
  const rule =
    typeof command === 'string' && !/[\n,()"]/.test(command) ? `${tool.name}(${command})` : tool.name
  const isEdit = tool.name === 'Edit' || tool.name === 'Write'
  const message = [
    `Permission to use ${tool.name} has been denied: ${why}, and nobody can be asked in this session.`,
    `The user can allow it with --allowedTools "${rule}",${isEdit ? ' with --permission-mode acceptEdits,' : ''} or with --permission-mode bypassPermissions.`,
    'Do not work around this; go on with what is permitted, or say what you would need.',
  ].join(' ')
  return { behavior: 'deny', message, reason: { type: 'nobody-to-ask', detail: why } }
}

function allow(type: 'tool' | 'mode' | 'rule' | 'hook', detail: string): PermissionDecision {
  return { behavior: 'allow', reason: { type, detail } }
}

function denyInPlanMode(toolName: string): PermissionDecision {
  const detail = `plan mode allows only what reads, and this ${toolName} call may change something`
  return { behavior: 'deny', message: `Permission denied: ${detail}.`, reason: { type: 'mode', detail } }
}

async function isEditInside({ tool, input, context }: CallView): Promise<boolean> {
  const path = input['file_path']
  if ((tool.name !== 'Edit' && tool.name !== 'Write') || typeof path !== 'string') return false
  const { projectDir, additionalDirectories = [] } = context.options
  return isInside(path, [projectDir, context.cwd, ...additionalDirectories])
}
