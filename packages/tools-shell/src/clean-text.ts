import { createOutputDecoder } from '@x/process'

/** Turns what a program wrote for a terminal into plain text, piece by piece. */
export interface TextCleaner {
  /** Returns the text that is settled now; a line that may still be redrawn waits. */
  write(bytes: Uint8Array): string
  /** Returns what is left. */
  end(): string
}

/** A line without end is settled in pieces of this length, so that memory stays bounded. */
const MAX_WAITING = 65_536

/** Longest start of a control sequence that is waited for. */
const MAX_SEQUENCE = 256

/**
 * Creates a cleaner: bytes that are no UTF-8 become U+FFFD and so does NUL, control sequences go, and of a line that was
 * redrawn the last state stays.
 *
 * @example
 * const cleaner = createTextCleaner()
 * cleaner.write(Buffer.from('10%\r\u001b[2K20%\n')) // '20%\n'
 */
export function createTextCleaner(): TextCleaner {
  const decoder = createOutputDecoder()
  let waiting = ''
  const settle = (text: string): string => {
    const all = waiting + text
    const lineEnd = all.lastIndexOf('\n') + 1
    const { settled, rest } = shorten(all.slice(lineEnd))
    waiting = rest
    return clean(all.slice(0, lineEnd)) + settled
  }
  return {
    write: (bytes) => settle(decoder.write(bytes)),
    end() {
      const all = waiting + decoder.end()
      waiting = ''
      return clean(all)
    },
  }
}

/** Of a long line that has no end yet: drops what was redrawn, and settles the front of what is still too long. */
function shorten(line: string): { readonly settled: string; readonly rest: string } {
  if (line.length <= MAX_WAITING) return { settled: '', rest: line }
  const states = line.split('\r')
  const current = states.pop() ?? ''
  const seen = states.findLast((state) => stripControls(state).trim() !== '')
  const rest = states.length === 0 ? current : `${seen ?? ''}\r${current}`
  if (rest.length <= MAX_WAITING) return { settled: '', rest }
  // A control sequence at the end may not be complete yet.
  const sequence = rest.lastIndexOf('\u001B')
  const end = sequence > rest.length - MAX_SEQUENCE ? sequence : rest.length
  return { settled: cleanLine(rest.slice(0, end)), rest: rest.slice(end) }
}

/** Cleans a whole text at once. */
export function cleanText(bytes: Uint8Array): string {
  const cleaner = createTextCleaner()
  return cleaner.write(bytes) + cleaner.end()
}

// oxlint-disable-next-line no-control-regex -- finding control characters is what this is for
const ANY_CONTROL = /[\0-\u0008\u000B-\u001F\u007F-\u009F]/

/** Whole lines. Most output has nothing to clean, and that is told in one pass. */
function clean(text: string): string {
  return ANY_CONTROL.test(text) ? text.split('\n').map(cleanLine).join('\n') : text
}

function cleanLine(line: string): string {
  return ANY_CONTROL.test(line) ? lastState(line) : line
}

/** The last thing that stood on the line. A carriage return at its end only ends it. */
function lastState(line: string): string {
  const states = stripControls(line).split('\r')
  return states.findLast((state) => state.trim() !== '') ?? states.at(-1) ?? ''
}

function stripControls(line: string): string {
  const plain = line.replace(SEQUENCE, '').replaceAll('\0', '\uFFFD')
  return applyBackspaces(plain).replace(LONE_CONTROL, '')
}

function applyBackspaces(line: string): string {
  if (!line.includes('\b')) return line
  const kept: string[] = []
  for (const character of line) {
    if (character !== '\b') kept.push(character)
    else if (kept.at(-1) !== '\r') kept.pop()
  }
  return kept.join('')
}

/** CSI; OSC and other strings with their end (of one without, the text stays); the rest of ESC. */
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- as above
  /\u001B\[[0-?]*[ -/]*[@-~]|\u001B[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)|\u001B[ -/]*[0-~]|\u009B[0-?]*[ -/]*[@-~]/g

// oxlint-disable-next-line no-control-regex -- as above
const LONE_CONTROL = /[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g
