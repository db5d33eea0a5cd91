import type { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { createCapture } from './capture.ts'
import { createLineSplitter } from './lines.ts'
import { DEFAULT_MAX, type LineOutput } from './options.ts'
import type { OutputSink } from './sink.ts'

/** Milliseconds that a pipe may stay open after the exit: a process that got away can hold it for ever. */
const DRAIN_MS = 200

/** More bytes than a pipe holds: what the process wrote before its exit is among them. */
const PIPE_BYTES = 4 * 1_048_576

/** Keeps both streams, apart and bounded. */
export function createMemorySink(maxBytes: number): OutputSink {
  const stdout = createCapture(maxBytes)
  const stderr = createCapture(maxBytes)
  const pipes = createPipes()
  return {
    stdio: ['pipe', 'pipe'],
    attach(child) {
      pipes.take(child.stdout, (bytes) => stdout.push(bytes))
      pipes.take(child.stderr, (bytes) => stderr.push(bytes))
    },
    finish: () => pipes.drain(),
    captured: () => ({ stdout: stdout.read(), stderr: stderr.read() }),
  }
}

/** Hands standard output over line by line and keeps standard error. */
export function createLineSink({
  onLine,
  onEnd,
  maxBytes = DEFAULT_MAX,
  maxLineLength = DEFAULT_MAX,
}: LineOutput): OutputSink {
  const stdout = createCapture(0)
  const stderr = createCapture(maxBytes)
  const pipes = createPipes()
  let failure: { readonly error: unknown } | undefined
  const guarded = (line: string): boolean => {
    try {
      return onLine(line) !== false
    } catch (error) {
      failure = { error }
      return false
    }
  }
  const lines = createLineSplitter(guarded, maxLineLength)
  return {
    stdio: ['pipe', 'pipe'],
    attach(child, end) {
      let open = true
      pipes.take(child.stdout, (bytes) => {
        if (!open || lines.push(bytes)) return
        open = false
        end({ kind: 'stopped' })
      })
      pipes.take(child.stderr, (bytes) => stderr.push(bytes))
      child.stdout?.once('close', () => {
        lines.end()
        onEnd?.()
      })
    },
    async finish() {
      await pipes.drain()
      lines.end()
      if (failure !== undefined) throw failure.error
      return undefined
    },
    captured: () => ({ stdout: stdout.read(), stderr: stderr.read() }),
  }
}

interface Pipes {
  take(stream: Readable | null, onBytes: (bytes: Uint8Array) => void): void
  drain(): Promise<undefined>
}

function createPipes(): Pipes {
  const streams = new Set<Readable>()
  let readBytes = 0
  let whenClosed: (() => void) | undefined
  const forget = (stream: Readable): void => {
    streams.delete(stream)
    if (streams.size === 0) whenClosed?.()
  }
  // A busy host comes to the timer before it has read what has been in the pipe since the exit.
  const close = async (): Promise<void> => {
    const mostBytes = readBytes + PIPE_BYTES
    for (let seenBytes = -1; readBytes > seenBytes && seenBytes < mostBytes; ) {
      seenBytes = readBytes
      await turn()
    }
    for (const stream of streams) stream.destroy()
  }
  return {
    take(stream, onBytes) {
      if (stream === null) return
      streams.add(stream)
      stream.on('data', (bytes: Uint8Array) => {
        readBytes += bytes.length
        onBytes(bytes)
      })
      // A read error means that no more will come; `close` follows it.
      stream.on('error', () => {})
      stream.on('close', () => forget(stream))
    },
    drain() {
      return new Promise((resolve) => {
        const timer = setTimeout(() => void close(), DRAIN_MS)
        whenClosed = () => {
          clearTimeout(timer)
          resolve(undefined)
        }
        if (streams.size === 0) whenClosed()
      })
    },
  }
}
