import { z } from 'zod'

/** What the model gives. */
export const bashInputSchema = z.strictObject({
  command: z.string().describe('The command'),
  timeout: z.number().positive().optional().describe('Time limit in milliseconds'),
  description: z.string().optional().describe('What it does, in 5 to 10 words'),
  run_in_background: z.boolean().optional().describe('Return at once; a notice tells when it has ended'),
  dangerouslyDisableSandbox: z.boolean().optional().describe('Has no effect: there is no sandbox'),
})

/** Input of the Bash tool. */
export type BashInput = z.output<typeof bashInputSchema>
