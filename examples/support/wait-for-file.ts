import { readFile } from 'node:fs/promises'

/** Waits until a file is there and ends with a whole line; gives what it holds. */
export async function waitForFile(path: string): Promise<string> {
  for (;;) {
    const content = await readFile(path, 'utf8').catch(() => '')
    if (content.endsWith('\n')) return content
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
