/** Keeps a text that is too long for its reader; tells where. */
export type StoreReport = (agentId: string, text: string) => Promise<{ readonly path: string }>

/** How a report is cut. */
export interface CutOptions {
  /** The agent it is from. */
  readonly agentId: string
  /** The most that its reader gets. In characters. */
  readonly maxChars: number
  /** Where the whole is kept. */
  readonly store: StoreReport
}

/** The start of a report that is too long, with the path of the whole; a shorter one as it is. */
export async function cutReport(text: string, { agentId, maxChars, store }: CutOptions): Promise<string> {
  if (text.length <= maxChars) return text
  const kept = text.slice(0, maxChars).toWellFormed()
  const where = await store(agentId, text).then(
    ({ path }) => `Read ${path} for the whole.`,
    (error: unknown) => `The whole could not be saved: ${String(error)}`,
  )
  return `${kept}\n\n[The report is cut after ${maxChars} of ${text.length} characters. ${where}]`
}
