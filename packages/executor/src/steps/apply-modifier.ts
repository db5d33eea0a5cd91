import type { Run } from '../run.ts'
import { describeError } from '../text.ts'
import { failWith } from './map-output.ts'

/** Moves the context on before anybody else begins. A modifier that throws makes the call an error; the context stays. */
export function applyModifier(run: Run): void {
  const modifier = run.returned?.contextModifier
  if (modifier === undefined) return
  try {
    run.kit.modify(run, modifier)
  } catch (error) {
    failWith(run, `The call ran, but its change of the context failed: ${describeError(error)}`)
  }
}
