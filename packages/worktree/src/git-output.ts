/** The parts of output that ends each with a NUL. */
export function splitNul(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\0$/, '').split('\0')
}

/** Git's output without the end of its one line. */
export function withoutNewline(text: string): string {
  return text.replace(/\r?\n$/, '')
}
