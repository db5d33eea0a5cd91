export type { RecordedRequest, SentToolResult, WireBlock, WireBody, WireMessage } from './recorded-request.ts'
export { lastText, toolResults } from './recorded-request.ts'
export type { ScriptEntry, ScriptedServer, ScriptedServerOptions } from './scripted-server.ts'
export { startScriptedServer } from './scripted-server.ts'
export type { StatusOptions } from './status.ts'
export { status } from './status.ts'
export type {
  BareStep,
  BlockDelta,
  BlockStep,
  DelayStep,
  ErrorStep,
  EventStep,
  MessageOptions,
  MessageReply,
  Reply,
  StatusReply,
  Step,
  StopStep,
  ToolUseOptions,
} from './steps.ts'
export {
  block,
  cut,
  delay,
  error,
  event,
  message,
  ping,
  redacted,
  silence,
  stop,
  text,
  thinking,
  toolUse,
} from './steps.ts'
