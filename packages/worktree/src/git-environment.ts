/** What says how to reach a server, and whose settings count. Everything else of git's points it to other files. */
const kept =
  /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|PROXY_COMMAND|SSL_[A-Z_]+|HTTP_[A-Z_]+|EXEC_PATH|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM)$/

/**
 * The environment for git: the given one without its variables that lead to another repository, index or object store
 * (`GIT_DIR`, `GIT_INDEX_FILE`, `GIT_CONFIG_COUNT` ...), and with those that keep it from asking anybody.
 */
export function gitEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const clean = Object.entries(env).filter(
    ([name]) => !name.toUpperCase().startsWith('GIT_') || kept.test(name),
  )
  return {
    ...Object.fromEntries(clean),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    GIT_EDITOR: 'true',
    GIT_OPTIONAL_LOCKS: '0',
  }
}
