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

const leading = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_SHALLOW_FILE',
  'GIT_GRAFT_FILE',
])

/**
 * The environment of what runs in a worktree: without the variables by which git works in another repository than that of its folder, as
 * it has them in a hook of git. Everything else stays. The same object where there are none.
 */
export function withoutRepository<Env extends Readonly<Record<string, string | undefined>>>(env: Env): Env {
  const kept = Object.entries(env).filter(([name]) => !leading.has(name))
  // Fewer entries of the same kind.
  return kept.length === Object.keys(env).length ? env : (Object.fromEntries(kept) as Env)
}
