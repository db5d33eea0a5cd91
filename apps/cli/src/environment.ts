import process from 'node:process'

/**
 * The environment with the `env` block of the settings. Where files are looked for was settled before there were settings: the block does not
 * change that.
 */
export function environmentWith(
  settingsEnv: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string | undefined>> {
  const { X_HOME, CLAUDE_CONFIG_DIR } = process.env
  return { ...process.env, ...settingsEnv, X_HOME, CLAUDE_CONFIG_DIR }
}
