export { type DescriptionOptions, describeAgentTool } from './agent-description.ts'
export type { AgentPlugin } from './agent-folders.ts'
export type { AgentLimits } from './agent-limits.ts'
export type { AgentEnded, AgentLaunched, AgentOutput } from './agent-output.ts'
export type { AgentReport, AgentStatus } from './agent-report.ts'
export { type AgentProgress, type AgentTool, createAgentTool } from './agent-tool.ts'
export { type Agents, createAgents } from './agents.ts'
export type {
  AgentExtras,
  AgentStart,
  AgentStopView,
  AgentsOptions,
  AgentView,
  WakingAgent,
} from './agents-options.ts'
export { type Budget, type BudgetLimits, type BudgetOptions, createBudget, type Spending } from './budget.ts'
export { type AgentEnvironment, builtInAgents } from './built-in-agents.ts'
export type { Environment } from './choices.ts'
export { collectNotices, confirmNotices } from './collect-notices.ts'
export type { StoreReport } from './cut-report.ts'
export type {
  AgentDefinition,
  AgentPermissionMode,
  AgentProblem,
  AgentSource,
} from './definition.ts'
export { AgentError, type AgentErrorCode, isAgentError } from './errors.ts'
export { findAgent } from './find-agent.ts'
export { type AgentMap, readAgentMap } from './flag-agents.ts'
export { findLastText } from './last-text.ts'
export { type LoadAgentsOptions, type LoadedAgents, loadAgents } from './load-agents.ts'
export { type NarrowedTools, type NarrowOptions, narrowTools } from './narrow-tools.ts'
export { type NoticeBox, type NoticeBoxOptions, openNoticeBox } from './notice-box.ts'
export type { NoticeEntry, NoticeJournal } from './notice-journal.ts'
export type { RunningTask } from './own-tasks.ts'
export { type AgentOrigin, type ParsedAgent, parseAgentFile } from './parse-agent-file.ts'
export type { AgentCall } from './plan-agent.ts'
export { scanReport } from './scan-report.ts'
export { createScope, type Scope } from './scope.ts'
export type { AgentMessage, Delivery } from './send-message.ts'
export { createSendMessageTool, type SendMessageTool } from './send-message-tool.ts'
export {
  type AgentMeta,
  createMemorySidechains,
  type Sidechain,
  type SidechainEnd,
  type Sidechains,
  type StoredAgent,
} from './sidechains.ts'
export { type LoadSkillOptions, loadSkill } from './skills/load-skill.ts'
export type { LoadedSkill, Skill } from './skills/parse-skill.ts'
export type { ReadSkillFile, SkillFile } from './skills/read-skill-file.ts'
export type {
  AgentWorktree,
  EndedWorktree,
  GuardedCall,
  WorktreeCreation,
  WorktreeRequest,
  Worktrees,
} from './worktrees.ts'
