import { type HookSource, type HookSwitches, selectHookSources } from '@x/hooks'
import { expect, test } from 'vitest'

const origins = ['managed', 'user', 'project', 'local', 'command-line', 'agent', 'skill'] as const
const sources: readonly HookSource[] = [
  ...origins.map((origin) => ({ hooks: {}, origin })),
  { hooks: {}, origin: 'plugin', plugin: { name: 'forced', root: '/f', isManaged: true } },
  { hooks: {}, origin: 'plugin', plugin: { name: 'own', root: '/o' } },
]
const all = [...origins, 'forced', 'own']
const managed = ['managed', 'forced']

test.each<[string, HookSwitches, readonly string[]]>([
  ['nothing set', {}, all],
  ['87. a project false has won over a user true', { disableAllHooks: false }, all],
  ['87. off after merging: the managed ones stay', { disableAllHooks: true }, managed],
  ['off in the managed settings: none', { disableAllHooks: true, managedDisableAllHooks: true }, []],
  ['managed only', { allowManagedHooksOnly: true }, managed],
  ['88. managed only, written as a text', { allowManagedHooksOnly: 'yes' }, managed],
  ['88. managed only, written as null', { allowManagedHooksOnly: null }, managed],
  ['not managed only', { allowManagedHooksOnly: false }, all],
  [
    'plugins only',
    { strictPluginOnlyCustomization: ['hooks'] },
    ['managed', 'agent', 'skill', 'forced', 'own'],
  ],
  ['plugins only for something else', { strictPluginOnlyCustomization: ['agents'] }, all],
])('%s', (_, switches, names) => {
  const kept = selectHookSources(sources, switches)
  expect(kept.map(({ origin, plugin }) => plugin?.name ?? origin)).toEqual(names)
})
