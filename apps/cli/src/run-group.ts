import process from 'node:process'

/** Commands that belong together: `x NAME COMMAND ...`. */
export interface CommandGroup {
  readonly name: string
  /** How they are used. */
  readonly usage: string
  /** Each gets what stands behind its name and resolves with the exit code; a rejection is told in a line. */
  readonly commands: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>>
}

/** Runs one command of a group, or prints how they are used; resolves with the exit code. */
export async function runGroup(group: CommandGroup, argv: readonly string[]): Promise<number> {
  const [name = '', ...rest] = argv
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(group.usage)
    return 0
  }
  const command = Object.hasOwn(group.commands, name) ? group.commands[name] : undefined
  if (command === undefined) {
    if (name !== '')
      process.stderr.write(`Error: x ${group.name} cannot do ${JSON.stringify(name)}. It can:\n`)
    process.stderr.write(group.usage)
    return 1
  }
  try {
    return await command(rest)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`Error: ${message.trimEnd()}\n`)
    return 1
  }
}
