import { permissionModes, toPermissionMode } from '@x/permissions'
import type { AgentMap } from '@x/subagent'
import { type CallHostHook, readHostHooks } from './hooks/host-hooks.ts'
import { isRecord } from './is-record.ts'
import type { Query } from './query.ts'

/** A control request of a host, as it comes over the wire: nothing of it is trusted. */
export interface ControlRequest {
  readonly type: 'control_request'
  readonly request_id: string
  readonly request: { readonly subtype: string; readonly [key: string]: unknown }
}

/** The one answer to a control request. */
export interface ControlResponse {
  readonly type: 'control_response'
  readonly response:
    | { readonly subtype: 'success'; readonly request_id: string; readonly response: object }
    | { readonly subtype: 'error'; readonly request_id: string; readonly error: string }
}

/** Answers control requests. Every request gets one answer; the router never throws. */
export type ControlRouter = (request: unknown) => Promise<ControlResponse>

type Payload = ControlRequest['request']
type Handler = (query: Query, payload: Payload, host: ControlHost) => object | Promise<object>

/** What the session may ask of the host. */
export interface ControlHost {
  /** Calls a hook of the host. @default hooks that a host brings are refused */
  readonly callHook?: CallHostHook
}

const handlers: Readonly<Record<string, Handler>> = {
  initialize,
  interrupt: (query, { cancel_queued: cancelQueued }) =>
    query.interrupt({ cancelQueued: cancelQueued === true }),
  set_permission_mode: setPermissionMode,
  set_model: setModel,
  rewind_files: rewindFiles,
  stop_task: stopTask,
  mcp_status: (query) => ({ mcpServers: query.mcpStatuses() }),
  mcp_reconnect: async (query, { serverName }) => ({
    server: await query.reconnectMcp(text('mcp_reconnect', serverName)),
  }),
  mcp_toggle: async (query, { serverName, enabled }) => ({
    server: await query.toggleMcp(text('mcp_toggle', serverName), enabled === true),
  }),
}

/** Makes the router of one running query. What it does not know it refuses with an error. */
export function createControlRouter(query: Query, host: ControlHost = {}): ControlRouter {
  return async (request) => {
    const id = requestId(request)
    try {
      const payload = payloadOf(request)
      const handler = Object.hasOwn(handlers, payload.subtype) ? handlers[payload.subtype] : undefined
      if (handler === undefined) throw new Error(`Unsupported control request subtype: ${payload.subtype}`)
      return succeed(id, await handler(query, payload, host))
    } catch (error) {
      return fail(id, error instanceof Error ? error.message : String(error))
    }
  }
}

function succeed(id: string, response: object): ControlResponse {
  return { type: 'control_response', response: { subtype: 'success', request_id: id, response } }
}

function fail(id: string, error: string): ControlResponse {
  return { type: 'control_response', response: { subtype: 'error', request_id: id, error } }
}

function requestId(request: unknown): string {
  const id = isRecord(request) ? request['request_id'] : undefined
  return typeof id === 'string' ? id : ''
}

function payloadOf(request: unknown): Payload {
  const payload = isRecord(request) ? request['request'] : undefined
  const subtype = isRecord(payload) ? payload['subtype'] : undefined
  if (!isRecord(payload) || typeof subtype !== 'string')
    throw new Error('A control request needs request.subtype')
  return { ...payload, subtype }
}

/** What a host brings and cannot be used is refused, not ignored: a guard must not be off unseen. */
function initialize(query: Query, payload: Payload, { callHook }: ControlHost): object {
  const { hooks, agents, forwardSubagentText } = payload
  const brought = isRecord(hooks) ? hooks : {}
  if (Object.keys(brought).length > 0) {
    if (callHook === undefined) throw new Error('initialize: hooks are not supported')
    query.addHooks(readHostHooks(brought, callHook))
  }
  if (isRecord(agents)) query.addAgents(readAgents(agents))
  if (typeof forwardSubagentText === 'boolean') query.showAgentTexts(forwardSubagentText)
  return {
    commands: [],
    agents: query.agents(),
    output_style: 'default',
    available_output_styles: ['default'],
    models: [{ value: query.model, displayName: query.model, description: '' }],
    account: {},
    hooks_applied: true,
  }
}

/** What an agent is made of, the session checks. */
function readAgents(agents: Readonly<Record<string, unknown>>): AgentMap {
  const entries = Object.entries(agents).map(([name, fields]) => {
    if (isRecord(fields)) return [name, fields] as const
    throw new TypeError(`initialize: the agent ${name} must be an object`)
  })
  return Object.fromEntries(entries)
}

function text(subtype: string, serverName: unknown): string {
  if (typeof serverName === 'string') return serverName
  throw new Error(`${subtype}: serverName must be a string`)
}

function setPermissionMode(query: Query, { mode }: Payload): object {
  const wanted = toPermissionMode(mode)
  if (wanted === undefined)
    throw new Error(`set_permission_mode: mode must be one of ${permissionModes.join(', ')}`)
  query.setPermissionMode(wanted)
  return {}
}

async function setModel(query: Query, { model }: Payload): Promise<object> {
  if (model !== null && model !== undefined && typeof model !== 'string') {
    throw new Error('set_model: model must be a string or null')
  }
  await query.setModel(model ?? undefined)
  return {}
}

async function rewindFiles(query: Query, { user_message_id: id, dry_run: dryRun }: Payload): Promise<object> {
  if (typeof id !== 'string' || id === '') throw new Error('rewind_files: user_message_id must be a string')
  return query.rewindFiles(id, { dryRun: dryRun === true })
}

async function stopTask(query: Query, { task_id: id }: Payload): Promise<object> {
  if (typeof id !== 'string') throw new Error('stop_task: task_id must be a string')
  await query.stopTask(id)
  return {}
}
