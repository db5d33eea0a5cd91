import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { createHooks, type EventSpec, hookEvents, hooksSection, isHookEventName } from '@x/hooks'
import { describe, expect, it } from 'vitest'
import { loadSessionSettings, openSessionHooks } from '../src/index.ts'
import { Scripted } from './scripted.ts'

const root = resolve(import.meta.dirname, '../../..')
const file = join(root, 'docs/hooks.md')
const page = readFileSync(file, 'utf8')

interface Row {
  readonly event: string
  readonly matcher: string
  readonly exitTwo: string
  readonly kinds: number
  readonly seconds: number
  readonly firedBy: string
}

const rows = page.split('\n').flatMap((line): readonly Row[] => {
  const [, event = '', , matcher = '', exitTwo = '', kinds, seconds, firedBy = ''] = line
    .split('|')
    .map((cell) => cell.trim())
  if (!/^[A-Z]\w+$/.test(event) || event === 'Event') return []
  return [{ event, matcher, exitTwo, kinds: Number(kinds), seconds: Number(seconds), firedBy }]
})

/** The files in which an event is run, relative to the root. */
function findCauses(): ReadonlyMap<string, readonly string[]> {
  const causes = new Map<string, string[]>()
  for (const path of globSync(['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'], { cwd: root }).toSorted()) {
    const source = readFileSync(join(root, path), 'utf8').replaceAll(/^\s*(?:\*|\/\/|\/\*).*$/gm, '')
    for (const [, event = ''] of source.matchAll(/\brun\(\s*'([A-Z]\w+)'/g)) {
      const files = causes.get(event) ?? []
      if (isHookEventName(event) && !files.includes(path)) causes.set(event, [...files, path])
    }
  }
  return causes
}

describe('the table of docs/hooks.md', () => {
  it('has every event once', () => {
    expect(rows.map(({ event }) => event).toSorted()).toEqual(Object.keys(hookEvents).toSorted())
  })

  it('says what the events say of themselves', () => {
    const specs = Object.entries(hookEvents).map(([event, spec]: [string, EventSpec]) => ({
      event,
      matcher: spec.matcher ?? '-',
      exitTwo: spec.exitTwo,
      kinds: spec.handlers.length,
      seconds: spec.timeoutSeconds ?? 600,
    }))
    const written = rows.map(({ event, matcher, exitTwo, kinds, seconds }) => {
      return { event, matcher, exitTwo, kinds, seconds }
    })
    expect(byEvent(written)).toEqual(byEvent(specs))
  })

  it('names the files that run each event, and for the others what they wait for', () => {
    const causes = findCauses()
    const written = rows.map(({ event, firedBy }) => {
      const links = [...firedBy.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) =>
        relative(root, resolve(dirname(file), link)),
      )
      return [event, links.length > 0 ? links : firedBy.replace(/^not yet: .+$/, 'not yet')]
    })
    const real = rows.map(({ event }) => [event, causes.get(event) ?? 'not yet'])
    expect(written).toEqual(real)
  })
})

describe('the recipes of docs/hooks.md', () => {
  const recipes = [...page.matchAll(/### (.+?)\n[\s\S]*?```json\n([\s\S]*?)```/g)].map(
    ([, title = '', json = '']) => ({ title, hooks: hooksSection.parse(JSON.parse(json)) }),
  )

  it.each(recipes)('$title: is configuration without a fault', ({ hooks }) => {
    expect(createHooks([{ hooks }]).problems).toEqual([])
  })

  it('refuse, approve and check as they say', async () => {
    await using scripted = await Scripted.start([])
    const { cwd, env } = scripted
    const open = async (title: string) => {
      const hooks = recipes.find((recipe) => recipe.title === title)?.hooks
      const places = { cwd, env, home: cwd, managedFolder: false } as const
      const settings = await loadSessionSettings({ ...places, flagSettings: { hooks } })
      return openSessionHooks({ cwd, env, settings })
    }
    const call = (command: string) => ({
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: 'toolu_1',
    })
    await using refuse = await open('Refuse a command')
    expect((await refuse.run('PreToolUse', call('npm test && rm -rf x'))).outcome).toBe('deny')
    expect((await refuse.run('PreToolUse', call('npm test'))).outcome).toBe('none')
    await using approve = await open('Approve safe calls')
    expect((await approve.run('PreToolUse', call('npm test --silent'))).outcome).toBe('allow')
    expect((await approve.run('PreToolUse', call('npm publish'))).outcome).toBe('none')
    await using check = await open('Check prompts')
    const prompt = ['My key is AKIA', 'ABCDEFGHIJKLMNOP'].join('')
    expect((await check.run('UserPromptSubmit', { prompt })).outcome).toBe('block')
    expect((await check.run('UserPromptSubmit', { prompt: 'Hello' })).outcome).toBe('none')
  })
})

function byEvent<Entry extends { readonly event: string }>(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((one, other) => (one.event < other.event ? -1 : 1))
}
