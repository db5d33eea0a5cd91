import type { Readable } from 'node:stream'
import { createCapture } from './capture.ts'
import { createLineSplitter } from './lines.ts'
import { DEFAULT_MAX, type LineOutput } from './options.ts'
import type { OutputSink } from './sink.ts'

/** Milliseconds that a pipe may stay open after the exit: a process that got away can hold it for ever. */
const DRAIN_MS = 200

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
  let whenClosed: (() => void) | undefined
  const forget = (stream: Readable): void => {
    streams.delete(stream)
    if (streams.size === 0) whenClosed?.()
  }
  return {
    take(stream, onBytes) {
      if (stream === null) return
      streams.add(stream)
      stream.on('data', onBytes)
      // A read error means that no more will come; `close` follows it.
      stream.on('error', () => {})
      stream.on('close', () => forget(stream))
    },
    drain() {
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          for (const stream of streams) stream.destroy()
        }, DRAIN_MS)
        whenClosed = () => {
          clearTimeout(timer)
          resolve(undefined)
        }
        if (streams.size === 0) whenClosed()
      })
    },
  }
}
