import {
  loadSettings,
  type SettingOrigin,
  type SettingsEdit,
  updateSettings,
  watchSettings,
} from '@x/settings'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'

const sections = {
  env: z.record(z.string(), z.string()),
  view: z.object({ size: z.number().default(1).transform(String) }),
}

test('the value has the types that the schemas take, and unknown for every other key', async () => {
  const { value, layers } = await loadSettings({ sections })
  expectTypeOf(value.env).toEqualTypeOf<Record<string, string> | undefined>()
  expectTypeOf(value.view).toEqualTypeOf<{ size?: number | undefined } | undefined>()
  expectTypeOf(value['other']).toEqualTypeOf<unknown>()
  expectTypeOf(layers[0]?.value.env).toEqualTypeOf<Record<string, string> | undefined>()
})

test('without schemas every key is unknown', async () => {
  const settings = await loadSettings()
  expectTypeOf(settings.value['env']).toEqualTypeOf<unknown>()
  expectTypeOf(settings.explain('env')).toEqualTypeOf<readonly SettingOrigin[]>()
})

test('watched settings are disposed with using and keep the types', async () => {
  const watched = await watchSettings({
    sections,
    onChange: ({ settings }) =>
      expectTypeOf(settings.value.env).toEqualTypeOf<Record<string, string> | undefined>(),
  })
  expectTypeOf(watched).toExtend<AsyncDisposable>()
})

test('what is no edit, layer or source does not compile', () => {
  // @ts-expect-error an edit does one thing
  expectTypeOf({ path: 'a' }).toExtend<SettingsEdit>()
  // @ts-expect-error command line settings are not written
  void updateSettings('command-line', [])
  // @ts-expect-error managed settings cannot be left out
  void loadSettings({ sources: ['managed'] })
})
