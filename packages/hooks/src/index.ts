export type {
  CallbackOptions,
  FullHookInput,
  HookCallback,
  HookCallbackContext,
} from './callback-hook.ts'
export type { Hooks, RunHooksOptions } from './create-hooks.ts'
export { createHooks } from './create-hooks.ts'
export { describeHandler } from './describe-handler.ts'
export type { EventSpec, HandlerType } from './events/event.ts'
export type { CommonHookInput, HookEventName, HookFields, HookInput } from './events/table.ts'
export { hookEvents, isHookEventName } from './events/table.ts'
export type {
  AgentHandler,
  CommandHandler,
  HookHandler,
  HttpHandler,
  McpToolHandler,
  PromptHandler,
} from './handler-config.ts'
export type { HookOutput } from './hook-answer.ts'
export type {
  HandlerOutcome,
  HandlerReport,
  HookResult,
  HookRewrite,
  LateHookResult,
} from './hook-result.ts'
export type {
  DirectHandler,
  HookGroup,
  HookOrigin,
  HookPlugin,
  HookSource,
  HooksConfig,
} from './hooks-config.ts'
export { hooksSection } from './hooks-config.ts'
export type {
  HookProgress,
  HooksOptions,
  McpToolAnswer,
  McpToolCall,
  ModelQuestion,
} from './hooks-options.ts'
export type { Matcher } from './matcher.ts'
export type { ConfiguredHook, HookProblem } from './read-hooks.ts'
export type { HookSwitches } from './select-sources.ts'
export { selectHookSources } from './select-sources.ts'
export type { ToToolHooksOptions } from './to-tool-hooks.ts'
export { toToolHooks } from './to-tool-hooks.ts'
