import { styleText } from 'node:util'

/** How a piece of text is meant. */
type Tone = 'strong' | 'dim' | 'good' | 'bad' | 'note'

const styles = { strong: 'bold', dim: 'dim', good: 'green', bad: 'red', note: 'cyan' } as const

/** Colours a text where the screen has colours (and `NO_COLOR` is not set). */
export type Paint = (tone: Tone, text: string) => string

/** How lines are shown. */
export interface Screen {
  readonly paint: Paint
  /** Characters in a line. */
  readonly width: number
}

/** The screen behind a stream; 100 characters wide where it does not say. */
export function screenOf(stream: NodeJS.WriteStream): Screen {
  return { paint: createPaint(stream), width: stream.columns ?? 100 }
}

/** Makes the paint for a stream. */
export function createPaint(stream: NodeJS.WriteStream): Paint {
  return (tone, text) => styleText(styles[tone], text, { stream, validateStream: true })
}

// oxlint-disable no-control-regex -- these are the characters that must not reach a terminal
const escapeSequence = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g
const controlCharacter = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g
// oxlint-enable no-control-regex

/** Takes out what could drive the terminal: text of a model, a file or a command is shown, never obeyed. */
export function toPlain(text: string): string {
  return text.replaceAll(escapeSequence, '').replaceAll(controlCharacter, '').toWellFormed()
}

/** One line of at most `width` characters. */
export function toLine(text: string, width: number): string {
  const line = toPlain(text).replaceAll(/\s+/g, ' ').trim()
  return line.length <= width ? line : `${line.slice(0, width - 1).toWellFormed()}…`
}
