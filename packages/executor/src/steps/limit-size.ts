import { DEFAULT_MAX_RESULT_SIZE_CHARS, type ToolResultBlock } from '@x/contract'
import { textOf, withText } from '../result-content.ts'
import type { Run } from '../run.ts'
import { cutHead, cutMiddle } from '../text.ts'

const PREVIEW_CHARS = 2_000

/** A tool that throws has not bounded its text. */
const MAX_ERROR_CHARS = 10_000

/** Keeps a result that is over its tool's limit elsewhere; the model gets a preview and the path. Failures are cut instead. */
export function limitSize(run: Run): Promise<void> | undefined {
  const { result, kit } = run
  if (result === undefined || !isOverLimit(run, result)) return undefined
  if (!run.isFailure && kit.options.storeResult !== undefined) return store(run, result)
  run.result = cutResult(run, result)
  return undefined
}

/** Cuts a result to its tool's limit, with a note that says so. A failure keeps its beginning and its end. */
export function cutResult(run: Run, result: ToolResultBlock): ToolResultBlock {
  if (!isOverLimit(run, result)) return result
  const text = textOf(result)
  const limit = limitOf(run)
  if (run.isFailure) return withText(result, cutMiddle(text, limit))
  const head = cutHead(text, limit)
  return withText(
    result,
    `${head}\n\n[Cut here: ${text.length - head.length} of ${text.length} characters left out]`,
  )
}

async function store(run: Run, result: ToolResultBlock): Promise<void> {
  const text = textOf(result)
  const path = await tryToStore(run, text)
  if (run.kit.rules.mustStop(run.call)) return
  run.result = path === undefined ? cutResult(run, result) : withText(result, persistedText(text, path))
}

async function tryToStore(run: Run, text: string): Promise<string | undefined> {
  try {
    const stored: unknown = await run.kit.options.storeResult?.(run.call.id, text)
    return isStored(stored) ? stored.path.toWellFormed() : undefined
  } catch {
    return undefined
  }
}

function isStored(value: unknown): value is { readonly path: string } {
  return typeof value === 'object' && value !== null && 'path' in value && typeof value.path === 'string'
}

function persistedText(text: string, path: string): string {
  return [
    '<persisted-output>',
    `The output is ${text.length} characters long, too long to show. All of it is in: ${path}`,
    '',
    `The first ${PREVIEW_CHARS} characters:`,
    cutHead(text, PREVIEW_CHARS),
    '</persisted-output>',
  ].join('\n')
}

function isOverLimit(run: Run, { content }: ToolResultBlock): boolean {
  let length = 0
  if (typeof content === 'string') length = content.length
  else for (const part of content ?? []) if (part.type === 'text') length += part.text.length
  return length > limitOf(run)
}

function limitOf({ tool, returned }: Run): number {
  const declared = tool.maxResultSizeChars
  const limit = typeof declared === 'number' && declared > 0 ? declared : DEFAULT_MAX_RESULT_SIZE_CHARS
  return returned === undefined ? Math.min(limit, MAX_ERROR_CHARS) : limit
}
