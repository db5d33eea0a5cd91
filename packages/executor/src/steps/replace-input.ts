import type { JsonObject, Tool } from '@x/contract'
import { type ParsedInput, parseInput } from '../parse-input.ts'
import type { Run } from '../run.ts'
import { fillView } from './backfill.ts'
import { refuseInput, validateInput } from './validate-input.ts'

/**
 * Puts another input in place of the one so far: parsed, judged and validated again, as if the model had sent it.
 *
 * A hook that hands back what it was shown has replaced nothing.
 */
export async function replaceInput(run: Run, replacement: JsonObject): Promise<void> {
  if (isSameData(replacement, run.view)) return
  const parsed = parseReplacement(run, replacement)
  if (!parsed.ok) return refuseInput(run, parsed.message)
  run.input = parsed.value
  run.isReplaced = true
  run.kit.redeclare(run)
  if (run.kit.rules.mustStop(run.call)) return
  await validateInput(run)
  if (run.kit.rules.mustStop(run.call)) return
  fillView(run)
}

/** Derived fields may come back with the replacement although the schema does not know them. */
function parseReplacement(run: Run, replacement: JsonObject): ParsedInput {
  const parsed = parseInput(run.tool, replacement)
  if (parsed.ok || !canDrop(run, parsed.unexpectedKeys)) return parsed
  const known = Object.entries(replacement).filter(([key]) => !parsed.unexpectedKeys.includes(key))
  return parseInput(run.tool, Object.fromEntries(known))
}

function canDrop(
  { tool, input, view }: { tool: Tool; input: unknown; view: JsonObject },
  keys: readonly string[],
): boolean {
  if (tool.backfillInput === undefined || keys.length === 0) return false
  if (typeof input !== 'object' || input === null) return false
  return keys.every((key) => Object.hasOwn(view, key) && !Object.hasOwn(input, key))
}

function isSameData(one: JsonObject, other: JsonObject): boolean {
  try {
    return one === other || JSON.stringify(one) === JSON.stringify(other)
  } catch {
    return false
  }
}
