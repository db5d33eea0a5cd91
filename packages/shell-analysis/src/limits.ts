/** Longer commands are not understood, though what is in them is still looked for. */
export const maxUnderstoodLength = 10_000

/** Longer commands are not looked into at all. */
export const maxParsedLength = 200_000

/** Nested scripts, compound commands and commands started by commands. */
export const maxDepth = 30

/** Levels of the syntax tree, so that long chains of operators cannot exhaust the stack. */
export const maxLevels = 600

/** Simple commands. */
export const maxCommands = 20_000

/**
 * How often each character may be parsed: a script in a script is parsed again, and with this limit the time
 * stays linear however deep it goes.
 */
export const maxRescans = 4

/** Characters that may be parsed in any case, so that short commands may nest as deep as they like. */
export const minTotalLength = 10_000
