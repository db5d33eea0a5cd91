import { isHookEventName } from '@x/hooks'

/** Says which events stand at the top of a settings file: a recipe that was pasted without its `hooks` guards nothing. */
export function findMisplacedHooks(
  files: readonly { readonly file: string; readonly value: Readonly<Record<string, unknown>> }[],
): readonly string[] {
  return files.flatMap(({ file, value }) =>
    Object.keys(value)
      .filter(isHookEventName)
      .map(
        (event) => `${file}: ${event} does not count here; put it into hooks: {"hooks": {"${event}": ...}}`,
      ),
  )
}
