import * as api from '@x/tools-mcp'
import { expect, test } from 'vitest'

test('exports exactly these names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'DEFAULT_MCP_LIMITS',
    'McpError',
    'createListMcpResourcesTool',
    'createMcpConnections',
    'createReadMcpResourceTool',
    'isMcpError',
    'loadMcpConfigs',
    'readMcpConfig',
    'readMcpLimits',
    'toResultText',
  ])
})
