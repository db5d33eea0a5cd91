/** How thorough an answer may be, from quick to as good as the model can. */
export const effortLevels = ['low', 'medium', 'high', 'xhigh', 'max'] as const

/** How thorough an answer is. */
export type EffortLevel = (typeof effortLevels)[number]

/** Reads a level as people write it; undefined for anything else. */
export function toEffortLevel(value: unknown): EffortLevel | undefined {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : undefined
  return effortLevels.find((level) => level === text)
}
