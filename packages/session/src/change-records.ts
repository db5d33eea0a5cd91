import type { SessionRecord } from '@x/contract'

/** Passes records on as `change` gives them, without those it gives nothing for. Whoever stops reading ends the records, too. */
export async function* changeRecords<End>(
  records: AsyncGenerator<SessionRecord, End>,
  change: (record: SessionRecord) => SessionRecord | undefined | Promise<SessionRecord>,
): AsyncGenerator<SessionRecord, End> {
  try {
    for (;;) {
      const next = await records.next()
      if (next.done === true) return next.value
      const changed = await change(next.value)
      if (changed !== undefined) yield changed
    }
  } finally {
    // The one edge: whoever ends them early takes no value.
    await records.return(undefined as never)
  }
}
