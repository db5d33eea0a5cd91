import type { ToolResultBlock } from '@x/contract'
import { INLINE_CHARS } from './options.ts'
import { parseImage } from './parse-image.ts'
import { cutBack } from './read-output.ts'

/** What a command came to. */
export interface BashResult {
  /** Both streams as they were written, cleaned of what is only for terminals. */
  readonly stdout: string
  /** What the tool itself has to say. */
  readonly stderr: string
  /** The command was ended before it was done. */
  readonly interrupted: boolean
  /** Absent while it runs. */
  readonly exitCode?: number
  /** What the exit code means where it is an answer and no failure. */
  readonly returnCodeInterpretation?: string
  /** `stdout` is the data URL of an image. */
  readonly isImage?: boolean
  /** The task that goes on behind the conversation. */
  readonly backgroundTaskId?: string
  /** Its time was up. In milliseconds. */
  readonly timedOutAfterMs?: number
  /** What happens to its change of folder. */
  readonly backgroundCwdHint?: string
  /** The file that holds all of an output that is too long to show. */
  readonly persistedOutputPath?: string
  /** Its size in bytes. */
  readonly persistedOutputSize?: number
  /** The file that holds all of a failed command's output, beginning and end of which are in `stdout`. */
  readonly rawOutputPath?: string
}

const PREVIEW_CHARS = 2000

/** Says a result to the model. */
export function toResultBlock(result: BashResult, toolUseId: string): ToolResultBlock {
  const block = { type: 'tool_result', tool_use_id: toolUseId } as const
  const image = result.isImage === true ? parseImage(result.stdout) : undefined
  if (image !== undefined) return { ...block, content: [{ type: 'image', source: image }] }
  const text = toText(result)
  return isFailure(result) ? { ...block, content: text, is_error: true } : { ...block, content: text }
}

/** Whether the exit code says that the command failed. */
export function isFailure({ exitCode, returnCodeInterpretation }: BashResult): boolean {
  return exitCode !== undefined && exitCode !== 0 && returnCodeInterpretation === undefined
}

function toText(result: BashResult): string {
  const { stdout, stderr, exitCode, returnCodeInterpretation, persistedOutputPath } = result
  const parts = [
    ...(isFailure(result) ? [`Exit code ${exitCode}`] : []),
    persistedOutputPath === undefined ? trimEnds(stdout) : toPreview(result, persistedOutputPath),
    ...(returnCodeInterpretation === undefined
      ? []
      : [`(exit code ${exitCode}: ${returnCodeInterpretation})`]),
    stderr,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '(no output)' : cutBack(parts.join('\n'), INLINE_CHARS)
}

function toPreview({ stdout, persistedOutputSize }: BashResult, path: string): string {
  return [
    '<persisted-output>',
    `The output is too long to show (${persistedOutputSize} bytes). All of it is in: ${path}`,
    '',
    `The first ${PREVIEW_CHARS} characters:`,
    cutBack(stdout, PREVIEW_CHARS).trimEnd(),
    '</persisted-output>',
  ].join('\n')
}

/** Empty lines around the output say nothing; blanks in front of the first line may be a table's. */
function trimEnds(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
}
