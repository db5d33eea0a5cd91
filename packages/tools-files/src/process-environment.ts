const ENVIRONMENT = /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?environ$/

/**
 * Refuses the environment that Linux shows of every process: a read needs no permission, and the host, which runs the tools,
 * keeps its credentials there.
 *
 * @param path A real path.
 * @throws Error for the model.
 */
export function assertNoEnvironment(path: string): void {
  if (!ENVIRONMENT.test(path)) return
  throw new Error(
    `The environment of a process is not read, because it may hold credentials: ${path}. For the variables of a command use env through Bash.`,
  )
}
