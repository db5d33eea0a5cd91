/** Hands out ids that are unique and not empty, by the calls that came before alone: what was sent keeps its ids. */
export interface CallIds {
  /** The id itself, or a new one if it is empty or taken. */
  claim(id: string): string
}

/** Starts with no id taken. */
export function createCallIds(): CallIds {
  const taken = new Set<string>()
  // Where the search for a free number goes on, so that a model that always says "x" does not make it quadratic.
  const nextNumbers = new Map<string, number>()

  function findFree(id: string): string {
    const stem = id === '' ? 'call' : id
    let number = nextNumbers.get(stem) ?? (id === '' ? 1 : 2)
    // The service takes letters, digits, `_` and `-` in an id.
    while (taken.has(`${stem}_${number}`)) number += 1
    nextNumbers.set(stem, number + 1)
    return `${stem}_${number}`
  }

  return {
    claim(id) {
      const free = id === '' || taken.has(id) ? findFree(id) : id
      taken.add(free)
      return free
    },
  }
}
