import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LoadSkillOptions, loadSkill, type SkillFile } from '../src/index.ts'
import { TemporaryFolder } from './kit.ts'

const skillText = (body: string, fields = 'description: d') => `---\n${fields}\n---\n${body}\n`

/** A repository with a user's home beside it. */
class World extends TemporaryFolder {
  constructor() {
    super()
    mkdirSync(join(this.path, 'repo/pkg'), { recursive: true })
    mkdirSync(join(this.path, 'repo/.git'))
  }

  load(name: string, more: Partial<LoadSkillOptions> = {}) {
    return loadSkill(name, {
      cwd: join(this.path, 'repo/pkg'),
      home: join(this.path, 'home'),
      env: {},
      ...more,
    })
  }
}

/** What loading comes to: the instructions, or the reason. */
async function outcome(loading: ReturnType<typeof loadSkill>): Promise<string> {
  const loaded = await loading
  return loaded.ok ? loaded.skill.body : loaded.reason
}

/** Loads from a file that reads like this, wherever it is. */
function loadText(text: string, name = 'deploy') {
  const file: SkillFile = { type: 'text', text }
  return loadSkill(name, { cwd: '/', home: '/home', env: {}, readFile: async () => file })
}

describe('where skills stand', () => {
  const user = 'home/.claude/skills/deploy/SKILL.md'
  const pkg = 'repo/pkg/.claude/skills/deploy/SKILL.md'
  const root = 'repo/.claude/skills/deploy/SKILL.md'
  const outside = '.claude/skills/deploy/SKILL.md'
  const added = 'other/.claude/skills/deploy/SKILL.md'

  it.each([
    ['the project’s root', [root, added], root],
    ['the nearest folder of the project', [pkg, root, added], pkg],
    ['the user’s, in front of the project’s', [user, pkg, root], user],
    [
      'our own folder in front of the other',
      ['home/.x/skills/deploy/SKILL.md', user],
      'home/.x/skills/deploy/SKILL.md',
    ],
    ['a folder that was added', [added], added],
  ])('the first that is there counts: %s', async (_name, files, expected) => {
    using world = new World()
    for (const file of files) world.write(file, skillText(file))
    const additionalDirectories = [join(world.path, 'other')]
    expect(await outcome(world.load('deploy', { additionalDirectories }))).toBe(expected)
  })

  it.each([
    ['above the repository', [outside]],
    ['in a file of another name', ['repo/.claude/skills/deploy/README.md', 'repo/.claude/skills/deploy.md']],
    ['nowhere', []],
  ])('there is none %s', async (_name, files) => {
    using world = new World()
    for (const file of files) world.write(file, skillText('x'))
    expect(await outcome(world.load('deploy'))).toBe('there is no such skill')
  })

  it('CLAUDE_CONFIG_DIR and X_HOME say where the user’s are', async () => {
    using world = new World()
    world.write('config/skills/a/SKILL.md', skillText('config'))
    world.write('state/skills/b/SKILL.md', skillText('state'))
    const env = { CLAUDE_CONFIG_DIR: join(world.path, 'config'), X_HOME: join(world.path, 'state') }
    expect(await outcome(world.load('a', { env }))).toBe('config')
    expect(await outcome(world.load('b', { env }))).toBe('state')
  })

  it('a link leads wherever the user made it lead', async () => {
    using world = new World()
    world.write('elsewhere/SKILL.md', skillText('linked'))
    mkdirSync(join(world.path, 'repo/.claude/skills'), { recursive: true })
    symlinkSync(join(world.path, 'elsewhere'), join(world.path, 'repo/.claude/skills/deploy'))
    expect(await outcome(world.load('deploy'))).toBe('linked')
  })
})

describe('what a skill is', () => {
  it('its name, its place, its instructions and its fields', async () => {
    using world = new World()
    const path = world.write(
      'repo/.claude/skills/deploy/SKILL.md',
      skillText('Push.\n---\nWait.', 'name: other'),
    )
    expect(await world.load('deploy')).toEqual({
      ok: true,
      skill: {
        name: 'deploy',
        path,
        folder: join(path, '..'),
        body: 'Push.\n---\nWait.',
        fields: { name: 'other' },
        isForUserOnly: false,
      },
    })
  })

  it.each([
    ['true', true],
    ['"yes"', true],
    ['perhaps', true],
    ['[1]', true],
    ['false', false],
    ['"no"', false],
    ['', false],
  ])('disable-model-invocation: %s makes it the user’s own: %s', async (value, expected) => {
    const loaded = await loadText(skillText('x', `disable-model-invocation: ${value}`))
    expect(loaded).toMatchObject({ ok: true, skill: { isForUserOnly: expected } })
  })

  it('front matter that is no YAML is read field by field', async () => {
    const fields = 'description: Use when: asked\ndisable-model-invocation: true'
    expect(await loadText(skillText('x', fields))).toMatchObject({ ok: true, skill: { isForUserOnly: true } })
  })

  it.each([
    ['no front matter', 'Just text.', /does not begin with front matter/],
    ['front matter without an end', '---\nname: x\n', /does not begin with front matter/],
    ['no instructions', '---\nname: x\n---\n\n', /holds no instructions/],
  ])('a file is none: %s', async (_name, text, reason) => {
    expect(await outcome(loadText(text))).toMatch(reason)
  })

  it('any text in any file is a skill or a reason', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), fc.boolean(), async (text, inFields) => {
        const loaded = await loadText(inFields ? `---\n${text}\n---\nx` : text)
        expect(loaded.ok ? loaded.skill.body : loaded.reason).not.toBe('')
      }),
    )
  })
})

describe('what is refused', () => {
  it.each(['', '.', '..', '../deploy', 'a/b', 'a\\b', 'a..b', 'a\0b', '/etc'])(
    'the name %j, and no file is asked for',
    async (name) => {
      const asked: string[] = []
      const readFile = async (path: string): Promise<SkillFile> => {
        asked.push(path)
        return { type: 'missing' }
      }
      const loading = loadSkill(name, { cwd: '/', home: '/home', env: {}, readFile })
      expect(await outcome(loading)).toBe('this is not the name of a folder')
      expect(asked).toEqual([])
    },
  )

  it.each([
    [
      'too large',
      (path: string) => writeFileSync(path, skillText('x'.repeat(100_000))),
      /larger than 100000 bytes/,
    ],
    ['no text', (path: string) => writeFileSync(path, Buffer.from([0x2d, 0xff, 0xfe])), /no UTF-8 text/],
    ['a folder', (path: string) => mkdirSync(path), /no file/],
    ['a device', (path: string) => symlinkSync('/dev/zero', path), /no file/],
    ['a circle of links', (path: string) => symlinkSync(path, path), /ELOOP/],
  ])('a file that is %s, and it hides the one behind it', async (_name, make, reason) => {
    using world = new World()
    world.write('repo/.claude/skills/deploy/SKILL.md', skillText('behind'))
    const folder = join(world.path, 'repo/pkg/.claude/skills/deploy')
    mkdirSync(folder, { recursive: true })
    make(join(folder, 'SKILL.md'))
    expect(await outcome(world.load('deploy'))).toMatch(reason)
  })

  it('a search that was aborted rejects with the reason, before and while a file is read', async () => {
    using world = new World()
    world.write('repo/.claude/skills/deploy/SKILL.md', skillText('x'))
    const why = new Error('enough')
    await expect(world.load('deploy', { signal: AbortSignal.abort(why) })).rejects.toBe(why)
    const controller = new AbortController()
    const loading = world.load('deploy', { signal: controller.signal })
    controller.abort(why)
    await expect(loading).rejects.toBe(why)
  })
})
