import type {
  AssistantRecord,
  SessionEvent,
  SystemRecord,
  ToolProgressRecord,
  ToolResultBlock,
  UserRecord,
} from '@x/contract'
import { describeRetry } from '../describe-retry.ts'
import { field } from '../field.ts'
import { describeCall } from './describe-call.ts'
import { describeResult } from './describe-result.ts'
import { describeTime } from './describe-time.ts'
import { screenOf, toPlain } from './paint.ts'
import { Painter } from './painter.ts'
import { createShownCalls } from './shown-calls.ts'
import { SpanClock } from './span-clock.ts'
import { describeOverlap, drawTimeline } from './timeline.ts'

/** Characters before a line of a result. */
const resultIndent = 6

/** Shows a session to a person as it happens. */
export interface LiveView {
  /** Shows an event; `at` is when it came, if that was not now. */
  event(event: SessionEvent, at?: number): void
  /** Resolves when a call of the main conversation is on the screen, and all that was said before it. */
  shown(id: string): Promise<void>
  /** The call that started the agent whose call this is; undefined where none is known. */
  ownerOf(id: string): string | undefined
  /** A person has said whether a call may run: it begins now. */
  answered(id: string): void
  /** The whole run on one scale. */
  timeline(): readonly string[]
}

/** What a view is made of. */
export interface LiveViewOptions {
  /** Where it is shown. */
  readonly stream: NodeJS.WriteStream
  /** Milliseconds. @default performance.now */
  readonly now?: () => number
}

/** Makes a view. The session should yield partial messages, so that text appears as it is written. */
export function createLiveView({ stream, now = () => performance.now() }: LiveViewOptions): LiveView {
  return new EventView(stream, now)
}

class EventView implements LiveView {
  readonly #stream: NodeJS.WriteStream
  readonly #painter: Painter
  readonly #clock: SpanClock
  readonly #calls = createShownCalls()
  /** Paths below it are shown relative to it. */
  #cwd = '/'

  constructor(stream: NodeJS.WriteStream, now: () => number) {
    this.#stream = stream
    this.#painter = new Painter(stream)
    this.#clock = new SpanClock(now)
  }

  event(event: SessionEvent, at?: number): void {
    this.#clock.time = at
    if (event.type === 'stream_event') streamed(event.event, this.#painter, this.#clock)
    if (event.type === 'assistant') this.#assistant(event)
    if (event.type === 'tool_progress') this.#progress(event)
    if (event.type === 'user') this.#results(event)
    if (event.type === 'system') this.#system(event)
    if (event.type === 'result') this.#painter.result(event)
    const retry = describeRetry(event)
    if (retry !== undefined) this.#painter.line('note', retry)
  }

  shown(id: string): Promise<void> {
    return this.#calls.shown(id)
  }

  ownerOf(id: string): string | undefined {
    return this.#clock.ownerOf(id)
  }

  answered(id: string): void {
    this.#clock.answered(id)
  }

  timeline(): readonly string[] {
    return drawTimeline(this.#clock.spans(), screenOf(this.#stream))
  }

  #system(record: SystemRecord): void {
    if (record.subtype === 'init') this.#cwd = String(record['cwd'])
    this.#painter.system(record)
  }

  #assistant({ message, error }: AssistantRecord): void {
    const blocks = typeof message.content === 'string' ? [] : message.content
    for (const block of blocks) {
      if (block.type === 'tool_use') {
        this.#clock.name(block.id, `${block.name} ${describeCall(block.name, block.input, this.#cwd)}`)
        this.#calls.add(block.id)
      }
      if (block.type === 'text' && error !== undefined) this.#painter.line('bad', toPlain(block.text))
    }
  }

  #progress({ tool_use_id: id, phase, cause, ...record }: ToolProgressRecord): void {
    if (phase === 'end') this.#clock.end(id, cause ?? 'ran')
    if (phase !== 'start') return
    // A call that goes on from an earlier process was named there.
    if (!this.#clock.hasName(id)) this.#clock.name(id, record.tool_name)
    this.#clock.start(id, record.parent_tool_use_id)
    this.#painter.line('note', `${indentOf(record)}▸ ${this.#clock.labelOf(id)}`)
    this.#calls.add(id)
  }

  #results(record: UserRecord): void {
    const { content } = record.message
    const blocks = typeof content === 'string' ? [] : content
    for (const block of blocks)
      if (block.type === 'tool_result') this.#result(block as ToolResultBlock, record)
  }

  #result(block: ToolResultBlock, record: UserRecord): void {
    const { tool_use_id: id } = block
    const painter = this.#painter
    const indent = indentOf(record)
    const mark = block.is_error === true ? painter.paint('bad', '✗') : painter.paint('good', '✓')
    painter.text(
      `${indent}${mark} ${this.#clock.labelOf(id)}  ${painter.paint('dim', this.#describeRun(id))}`,
    )
    // What the model is told of an interruption is not for the person who made it.
    if (this.#clock.isInterrupted(id))
      return painter.text(`${indent}    ${painter.paint('dim', 'interrupted')}`)
    const { paint, width: whole } = screenOf(this.#stream)
    const width = Math.max(20, whole - resultIndent - indent.length)
    for (const line of describeResult(block, record.tool_use_result, { paint, width }))
      painter.text(`${indent}    ${line}`)
  }

  /** How long a call took, and what ran meanwhile. */
  #describeRun(id: string): string {
    const span = this.#clock.spanOf(id)
    if (span === undefined || this.#clock.isDenied(id)) return 'did not run'
    const overlap = describeOverlap(span, this.#clock.spans())
    return [describeTime(span.end - span.start), overlap].filter(Boolean).join(', ')
  }
}

/** What an agent does stands below the call that started it. */
function indentOf({ parent_tool_use_id: agent }: { readonly parent_tool_use_id: string | null }): string {
  return agent === null ? '' : '  '
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
