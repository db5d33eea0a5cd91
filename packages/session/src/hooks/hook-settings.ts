import { type HookSource, type HookSwitches, selectHookSources } from '@x/hooks'
import type { Settings } from '@x/settings'

/** What settings files say about hooks. */
export interface SessionHookSettings {
  /** The blocks that count, strongest first. */
  readonly sources: readonly HookSource[]
  /** The blocks that do not count because of `disableAllHooks` and its like. @default none */
  readonly switchedOff?: readonly HookSource[]
  /** What turns whole sources off, for those that come from elsewhere: plugins, agents. @default nothing is off */
  readonly switches?: HookSwitches
  /** Addresses that requests of hooks may go to. @default all */
  readonly allowedHttpUrls?: readonly string[]
  /** Variables that the headers of such requests may use, besides what the handler allows. @default what the handler allows */
  readonly allowedHttpEnvVars?: readonly string[]
}

/** Takes out of settings what counts of their hooks, after trust and the switches that turn sources off. */
export function readHookSettings(settings: Settings): SessionHookSettings {
  const urls = textsOf(settings.value['allowedHttpHookUrls'])
  const variables = textsOf(settings.value['httpHookAllowedEnvVars'])
  const all = readSources(settings)
  const switches = readSwitches(settings)
  const sources = selectHookSources(all, switches)
  return {
    sources,
    switches,
    switchedOff: all.filter((source) => !sources.includes(source)),
    ...(urls === undefined ? {} : { allowedHttpUrls: urls }),
    ...(variables === undefined ? {} : { allowedHttpEnvVars: variables }),
  }
}

/** Layers come strongest first, the files of one layer weakest first. */
function readSources({ layers }: Settings): readonly HookSource[] {
  return layers.flatMap(({ name, files }) =>
    files.toReversed().flatMap(({ path, value }) => {
      const hooks = value['hooks']
      return hooks === undefined ? [] : [{ hooks, origin: name, file: path }]
    }),
  )
}

function readSwitches(settings: Settings): HookSwitches {
  const managed = settings.layer('managed').value
  return {
    disableAllHooks: settings.value['disableAllHooks'] === true,
    managedDisableAllHooks: managed['disableAllHooks'] === true,
    allowManagedHooksOnly: managed['allowManagedHooksOnly'],
    strictPluginOnlyCustomization: managed['strictPluginOnlyCustomization'],
  }
}

/** A list that is defined and empty forbids all; what is no text in it allows nothing. */
function textsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
}
