/** One record of ripgrep: a path, and what is said about it. The separator of groups has an empty path. */
export interface PrintedRecord {
  /** As printed. */
  readonly path: string
  /** What stands behind the NUL. */
  readonly rest: string
}

/** What ripgrep says about a file as a whole; without a NUL. */
const REMARK =
  /^(.*?): (?:WARNING: )?((?:binary file matches|stopped searching binary file after match) \(found "\\0" byte around offset \d+\))$/su

/** Puts records together again whose path has a line break in it. */
export function createRecordReader(onRecord: (record: PrintedRecord) => boolean): (line: string) => boolean {
  let begun = ''
  return (line) => {
    const text = begun + line
    const nul = text.indexOf('\0')
    if (nul !== -1) {
      begun = ''
      return onRecord({ path: text.slice(0, nul), rest: text.slice(nul + 1) })
    }
    const remark = REMARK.exec(text)
    if (remark === null) {
      begun = `${text}\n`
      return true
    }
    begun = ''
    return onRecord({ path: remark[1] ?? '', rest: remark[2] ?? '' })
  }
}
