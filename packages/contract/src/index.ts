export type {
  Base64ImageSource,
  Base64PdfSource,
  ContentBlock,
  ContentSource,
  CoreBlock,
  DocumentBlock,
  DocumentSource,
  FileSource,
  ForeignBlock,
  ImageBlock,
  ImageSource,
  PlainTextSource,
  RedactedThinkingBlock,
  TextBlock,
  ThinkingBlock,
  ToolReferenceBlock,
  ToolResultBlock,
  ToolResultPart,
  ToolUseBlock,
  UrlSource,
} from './blocks.ts'
export type { ToolCallOutcome } from './call-tool.ts'
export { callTool } from './call-tool.ts'
export type {
  AgentIdentity,
  ContextFlags,
  ContextLimits,
  FileReadCache,
  FileReadState,
  Interaction,
  SessionOptions,
  StateKey,
  ToolUseContext,
  UiCallbacks,
} from './context.ts'
export type { ToolUseContextOptions } from './create-tool-use-context.ts'
export { createToolUseContext } from './create-tool-use-context.ts'
export type { CallDeclarations, DefinedTool } from './define-tool.ts'
export { DEFAULT_MAX_RESULT_SIZE_CHARS, declareCall, defineTool } from './define-tool.ts'
export { type EffortLevel, effortLevels, toEffortLevel } from './effort.ts'
export { escapeMarkup } from './escape-markup.ts'
export type { FileChange, FileContent, FileHistory, NoteWritten } from './file-history.ts'
export { checkHistory } from './history-check.ts'
export type { HistoryFault, HistoryFaultCode } from './history-fault.ts'
export type { RepairedHistory, RepairHistoryOptions } from './history-repair.ts'
export { repairHistory } from './history-repair.ts'
export { isContinuation } from './is-continuation.ts'
export type {
  AssistantMessage,
  InputJsonSchema,
  JsonObject,
  Message,
  StopReason,
  Usage,
  UserMessage,
} from './messages.ts'
export type {
  BlockDeltaEvent,
  BlockEndEvent,
  BlockStartEvent,
  MessageEndEvent,
  MessageStartEvent,
  Model,
  ModelEvent,
  ModelRequest,
  OtherModelEvent,
  RawModelEvent,
  ToolDefinition,
} from './model.ts'
export type { ModelErrorCode, ModelErrorOptions } from './model-error.ts'
export { isModelError, ModelError } from './model-error.ts'
export type {
  Authorize,
  CallView,
  CanUseTool,
  DecisionReason,
  HookVerdict,
  MatchRule,
  PermissionAllow,
  PermissionDecision,
  PermissionDeny,
} from './permission.ts'
export type {
  AgentOutcome,
  AgentRequest,
  BackgroundTask,
  HistoryLog,
  RunAgent,
  StopTaskOptions,
  TaskChange,
  TaskEnd,
  TaskProgress,
  TaskRegistry,
  TaskUsage,
  TaskView,
} from './ports.ts'
export { reminderText } from './reminder-text.ts'
export type {
  ApiErrorName,
  AssistantRecord,
  DeferredToolUse,
  EventPlace,
  EventStamp,
  ModelUsage,
  PermissionDenial,
  ResultRecord,
  SessionEvent,
  SessionRecord,
  StreamEventRecord,
  SystemRecord,
  TerminalReason,
  ToolProgressRecord,
  UserRecord,
} from './session-event.ts'
export type { SessionState } from './session-state.ts'
export { createSessionState } from './session-state.ts'
export type { InputVerdict, InterruptBehavior, Tool, ToolDeclarations, ToolResult } from './tool.ts'
export type { HookOutcome, PostToolUseOutcome, PreToolUseOutcome, ToolHooks } from './tool-hooks.ts'
export type { WithoutUndefined } from './without-undefined.ts'
export { withoutUndefined } from './without-undefined.ts'
