import type {
  AssistantRecord,
  ResultRecord,
  SessionEvent,
  ToolProgressRecord,
  ToolResultBlock,
  UserRecord,
} from '@x/contract'
import { describeRetry } from '../describe-retry.ts'
import { field } from '../field.ts'
import { describeCall } from './describe-call.ts'
import { describeResult } from './describe-result.ts'
import { createPaint, type Paint, screenOf, toPlain } from './paint.ts'
import { SpanClock } from './span-clock.ts'
import { describeOverlap, drawTimeline } from './timeline.ts'

/** Characters before a line of a result. */
const indent = 6

/** Shows a session to a person as it happens. */
export interface LiveView {
  /** Shows an event; `at` is when it came, if that was not now. */
  event(event: SessionEvent, at?: number): void
  /** The whole run on one scale. */
  timeline(): readonly string[]
}

/** What a view is made of. */
export interface LiveViewOptions {
  /** Where it is shown. */
  readonly stream: NodeJS.WriteStream
  /** The working folder; paths below it are shown relative to it. */
  readonly cwd: string
  /** Milliseconds. @default performance.now */
  readonly now?: () => number
}

/** Makes a view. The session should yield partial messages, so that text appears as it is written. */
export function createLiveView({ stream, cwd, now = () => performance.now() }: LiveViewOptions): LiveView {
  const painter = new Painter(stream)
  const clock = new SpanClock(now)

  function assistant({ message, error }: AssistantRecord): void {
    const blocks = typeof message.content === 'string' ? [] : message.content
    for (const block of blocks) {
      if (block.type === 'tool_use')
        clock.name(block.id, `${block.name} ${describeCall(block.name, block.input, cwd)}`)
      if (block.type === 'text' && error !== undefined) painter.line('bad', toPlain(block.text))
    }
  }

  function progress({ tool_use_id: id, phase, cause }: ToolProgressRecord): void {
    if (phase === 'start') clock.start(id)
    if (phase === 'end') clock.end(id, cause ?? 'ran')
    if (phase === 'start') painter.line('note', `▸ ${clock.labelOf(id)}`)
  }

  function results({ message, tool_use_result: output }: UserRecord): void {
    const blocks = typeof message.content === 'string' ? [] : message.content
    for (const block of blocks) if (block.type === 'tool_result') result(block as ToolResultBlock, output)
  }

  function result(block: ToolResultBlock, output: unknown): void {
    const span = clock.spanOf(block.tool_use_id)
    const mark = block.is_error === true ? painter.paint('bad', '✗') : painter.paint('good', '✓')
    const overlap = span === undefined ? '' : describeOverlap(span, clock.spans())
    const time = span === undefined ? 'did not run' : `${Math.round(span.end - span.start)} ms`
    painter.text(
      `${mark} ${clock.labelOf(block.tool_use_id)}  ${painter.paint('dim', [time, overlap].filter(Boolean).join(', '))}`,
    )
    // What the model is told of an interruption is not for the person who made it.
    if (clock.isInterrupted(block.tool_use_id))
      return painter.text(`    ${painter.paint('dim', 'interrupted')}`)
    const { paint, width } = screenOf(stream)
    for (const line of describeResult(block, output, { paint, width: Math.max(20, width - indent) }))
      painter.text(`    ${line}`)
  }

  return {
    event(event, at) {
      clock.time = at
      if (event.type === 'stream_event') streamed(event.event, painter, clock)
      if (event.type === 'assistant') assistant(event)
      if (event.type === 'tool_progress') progress(event)
      if (event.type === 'user') results(event)
      if (event.type === 'system') painter.system(event)
      if (event.type === 'result') painter.result(event)
    },
    timeline: () => drawTimeline(clock.spans(), screenOf(stream)),
  }
}

/** Raw events of the model's stream: text is shown as it comes, and when the model spoke is kept. */
function streamed(event: unknown, painter: Painter, clock: SpanClock): void {
  switch (field(event, 'type')) {
    case 'message_start':
      return clock.modelStarts()
    case 'message_stop':
      return clock.modelEnds()
    case 'content_block_stop':
      return painter.endLine()
    case 'content_block_delta': {
      const text = field(field(event, 'delta'), 'text')
      if (typeof text === 'string') painter.flow(toPlain(text))
    }
  }
}

/** Writes lines and flowing text without mixing them. */
class Painter {
  readonly paint: Paint
  readonly #stream: NodeJS.WriteStream
  #isInLine = false

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream
    this.paint = createPaint(stream)
  }

  flow(text: string): void {
    this.#stream.write(text)
    if (text !== '') this.#isInLine = !text.endsWith('\n')
  }

  endLine(): void {
    if (this.#isInLine) this.#stream.write('\n')
    this.#isInLine = false
  }

  text(line: string): void {
    this.endLine()
    this.#stream.write(`  ${line}\n`)
  }

  line(tone: Parameters<Paint>[0], line: string): void {
    this.text(this.paint(tone, line))
  }

  system(event: { readonly subtype: string; readonly [key: string]: unknown }): void {
    if (event.subtype === 'informational') this.line('note', toPlain(String(event['content'])))
    if (event.subtype === 'task_notification') this.line('note', toPlain(String(event['summary'])))
    if (event.subtype === 'api_retry') this.line('note', describeRetry(event))
  }

  result({ is_error: isError, subtype, errors = [], result }: ResultRecord): void {
    this.endLine()
    if (isError && subtype === 'success') this.line('bad', toPlain(result ?? ''))
    for (const error of errors) this.line('bad', toPlain(error))
  }
}
