/** One measured figure, as a benchmark prints it: a line of JSON. */
export interface Figure {
  /** The benchmark, e.g. `overlap`. */
  readonly bench: string
  /** What was measured, with its unit. */
  readonly figure: string
  readonly ours: number | null
  /** The bare thing beside it, in the same unit. */
  readonly bare?: number
  readonly ratio?: number
  /** What we promise, as text. */
  readonly target?: string
  /** Whether the promise holds in this run. */
  readonly ok?: boolean
}

/** Reads the figures out of a benchmark's output; other lines are for people. */
export function parseFigures(output: string): readonly Figure[] {
  return output.split('\n').flatMap((line) => {
    if (!line.startsWith('{"bench"')) return []
    const figure: Figure = JSON.parse(line)
    return [figure]
  })
}
