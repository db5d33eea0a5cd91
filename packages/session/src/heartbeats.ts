import type { SessionRecord, ToolProgressRecord } from '@x/contract'

/** Tells from time to time that calls are still at work. */
export interface Heartbeats extends Disposable {
  /** Must be told of every record that goes out. */
  saw(record: SessionRecord): void
}

/** How often it is told of a call. In milliseconds. */
const intervalMs = 30_000

/** Makes the heartbeats of a session. They keep no process alive. */
export function createHeartbeats(tell: (record: SessionRecord) => void): Heartbeats {
  const running = new Map<string, NodeJS.Timeout>()

  function start({ phase: _phase, ...head }: ToolProgressRecord): void {
    const startedAt = performance.now()
    const beat = (): void => {
      const elapsedMs = Math.round(performance.now() - startedAt)
      tell({ ...head, elapsed_time_seconds: elapsedMs / 1_000, heartbeat: true })
    }
    running.set(head.tool_use_id, setInterval(beat, intervalMs).unref())
  }

  function stop(toolUseId: string): void {
    clearInterval(running.get(toolUseId))
    running.delete(toolUseId)
  }

  return {
    saw(record) {
      if (record.type !== 'tool_progress') return
      if (record.phase === 'start' || record.phase === 'end') stop(record.tool_use_id)
      if (record.phase === 'start') start(record)
    },
    [Symbol.dispose]() {
      for (const id of running.keys()) stop(id)
    },
  }
}
