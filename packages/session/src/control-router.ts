import { permissionModes, toPermissionMode } from '@x/permissions'
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
type Handler = (query: Query, payload: Payload) => object | Promise<object>

const handlers: Readonly<Record<string, Handler>> = {
  initialize,
  interrupt: (query, { cancel_queued: cancelQueued }) =>
    query.interrupt({ cancelQueued: cancelQueued === true }),
  set_permission_mode: setPermissionMode,
  set_model: setModel,
  stop_task: stopTask,
  mcp_status: () => ({ mcpServers: [] }),
}

/** Makes the router of one running query. What it does not know it refuses with an error. */
export function createControlRouter(query: Query): ControlRouter {
  return async (request) => {
    const id = requestId(request)
    try {
      const payload = payloadOf(request)
      const handler = Object.hasOwn(handlers, payload.subtype) ? handlers[payload.subtype] : undefined
      if (handler === undefined) throw new Error(`Unsupported control request subtype: ${payload.subtype}`)
      return succeed(id, await handler(query, payload))
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
  const id = isObject(request) ? request['request_id'] : undefined
  return typeof id === 'string' ? id : ''
}

function payloadOf(request: unknown): Payload {
  const payload = isObject(request) ? request['request'] : undefined
  const subtype = isObject(payload) ? payload['subtype'] : undefined
  if (!isObject(payload) || typeof subtype !== 'string')
    throw new Error('A control request needs request.subtype')
  return { ...payload, subtype }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Hooks and agents that a host brings are refused, not ignored: a guard must not be off unseen. */
function initialize(query: Query, { hooks, agents }: Payload): object {
  if (isObject(hooks) && Object.keys(hooks).length > 0) throw new Error('initialize: hooks are not supported')
  if (isObject(agents) && Object.keys(agents).length > 0)
    throw new Error('initialize: agents are not supported')
  return {
    commands: [],
    agents: [],
    output_style: 'default',
    available_output_styles: ['default'],
    models: [{ value: query.model, displayName: query.model, description: '' }],
    account: {},
  }
}

function setPermissionMode(query: Query, { mode }: Payload): object {
  const wanted = toPermissionMode(mode)
  if (wanted === undefined)
    throw new Error(`set_permission_mode: mode must be one of ${permissionModes.join(', ')}`)
  query.setPermissionMode(wanted)
  return {}
}

function setModel(query: Query, { model }: Payload): object {
  if (model !== null && model !== undefined && typeof model !== 'string') {
    throw new Error('set_model: model must be a string or null')
  }
  query.setModel(model ?? undefined)
  return {}
}

async function stopTask(query: Query, { task_id: id }: Payload): Promise<object> {
  if (typeof id !== 'string') throw new Error('stop_task: task_id must be a string')
  await query.stopTask(id)
  return {}
}
