import { errorResult, wrapError } from './answers.ts'
import { type Run, resultEvent, type Step } from './run.ts'
import { applyModifier } from './steps/apply-modifier.ts'
import { authorizeCall } from './steps/authorize.ts'
import { backfill } from './steps/backfill.ts'
import { callTool } from './steps/call-tool.ts'
import { checkInput } from './steps/check-input.ts'
import { deliver } from './steps/deliver.ts'
import { judgeAgain } from './steps/judge-again.ts'
import { limitSize } from './steps/limit-size.ts'
import { logCall } from './steps/log-call.ts'
import { mapOutput } from './steps/map-output.ts'
import { postToolUse } from './steps/post-tool-use.ts'
import { postToolUseFailure } from './steps/post-tool-use-failure.ts'
import { preToolUse } from './steps/pre-tool-use.ts'
import { validateInput } from './steps/validate-input.ts'
import { describeError } from './text.ts'

/** The way of one call from its turn to its answer. Finding the tool and parsing the input come before, at its arrival. */
const steps: readonly Step[] = [
  checkInput,
  validateInput,
  backfill,
  preToolUse,
  authorizeCall,
  judgeAgain,
  logCall,
  callTool,
  postToolUseFailure,
  postToolUse,
  applyModifier,
  mapOutput,
  limitSize,
  deliver,
]

/** Takes one call through all steps, until one of them answers it or it is answered from outside. Never rejects. */
export async function runPipeline(run: Run): Promise<void> {
  const { call, kit } = run
  try {
    for (const step of steps) {
      const pending = step(run)
      if (pending !== undefined) await pending
      if (kit.rules.mustStop(call)) return
    }
  } catch (error) {
    if (kit.rules.mustStop(call)) return
    kit.failed(run)
    const text = wrapError(`The call could not be carried out: ${describeError(error)}`)
    kit.complete(call, resultEvent(run, run.hasEntered ? 'ran' : 'invalid-input', errorResult(call.id, text)))
  } finally {
    kit.ended(run)
  }
}
