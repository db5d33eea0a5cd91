import { fstatSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** More than this on standard input is an error. In bytes. */
const maxStdinBytes = 10 * 1024 * 1024
/** With a prompt argument, an open pipe gets this long to send its first byte. In milliseconds. */
const firstByteMs = 1_000

/** The prompt, what to warn about, or why there is none. */
export type Prompt =
  | { readonly ok: true; readonly text: string; readonly warning?: string }
  | {
      readonly ok: false
      readonly error: string
      /** Nothing was given at all. */
      readonly isMissing?: true
    }

type PipedText = { readonly text: string; readonly warning?: string }
type Piped = PipedText | { readonly error: string; readonly isFatal: boolean }

const nothingGiven =
  'Error: Input must be provided either through stdin or as a prompt argument when using --print'
const noTask =
  'Error: There is no task. Write x "TASK"; x --help lists the options, x demo shows a small job offline'
const onlyBlanks =
  'Error: Input contained only whitespace. Provide a prompt with text through stdin or as a prompt argument when using --print'

/**
 * Puts the prompt together: the argument, a blank line, standard input.
 *
 * A terminal is not read, and what to do is told in the words of `-p` unless `isLive`. With an argument, standard input that stays silent for a second is left alone, with a warning.
 */
export async function readPrompt(
  argument: string | undefined,
  stdin: NodeJS.ReadStream,
  isLive = false,
): Promise<Prompt> {
  const piped = isReadable(stdin) ? await readPiped(stdin, argument !== undefined) : { text: '' }
  if (argument === undefined && 'text' in piped && piped.text === '')
    return { ok: false, error: isLive ? noTask : nothingGiven, isMissing: true }
  if (!('error' in piped)) return join(argument, piped)
  if (argument === undefined || piped.isFatal) return { ok: false, error: piped.error }
  return { ok: true, text: argument, warning: piped.error }
}

function join(argument: string | undefined, { text: piped, warning }: PipedText): Prompt {
  const parts = [argument ?? '', withoutLastBreaks(piped)].filter((part) => part !== '')
  const text = parts.join('\n\n')
  if (text.trim() === '') return { ok: false, error: onlyBlanks }
  return warning === undefined ? { ok: true, text } : { ok: true, text, warning }
}

/** By hand: an expression looks for the end of the text from each line end. */
function withoutLastBreaks(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end -= 1
  return text.slice(0, end)
}

/** Is there anything that could be read to its end? A terminal, a folder and a closed descriptor are not. */
function isReadable(stdin: NodeJS.ReadStream): boolean {
  if (stdin.isTTY) return false
  try {
    const kind = fstatSync(0)
    return kind.isFile() || kind.isFIFO() || kind.isSocket()
  } catch {
    return false
  }
}

async function readPiped(stdin: NodeJS.ReadStream, hasArgument: boolean): Promise<Piped> {
  const chunks: Buffer[] = []
  const all = collect(stdin, chunks)
  if (!hasArgument) return all
  const early = await Promise.race([
    all,
    firstChunk(stdin),
    sleep(firstByteMs, 'silent' as const, { ref: true }),
  ])
  if (early !== 'silent') return all
  stdin.destroy()
  return {
    text: '',
    warning: 'Warning: no data on stdin within 1s; going on with the prompt argument alone.',
  }
}

async function collect(stdin: NodeJS.ReadStream, chunks: Buffer[]): Promise<Piped> {
  let size = 0
  try {
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      if (size > maxStdinBytes)
        return {
          isFatal: true,
          error: 'Error: Input on stdin is larger than 10 MB. Put it into a file and name the file.',
        }
      chunks.push(bytes)
    }
  } catch (error) {
    return {
      isFatal: false,
      error: `Warning: stdin could not be read (${error instanceof Error ? error.message : String(error)}).`,
    }
  }
  return { text: Buffer.concat(chunks).toString('utf8') }
}

function firstChunk(stdin: NodeJS.ReadStream): Promise<'data'> {
  return new Promise((resolve) => stdin.once('readable', () => resolve('data')))
}
