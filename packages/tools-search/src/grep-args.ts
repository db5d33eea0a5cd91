import type { GrepInput } from './grep-input.ts'
import { NO_VERSION_CONTROL_ARGS, PLAIN_ARGS } from './search-args.ts'
import type { SearchPlace } from './search-path.ts'

/** Arguments of a search for text. Each text of the caller is glued to its option, so it cannot be one itself. */
export function toGrepArgs(
  input: GrepInput,
  { target }: SearchPlace,
  modeArgs: readonly string[],
): readonly string[] {
  return [
    ...PLAIN_ARGS,
    '--with-filename',
    '--hidden',
    '--no-require-git',
    ...(input['-i'] === true ? ['--ignore-case'] : []),
    ...(input.multiline === true ? ['--multiline', '--multiline-dotall'] : []),
    ...(input.type === undefined ? [] : [`--type=${input.type}`]),
    ...(input.glob === undefined ? [] : [`--glob=${input.glob}`]),
    ...NO_VERSION_CONTROL_ARGS,
    ...modeArgs,
    `--regexp=${input.pattern}`,
    '--',
    target,
  ]
}

/** One record per line: the path, a NUL, the line number, then `:column:text` for a match and `-text` for its surroundings. */
export function toContentArgs(input: GrepInput): readonly string[] {
  const around = input['-C'] ?? input.context
  return [
    '--no-heading',
    '--line-number',
    '--column',
    // A line that no path can begin with.
    '--context-separator=\\x00',
    ...(input['-o'] === true ? ['--only-matching'] : []),
    ...(around === undefined ? [] : [`--context=${around}`]),
    ...(input['-A'] === undefined ? [] : [`--after-context=${input['-A']}`]),
    ...(input['-B'] === undefined ? [] : [`--before-context=${input['-B']}`]),
  ]
}
