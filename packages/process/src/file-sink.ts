import { closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { createCapture } from './capture.ts'
import type { FileOutput } from './options.ts'
import type { OutputSink, SinkCause } from './sink.ts'

const SHORTEST_LOOK_MS = 10
const LONGEST_LOOK_MS = 250

/** Gives the process a descriptor of the file for both streams, so that nothing passes through the host. */
export function createFileSink({ path, maxFileBytes }: FileOutput): OutputSink {
  const descriptor = openSync(path, 'a', 0o600)
  const nothing = createCapture(0).read()
  let stopWatching = (): void => {}
  return {
    stdio: [descriptor, descriptor],
    attach(_child, end) {
      if (maxFileBytes !== undefined) stopWatching = watchSize({ descriptor, maxFileBytes, end })
    },
    async finish() {
      stopWatching()
      try {
        if (maxFileBytes === undefined || fstatSync(descriptor).size <= maxFileBytes) return undefined
        ftruncateSync(descriptor, maxFileBytes)
        return { kind: 'output-limit', maxFileBytes }
      } finally {
        closeSync(descriptor)
      }
    },
    captured: () => ({ stdout: nothing, stderr: nothing }),
  }
}

interface SizeWatch {
  readonly descriptor: number
  readonly maxFileBytes: number
  readonly end: (cause: SinkCause) => void
}

/** Looks at the size, often while the file grows and seldom while it does not, and does not keep the host alive. */
function watchSize({ descriptor, maxFileBytes, end }: SizeWatch): () => void {
  let size = 0
  let pauseMs = SHORTEST_LOOK_MS
  let timer = setTimeout(look, pauseMs).unref()
  function look(): void {
    const grown = fstatSync(descriptor).size - size
    size += grown
    if (size > maxFileBytes) {
      end({ kind: 'output-limit', maxFileBytes })
      return
    }
    // At the present speed half of what is left may be written until the next look.
    const untilHalfMs = grown > 0 ? ((maxFileBytes - size) / grown) * (pauseMs / 2) : pauseMs * 2
    pauseMs = Math.min(LONGEST_LOOK_MS, Math.max(SHORTEST_LOOK_MS, untilHalfMs))
    timer = setTimeout(look, pauseMs).unref()
  }
  return () => clearTimeout(timer)
}
