/** The JSON of a value; `undefined` for what has none or is nested too deeply for it. Never throws. */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
