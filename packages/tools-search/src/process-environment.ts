/** Linux shows the root and the working folder of a process below it, so the way there may have any length. */
const ENVIRONMENT = /^(?:\/proc\/[^/]+\/(?:root|cwd))*\/proc\/[^/]+\/(?:task\/[^/]+\/)?environ$/u

/**
 * Is an absolute path that of the environment of a process? A search needs no permission, and the host, which runs the tools, keeps
 * its credentials there.
 */
export function isProcessEnvironment(absolutePath: string): boolean {
  return ENVIRONMENT.test(absolutePath)
}
