import { z } from 'zod'

/** Whether the content before a change is kept, and why not: an earlier copy counts, or there is none. */
const copySchema = z.enum(['kept', 'not-first', 'too-large', 'failed'])

const stateSchema = z.object({
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.number(),
})

const beforeSchema = stateSchema.extend({ mode: z.number(), copy: copySchema })

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('checkpoint'), messageId: z.string(), timeMs: z.number() }),
  z.object({
    type: z.literal('change'),
    number: z.number(),
    path: z.string(),
    // `null`: no file.
    before: beforeSchema.nullable(),
    after: stateSchema.nullable(),
    madeFolders: z.array(z.string()),
    rewindTo: z.string().optional(),
  }),
  z.object({ type: z.literal('written'), number: z.number() }),
])

/** One line of the index. */
export type IndexLine = z.output<typeof lineSchema>
/** A prompt, before which the files were as its checkpoint has them. */
export type CheckpointLine = Extract<IndexLine, { readonly type: 'checkpoint' }>
/** A file is about to change. */
export type ChangeLine = Extract<IndexLine, { readonly type: 'change' }>
/** A change is done. */
export type WrittenLine = Extract<IndexLine, { readonly type: 'written' }>
/** A file before a change; `null`: there was none. */
export type StateBefore = ChangeLine['before']
/** A file after a change; `null`: it was removed. */
export type StateAfter = ChangeLine['after']

/** The lines as text, each with its line feed. */
export function formatLines(lines: readonly IndexLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Reads an index. A line that was cut, or is none of ours, is left out. */
export function parseLines(text: string): readonly IndexLine[] {
  return text.split('\n').flatMap((line) => {
    const parsed = lineSchema.safeParse(parseJson(line))
    return parsed.success ? [parsed.data] : []
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
