/** So many files are open at a time: a program may have about a thousand, and others need some. */
const maxAtOnce = 32

/** Like `Promise.all` over `items.map(run)`, but only some run at a time. */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += maxAtOnce) {
    results.push(...(await Promise.all(items.slice(at, at + maxAtOnce).map(run))))
  }
  return results
}
