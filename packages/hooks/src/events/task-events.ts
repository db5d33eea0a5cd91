import { z } from 'zod'
import { anyHandler, defineEvent, text } from './event.ts'

const task = {
  task_id: z.string(),
  task_subject: z.string(),
  task_description: text,
  teammate_name: text,
  team_name: text,
}
const shared = { handlers: anyHandler, exitTwo: 'block', audience: 'model', output: {} } as const

/** A task was created; a block removes it. */
export const TaskCreated = defineEvent({
  ...shared,
  takesDecision: true,
  universal: 'no-continue',
  refusal: 'instruct',
  input: task,
})

/** A task is being marked complete; a block leaves it open. */
export const TaskCompleted = defineEvent({
  ...shared,
  canFailClosed: false,
  tellsMode: true,
  refusal: 'instruct',
  input: task,
})

/** A teammate has nothing to do; a block keeps it working. */
export const TeammateIdle = defineEvent({
  ...shared,
  canFailClosed: false,
  tellsMode: true,
  refusal: 'idle',
  input: { teammate_name: z.string(), team_name: text },
})
