import { checkHistory, declareCall, defineTool, type Message, repairHistory } from '@x/contract'
import { z } from 'zod'

const countTool = defineTool({
  name: 'Count',
  description: 'Counts the words of a text.',
  inputSchema: z.strictObject({ text: z.string() }),
  isReadOnly: () => true,
  call: async ({ text }) => ({ data: text.split(/\s+/).length }),
  mapResult: (words, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: `${words} words`,
  }),
})

// What it does not say counts as the careful value.
console.log(declareCall(countTool, { text: 'a b' }))

// The program died while the tool ran: the call has no result, and the service would refuse the history.
const history: readonly Message[] = [
  { role: 'user', content: 'How many words?' },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'Count', input: { text: 'a b' } }],
  },
]
console.log(checkHistory(history))

const { messages } = repairHistory(history, { missingResultText: 'Interrupted' })
console.log(JSON.stringify(messages.at(-1)))
console.log(checkHistory(messages))
