import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs'
import { applyTrust, createTrustStore, isTrusted, loadSettings, type Trust } from '@x/settings'
import { describe, expect, test } from 'vitest'
import { makePipe } from './pipe.ts'
import { makeWorld, optionsOf, type World } from './world.ts'

const storeOf = (world: World) => createTrustStore({ stateFolder: world.path('~/.x'), home: world.home })
const stateOf = async (world: World, name: string) => (await storeOf(world).judge(world.path(name))).state

const everything = {
  hooks: { Stop: [{ hooks: [] }, { hooks: [] }], PreToolUse: [{ hooks: [] }] },
  mcpServers: { s: { command: 'c' } },
  env: { A: 'a' },
  apiKeyHelper: './key',
  permissions: {
    allow: ['Bash(npm test)'],
    deny: ['D'],
    ask: ['Q'],
    additionalDirectories: ['/d'],
    defaultMode: 'bypassPermissions',
  },
  model: 'm',
}

async function heldWith(trust: Trust, file = '@/.claude/settings.json'): Promise<string[]> {
  const world = makeWorld()
  world.write(file, everything)
  return applyTrust(await loadSettings(optionsOf(world)), trust).held.map(({ path }) => path.join('.'))
}

const untrusted = { state: 'untrusted', isHeadless: false } as const
const rules = ['permissions.allow', 'permissions.additionalDirectories', 'permissions.defaultMode']

describe('what does not count (hooks.md 3.6, decision 7)', () => {
  test('a person in a folder that is not trusted: no hooks, servers, programs, environment, allow rules', async () => {
    expect(await heldWith(untrusted)).toEqual(['hooks', 'mcpServers', 'apiKeyHelper', 'env', ...rules])
  })

  test('a trusted folder above: all but allow rules', async () => {
    expect(await heldWith({ state: 'parent-trusted', isHeadless: false })).toEqual(rules)
  })

  test('-p counts as trust for hooks, servers and programs, not for environment and allow rules', async () => {
    expect(await heldWith({ state: 'untrusted', isHeadless: true })).toEqual(['env', ...rules])
  })

  test('a trusted folder: everything counts, with -p too', async () => {
    expect(await heldWith({ state: 'trusted', isHeadless: false })).toEqual([])
    expect(await heldWith({ state: 'trusted', isHeadless: true })).toEqual([])
  })

  test('of the user only hooks wait, of managed files nothing', async () => {
    expect(await heldWith(untrusted, '~/.claude/settings.json')).toEqual(['hooks'])
    expect(await heldWith(untrusted, '!/managed-settings.json')).toEqual([])
  })

  test('allow rules of the local file count if it is the own one of the user', async () => {
    const local = '@/.claude/settings.local.json'
    expect(await heldWith(untrusted, local)).toEqual(expect.arrayContaining(rules))
    expect(await heldWith({ ...untrusted, isLocalFileOwn: true }, local)).toEqual([
      'hooks',
      'mcpServers',
      'apiKeyHelper',
      'env',
    ])
  })

  test('example 99: no settings hook runs in an untrusted folder; with -p they run and project allow rules do not count', async () => {
    const world = makeWorld()
    world.write('@/.claude/settings.json', everything)
    world.write('~/.claude/settings.json', { hooks: everything.hooks, permissions: { allow: ['U'] } })
    const settings = await loadSettings(optionsOf(world))
    expect(applyTrust(settings, untrusted).settings.value['hooks']).toBeUndefined()
    const headless = applyTrust(settings, { state: 'untrusted', isHeadless: true }).settings
    expect(headless.value['hooks']).toEqual(settings.value['hooks'])
    expect(headless.value['permissions']).toEqual({ allow: ['U'], deny: ['D'], ask: ['Q'] })
    expect(headless.explain('permissions.allow').map(({ layer }) => layer)).toEqual(['user'])
  })

  test('permissions example 171: the line for stderr has the documented form', async () => {
    const world = makeWorld()
    const file = world.write('@/.claude/settings.json', { permissions: { allow: ['Bash(npm test)', 'B'] } })
    const { held } = applyTrust(await loadSettings(optionsOf(world)), {
      state: 'untrusted',
      isHeadless: true,
    })
    expect(held).toEqual([
      {
        part: 'allow-rules',
        layer: 'project',
        file,
        path: ['permissions', 'allow'],
        count: 2,
        message: `Ignoring 2 permissions.allow entries from ${file}: this workspace has not been trusted. Start here once without -p and trust the folder to use them.`,
      },
    ])
  })

  test('permissions example 172: deny and ask rules always count', async () => {
    const world = makeWorld()
    world.write('@/.claude/settings.json', everything)
    const { settings } = applyTrust(await loadSettings(optionsOf(world)), untrusted)
    expect(settings.value).toEqual({ permissions: { deny: ['D'], ask: ['Q'] }, model: 'm' })
  })

  test('an ordinary mode of a project counts', async () => {
    const world = makeWorld()
    world.write('@/.claude/settings.json', { permissions: { defaultMode: 'plan' } })
    const settings = await loadSettings(optionsOf(world))
    expect(applyTrust(settings, untrusted)).toEqual({ settings, held: [] })
  })

  test('the same table answers for files beside settings; hooks of agents want the exact folder', () => {
    expect(isTrusted('mcp-servers', untrusted)).toBe(false)
    expect(isTrusted('mcp-servers', { state: 'untrusted', isHeadless: true })).toBe(true)
    expect(isTrusted('agent-hooks', { state: 'parent-trusted', isHeadless: true })).toBe(false)
    expect(isTrusted('agent-hooks', { state: 'trusted', isHeadless: true })).toBe(true)
  })
})

