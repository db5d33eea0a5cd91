import type { ResultRecord, SystemRecord } from '@x/contract'
import { createPaint, type Paint, toPlain } from './paint.ts'

/** Writes lines and flowing text without mixing them. */
export class Painter {
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

  system(event: SystemRecord): void {
    if (event.subtype === 'informational') this.line('note', toPlain(String(event['content'])))
    if (event.subtype === 'task_notification') this.line('note', toPlain(String(event['summary'])))
  }

  result({ is_error: isError, subtype, errors = [], result }: ResultRecord): void {
    this.endLine()
    if (isError && subtype === 'success') this.line('bad', toPlain(result ?? ''))
    for (const error of errors) this.line('bad', toPlain(error))
  }
}
