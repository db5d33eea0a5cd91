import type { ShellAssignment, ShellRedirection, ShellWord, Via } from './types.ts'

/** What a command starts: another command, a script, or something that cannot be told from the text. */
export type Payload =
  | {
      readonly kind: 'command'
      readonly words: readonly ShellWord[]
      readonly assignments: readonly ShellAssignment[]
      readonly via: Via
      /** Whether it runs in place of the command that starts it. */
      readonly isWrapped: boolean
    }
  | { readonly kind: 'script'; readonly text: string; readonly word: ShellWord; readonly via: Via }
  | { readonly kind: 'problem'; readonly message: string; readonly word: ShellWord }

/** A command before its payloads are known. */
export interface Starter {
  /** Last segment of the name. */
  readonly program: string
  /** Its name. */
  readonly head: ShellWord
  /** The words behind the name. */
  readonly rest: readonly ShellWord[]
  /** Its redirections. */
  readonly redirections: readonly ShellRedirection[]
  /** For each redirection the body of its here-document, if it is one and static. */
  readonly bodies: readonly (string | undefined)[]
}

/** The script that words joined by blanks make, or a problem when one of them is not static. */
export function joinScript(words: readonly ShellWord[], at: ShellWord, via: Via): Payload {
  const values = words.map((word) => word.value)
  const unknown = words.find((word) => word.value === undefined)
  if (unknown) return { kind: 'problem', message: 'A script that is built when it runs', word: unknown }
  return { kind: 'script', text: values.join(' '), word: words.length === 1 ? (words[0] ?? at) : at, via }
}
