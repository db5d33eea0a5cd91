import type { SessionEvent } from '@x/contract'
import type { CliArguments } from '../arguments.ts'
import type { Writer } from './writer.ts'

/** Where the events of a session go. */
export interface Sink {
  event(event: SessionEvent): Promise<void>
  /** After the last event. */
  end(): Promise<void>
}

/** Makes the sink for an output format. */
export function createSink({ outputFormat, verbose }: CliArguments, writer: Writer): Sink {
  switch (outputFormat) {
    case 'text':
      return textSink(writer)
    case 'json':
      return verbose ? arraySink(writer) : resultSink(writer)
    case 'stream-json':
      return lineSink(writer)
  }
}

/** The final text and a newline. A failure prints its message there too. */
function textSink(writer: Writer): Sink {
  return {
    async event(event) {
      if (event.type === 'result') await writer.write(`${event.result ?? (event.errors ?? []).join('\n')}\n`)
    },
    end: async () => {},
  }
}

/** The last result record alone: a hook may have made further turns before or behind the prompt's. */
function resultSink(writer: Writer): Sink {
  let result: SessionEvent | undefined
  return {
    async event(event) {
      if (event.type === 'result') result = event
    },
    async end() {
      if (result !== undefined) await writer.write(`${JSON.stringify(result)}\n`)
    },
  }
}

/** One array of all records, the last result last whatever comes behind it. It is written as it grows. */
function arraySink(writer: Writer): Sink {
  let opening = '['
  let result: SessionEvent | undefined

  function put(event: SessionEvent): Promise<void> {
    const text = `${opening}${JSON.stringify(event)}`
    opening = ',\n'
    return writer.write(text)
  }

  return {
    async event(event) {
      if (event.type !== 'result') return put(event)
      if (result !== undefined) await put(result)
      result = event
    },
    async end() {
      if (result !== undefined) await put(result)
      await writer.write(opening === '[' ? '[]\n' : ']\n')
    },
  }
}

/** One JSON object a line. */
function lineSink(writer: Writer): Sink {
  return { event: (event) => writer.write(`${JSON.stringify(event)}\n`), end: async () => {} }
}
