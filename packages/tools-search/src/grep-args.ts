import { toFilterArgs } from './file-filter.ts'
import type { GrepInput } from './grep-input.ts'
import type { GrepTask } from './grep-task.ts'
import { PLAIN_ARGS } from './search-args.ts'

/** Arguments of a search for text. Each text of the caller is glued to its option, so it cannot be one itself. */
export function toGrepArgs(
  { input, filter, search }: GrepTask,
  modeArgs: readonly string[],
): readonly string[] {
  return [
    ...PLAIN_ARGS,
    // Each record is a path, a NUL and what is said about it.
    '--null',
    '--with-filename',
    ...(input['-i'] === true ? ['--ignore-case'] : []),
    ...(input.multiline === true ? ['--multiline', '--multiline-dotall'] : []),
    ...toFilterArgs(filter, search.place),
    ...modeArgs,
    `--regexp=${input.pattern}`,
    '--',
    search.place.target,
  ]
}

/** Behind the NUL stand the line number and `:column:text` for a match, `-text` for its surroundings. */
export function toContentArgs(input: GrepInput): readonly string[] {
  const around = input['-C'] ?? input.context
  return [
    '--no-heading',
    '--line-number',
    '--column',
    // An empty path.
    '--context-separator=\\x00',
    ...(input['-o'] === true ? ['--only-matching'] : []),
    ...(around === undefined ? [] : [`--context=${around}`]),
    ...(input['-A'] === undefined ? [] : [`--after-context=${input['-A']}`]),
    ...(input['-B'] === undefined ? [] : [`--before-context=${input['-B']}`]),
  ]
}
