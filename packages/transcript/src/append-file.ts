import { closeSync, fdatasync, openSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { reasonOf, TranscriptError } from './errors.ts'

const flush = promisify(fdatasync)

/** A file that only grows, line by line. */
export interface AppendFile {
  /**
   * Adds whole lines with one system call, at once: a crash of the process can tear the last of them at most.
   *
   * @throws TranscriptError `write-failed`; the next lines then begin on a line of their own.
   */
  add(lines: string): void
  /** Resolves when all is on the disk itself, and not only with the system. */
  flush(): Promise<void>
  /** Harmless twice. */
  close(): void
}

/** Opens a file when the first lines come. `endsOpen`: its last line has no newline and needs one first. */
export function createAppendFile(path: string, options: { readonly endsOpen: boolean }): AppendFile {
  let descriptor: number | undefined
  let { endsOpen } = options
  return {
    add(lines) {
      const bytes = Buffer.from(endsOpen ? `\n${lines}` : lines)
      try {
        descriptor ??= openSync(path, 'a', 0o600)
        // A part may be on the disk if this fails; a newline more is only an empty line.
        endsOpen = true
        for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done)
        endsOpen = false
      } catch (error) {
        const message = `${path} cannot be written: ${reasonOf(error)}`
        throw new TranscriptError('write-failed', message, { file: path, cause: error })
      }
    },
    async flush() {
      if (descriptor !== undefined) await flush(descriptor)
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor)
      descriptor = undefined
    },
  }
}
