/** Longer commands are not understood, though what is in them is still looked for. */
export const maxUnderstoodLength = 10_000

/** Longer commands are not looked into at all. */
export const maxParsedLength = 200_000

/** Nested scripts, compound commands and commands started by commands. */
export const maxDepth = 40

/** Levels of the syntax tree, so that long chains of operators cannot exhaust the stack. */
export const maxLevels = 600

/** Simple commands. */
export const maxCommands = 20_000

/** Characters of all scripts parsed for one command, so that scripts in scripts stay linear. */
export const maxTotalLength = 1_000_000
