import { z } from 'zod'
import { anyHandler, defineEvent, text } from './event.ts'

const task = {
  /** The task. */
  task_id: z.string(),
  /** What it is. */
  task_subject: z.string(),
  /** More about it. */
  task_description: text,
  /** The teammate. */
  teammate_name: text,
  /** The team. */
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
  input: {
    /** The teammate. */
    teammate_name: z.string(),
    /** The team. */
    team_name: text,
  },
})
