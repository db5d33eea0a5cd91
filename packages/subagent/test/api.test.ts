import { expect, it } from 'vitest'
import * as api from '../src/index.ts'

it('exports exactly these names', () => {
  expect(Object.keys(api).toSorted()).toEqual([
    'AgentError',
    'builtInAgents',
    'collectNotices',
    'confirmNotices',
    'createAgentTool',
    'createAgents',
    'createBudget',
    'createMemorySidechains',
    'createScope',
    'createSendMessageTool',
    'describeAgentTool',
    'findAgent',
    'findLastText',
    'isAgentError',
    'loadAgents',
    'narrowTools',
    'openNoticeBox',
    'parseAgentFile',
    'readAgentMap',
    'scanReport',
  ])
})
