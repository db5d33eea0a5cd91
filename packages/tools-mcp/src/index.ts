export type { McpCallResult, McpProgress } from './call-server-tool.ts'
export type { McpCallOptions, McpServerState } from './connection.ts'
export { createMcpConnections } from './connections.ts'
export type { McpTool } from './create-server-tool.ts'
export type { ElicitAnswer, McpElicitation, McpElicitationAnswer } from './elicitation.ts'
export { isMcpError, McpError, type McpErrorCode, type McpErrorFacts } from './errors.ts'
export type { Environment } from './expand-variables.ts'
export { DEFAULT_MCP_LIMITS, type McpLimits, readMcpLimits } from './limits.ts'
export type { McpLogEntry } from './link.ts'
export {
  createListMcpResourcesTool,
  type ListMcpResourcesTool,
  type McpResourceToolOptions,
} from './list-mcp-resources-tool.ts'
export {
  type LoadedMcpConfigs,
  type LoadMcpConfigsOptions,
  loadMcpConfigs,
  type McpPluginConfig,
} from './load-mcp-configs.ts'
export type {
  McpCall,
  McpConnections,
  McpConnectionsOptions,
  McpServerStatus,
  McpToolPlace,
  McpWaitOptions,
} from './mcp-connections.ts'
export {
  type McpConfigProblem,
  type McpConfigReading,
  type ReadMcpConfigOptions,
  readMcpConfig,
} from './read-mcp-config.ts'
export {
  createReadMcpResourceTool,
  type ReadMcpResourceResult,
  type ReadMcpResourceTool,
  type ReadMcpResourceToolOptions,
  type SavedContent,
} from './read-mcp-resource-tool.ts'
export type { McpResource, McpResourceContent } from './resources.ts'
export { toResultText } from './result-content.ts'
export type {
  McpHttpConfig,
  McpInProcessConfig,
  McpScope,
  McpServer,
  McpServerConfig,
  McpServerSettings,
  McpStdioConfig,
  McpTransport,
} from './server-config.ts'
