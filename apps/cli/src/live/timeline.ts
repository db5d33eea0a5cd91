import { describeTime } from './describe-time.ts'
import type { Screen } from './paint.ts'

/** One call or one model message on the clock. Times in milliseconds. */
export interface Span {
  readonly id: string
  readonly label: string
  readonly kind: 'model' | 'call'
  readonly start: number
  readonly end: number
  readonly isFailed?: boolean
  /** The call that started the agent whose call this is. */
  readonly agent?: string
}

/** The time, and blanks between the columns. */
const margin = 14

/** Draws the spans below each other on one scale, a line each. */
export function drawTimeline(
  spans: readonly Span[],
  { paint, width: screenWidth }: Screen,
): readonly string[] {
  if (spans.length === 0) return []
  const labelWidth = Math.min(34, Math.max(8, Math.floor(screenWidth / 3)))
  const barWidth = Math.min(44, Math.max(4, screenWidth - labelWidth - margin))
  const origin = Math.min(...spans.map(({ start }) => start))
  const total = Math.max(...spans.map(({ end }) => end)) - origin || 1
  const scale = (time: number): number => Math.round(((time - origin) / total) * barWidth)
  return spans.map((span) => {
    const from = Math.min(scale(span.start), barWidth - 1)
    const width = Math.max(1, scale(span.end) - from)
    const bar = (span.kind === 'model' ? '─' : '█').repeat(width)
    const tone = span.kind === 'model' ? 'dim' : span.isFailed === true ? 'bad' : 'good'
    const label = span.label.length > labelWidth ? `${span.label.slice(0, labelWidth - 1)}…` : span.label
    const time = describeTime(span.end - span.start)
    return `${label.padEnd(labelWidth)} ${' '.repeat(from)}${paint(tone, bar)}${' '.repeat(barWidth - from - width)} ${time}`
  })
}

/** Names the calls of the same conversation that ran beside this one, and says if the model was still speaking when it began. */
export function describeOverlap(span: Span, all: readonly Span[]): string {
  const beside = all.filter(
    (other) =>
      other.id !== span.id && other.agent === span.agent && other.start < span.end && span.start < other.end,
  )
  const calls = beside.filter(({ kind }) => kind === 'call').map(({ label }) => label.split(' ')[0] ?? '')
  const isEarly = beside.some(({ kind, end }) => kind === 'model' && span.start < end)
  return [
    ...(isEarly ? ['began while the model was still speaking'] : []),
    ...(calls.length > 0 ? [`beside ${calls.join(', ')}`] : []),
  ].join(', ')
}