describe('the store', () => {
  test('remembers the root of the repository by its real path, for all that is in it', async () => {
    const world = makeWorld()
    mkdirSync(world.path('@/sub'))
    symlinkSync(world.project, world.path('~/link'))
    await storeOf(world).trust(world.path('~/link/sub'))
    expect(await storeOf(world).judge(world.path('@/sub'))).toEqual({
      root: world.project,
      state: 'trusted',
      isLocalFileOwn: true,
    })
    expect(Object.keys(JSON.parse(world.read('~/.x/trust.json')).folders)).toEqual([world.project])
    await storeOf(world).forget(world.project)
    expect(await stateOf(world, '@')).toBe('untrusted')
  })

  test('a folder below a trusted one is trusted through it; the home folder and the root do not pass trust on', async () => {
    const world = makeWorld()
    mkdirSync(world.path('~/code/inner/.git'), { recursive: true })
    world.write('~/code/inner/.git/HEAD', 'x')
    await storeOf(world).trust(world.home)
    await storeOf(world).trust('/')
    await storeOf(world).trust(world.root)
    expect(await stateOf(world, '~')).toBe('trusted')
    expect(await stateOf(world, '~/code/inner')).toBe('untrusted')
    await storeOf(world).trust(world.path('~/code'))
    expect(await stateOf(world, '~/code/inner')).toBe('parent-trusted')
    expect(await stateOf(world, '~/code')).toBe('trusted')
  })

  test('a pipe or a huge file in the place of what git writes holds nobody up', async () => {
    const world = makeWorld()
    const link = world.write('@/in/.git', 'gitdir: ./own\n')
    mkdirSync(world.path('@/in/own'))
    makePipe(world.path('@/in/own/commondir'))
    expect(await stateOf(world, '@/in')).toBe('untrusted')
    truncateSync(link, 2 ** 30)
    expect(await stateOf(world, '@/in')).toBe('untrusted')
  })

  test('an index that is a pipe is in doubt', async () => {
    const world = makeWorld()
    makePipe(world.path('@/.git/index'))
    expect(await storeOf(world).judge(world.path('@'))).toMatchObject({ isLocalFileOwn: false })
  })

  test('a worktree is trusted with its repository, a folder that only claims to be one is not', async () => {
    const world = makeWorld()
    const git = (...args: string[]): void => void execFileSync('git', ['-C', world.project, ...args])
    git('init', '-q')
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x')
    git('worktree', 'add', '-q', world.path('~/tree'))
    world.write('~/thief/.git', world.read('~/tree/.git'))
    world.write('~/thief2/.git', `gitdir: ${world.project}/.git`)
    await storeOf(world).trust(world.project)
    expect(await stateOf(world, '~/tree')).toBe('trusted')
    expect(await stateOf(world, '~/thief')).toBe('untrusted')
    expect(await stateOf(world, '~/thief2')).toBe('untrusted')
  })

  test('a store that is missing, broken or of another shape trusts nothing', async () => {
    const world = makeWorld()
    expect(await stateOf(world, '@')).toBe('untrusted')
    for (const text of [
      `{"folders": {"${world.project}": 1}, `,
      '[]',
      `{"folders": ["${world.project}"]}`,
      '{"folders": null}',
    ]) {
      world.write('~/.x/trust.json', text)
      expect(await stateOf(world, '@')).toBe('untrusted')
    }
    await expect(storeOf(world).trust(world.project)).rejects.toThrow('has no place for')
  })

  test('a local file in the index of the repository, or behind a link, is not the own one of the user', async () => {
    const world = makeWorld()
    const git = (...args: string[]): void => void execFileSync('git', ['-C', world.project, ...args])
    const isOwn = async (): Promise<boolean> => (await storeOf(world).judge(world.project)).isLocalFileOwn
    git('init', '-q')
    world.write('@/.claude/settings.local.json', '{}')
    world.write('@/other', '')
    git('add', 'other')
    expect(await isOwn()).toBe(true)
    git('add', '.claude')
    expect(await isOwn()).toBe(false)
    git('rm', '-q', '--cached', '-r', '.claude')
    expect(await isOwn()).toBe(true)
    git('update-index', '--index-version', '4')
    expect(await isOwn()).toBe(false)
    git('update-index', '--index-version', '2')
    symlinkSync('other', world.path('@/.x'))
    expect(await isOwn()).toBe(false)
  })
})
