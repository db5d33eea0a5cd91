import { createTaskRegistry } from '@x/tools-tasks'

const tasks = createTaskRegistry()
const id = tasks.nextId('timer')
const ended = Promise.resolve({ status: 'completed', summary: 'The timer rang' } as const)
tasks.add({
  id,
  type: 'local_bash',
  description: 'a timer',
  toolUseId: 'toolu_1',
  outputFile: '/dev/null',
  startedAtMs: Date.now(),
  ended,
  stop: async () => {},
})
await ended
await new Promise((resolve) => setImmediate(resolve))

console.log(tasks.get(id)?.end) // { status: 'completed', summary: 'The timer rang' }
console.log(tasks.takeNotices().length, tasks.takeNotices().length) // 1 0: each notice is handed out once
