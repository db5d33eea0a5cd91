import type { TextBlock, ToolResultBlock } from '@x/contract'
import { type Screen, toPlain } from './paint.ts'

const maxLines = 6
const maxDiffLines = 40

/** Shows what a call came to: the diff of an edit, the end of a command's output, the first line of anything else. */
export function describeResult(
  result: ToolResultBlock,
  output: unknown,
  { paint, width }: Screen,
): readonly string[] {
  const hunks = patchOf(output)
  if (hunks.length > 0 && result.is_error !== true) return describeDiff(hunks, { paint, width })
  const lines = toPlain(reportOf(output) ?? textOf(result))
    .trimEnd()
    .split('\n')
  const tone = result.is_error === true ? 'bad' : 'dim'
  const shown =
    lines.length <= maxLines
      ? lines
      : [`… ${count(lines.length - maxLines)} above`, ...lines.slice(-maxLines)]
  return shown.map((line) => paint(tone, line.replaceAll('\t', ' ').slice(0, width).toWellFormed()))
}

function count(lines: number, more = ''): string {
  return `${lines} ${more}${lines === 1 ? 'line' : 'lines'}`
}

interface Hunk {
  readonly lines: readonly string[]
}

function patchOf(output: unknown): readonly Hunk[] {
  if (typeof output !== 'object' || output === null || !('structuredPatch' in output)) return []
  const { structuredPatch: patch } = output
  return Array.isArray(patch) ? patch.filter(isHunk) : []
}

function isHunk(value: unknown): value is Hunk {
  return typeof value === 'object' && value !== null && 'lines' in value && Array.isArray(value.lines)
}

function describeDiff(hunks: readonly Hunk[], { paint, width }: Screen): readonly string[] {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const shown = lines.slice(0, maxDiffLines).map((line) => paint(toneOf(line), toPlain(line).slice(0, width)))
  return lines.length > maxDiffLines ? [...shown, `… ${count(lines.length - maxDiffLines, 'more ')}`] : shown
}

/** How a line of a diff is meant. */
export function toneOf(line: string): 'good' | 'bad' | 'dim' {
  if (line.startsWith('+')) return 'good'
  return line.startsWith('-') ? 'bad' : 'dim'
}

/** What an agent has to say, and where its work is; how to go on with it is for the model. */
function reportOf(output: unknown): string | undefined {
  if (typeof output !== 'object' || output === null || !('agentId' in output)) return undefined
  const content: unknown = Reflect.get(output, 'content')
  const worktree: unknown = Reflect.get(output, 'worktreePath')
  if (!isTexts(content)) return undefined
  const texts = content.map(({ text }) => text)
  return [...texts, ...(typeof worktree === 'string' ? [`its worktree: ${worktree}`] : [])].join('\n')
}

function isTexts(content: unknown): content is readonly TextBlock[] {
  return (
    Array.isArray(content) && content.every((part: unknown) => Reflect.get(Object(part), 'type') === 'text')
  )
}

function textOf({ content }: ToolResultBlock): string {
  if (content === undefined || typeof content === 'string') return content ?? ''
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n')
}
