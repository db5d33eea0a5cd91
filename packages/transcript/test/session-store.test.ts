import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { checkHistory, type Message } from '@x/contract'
import {
  createSessionStore,
  openTranscript,
  readTranscript,
  type SessionPlace,
  type SessionStore,
} from '@x/transcript'
import { describe, expect, test } from 'vitest'
import {
  assistant,
  assistantEvent,
  call,
  event,
  results,
  text,
  thinking,
  user,
  userEvent,
} from './builders.ts'
import { makeFolder, outline, recordsOf } from './world.ts'

const [one, two, three] = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
  '00000000-0000-4000-8000-000000000003',
]

interface World {
  readonly store: SessionStore
  readonly root: string
  readonly cwd: string
  readonly other: string
}

function makeWorld(): World {
  const root = makeFolder()
  const [cwd, other] = [join(root, 'work'), join(root, 'other')]
  mkdirSync(cwd)
  mkdirSync(other)
  return { root, cwd, other, store: createSessionStore({ stateFolder: join(root, 'state') }) }
}

const conversation: readonly Message[] = [
  user('Fix the bug,\n please'),
  assistant('m1', thinking('secret'), call('t1')),
  results('t1'),
  assistant('m2', text('Fixed.')),
]

async function addSession(
  { store, cwd }: World,
  id: string,
  options: {
    readonly messages?: readonly Message[]
    readonly cwd?: string
    readonly atSeconds?: number
  } = {},
): Promise<SessionPlace> {
  const place = await store.place(options.cwd ?? cwd, id)
  await using transcript = await openTranscript(place.path, { facts: () => ({ cwd, gitBranch: 'main' }) })
  await transcript.append(options.messages ?? conversation)
  if (options.atSeconds !== undefined) utimesSync(place.path, options.atSeconds, options.atSeconds)
  return place
}

async function addMetadata(
  { path }: SessionPlace,
  ...records: { readonly type: string; readonly [key: string]: string }[]
): Promise<void> {
  await using transcript = await openTranscript(path)
  for (const record of records) await transcript.appendMetadata(record)
}

describe('the folder of a project', () => {
  test('is the real path with dashes (example 39)', async () => {
    const { store, root } = makeWorld()
    expect(await store.project('/home/u/my_app')).toBe('-home-u-my-app')
    mkdirSync(join(root, 'real.d'))
    symlinkSync(join(root, 'real.d'), join(root, 'link'))
    expect(await store.project(join(root, 'link'))).toBe(`${root.replaceAll(/[^A-Za-z0-9]/g, '-')}-real-d`)
    expect(await store.project('/none/e\u0301')).toBe('-none--')
  })

  test('of a long path is cut and told apart by a number (example 40)', async () => {
    const { store } = makeWorld()
    const path = `/${'a'.repeat(299)}`
    const name = await store.project(path)
    let hash = 0
    for (const character of path) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) | 0
    expect(name).toBe(`-${'a'.repeat(199)}-${Math.abs(hash).toString(36)}`)
    expect(await store.project(`${path}b`)).not.toBe(name)
  })
})

describe('a list', () => {
  test('has the latest first, with what there is to show', async () => {
    const world = makeWorld()
    await addSession(world, one, { atSeconds: 1_000 })
    await addSession(world, two, { atSeconds: 3_000, messages: [user('Second')] })
    await addSession(world, three, { atSeconds: 2_000, cwd: world.other })
    expect((await world.store.list({ cwd: world.cwd })).map(({ id }) => id)).toEqual([two, one])
    const all = await world.store.list()
    expect(all.map(({ id }) => id)).toEqual([two, three, one])
    const place = await world.store.place(world.cwd, one)
    expect(all[2]).toEqual({
      ...place,
      title: 'Fix the bug, please',
      firstPrompt: 'Fix the bug, please',
      cwd: world.cwd,
      gitBranch: 'main',
      modifiedAtMs: 1_000_000,
      sizeBytes: readFileSync(place.path).length,
    })
    expect((await world.store.latest(world.cwd))?.id).toBe(two)
    expect(await world.store.latest(world.root)).toBeUndefined()
    expect((await world.store.list({ cwd: [world.cwd, world.other] })).map(({ id }) => id)).toEqual([
      two,
      three,
      one,
    ])
    expect(await world.store.list({ cwd: world.cwd, allProjects: true })).toHaveLength(3)
  })

  test('takes the title by its rules', async () => {
    const world = makeWorld()
    const place = await addSession(world, one)
    const title = async (): Promise<string | undefined> => (await world.store.list())[0]?.title
    await addMetadata(place, { type: 'summary', summary: 'the summary' })
    expect(await title()).toBe('the summary')
    await addMetadata(place, { type: 'last-prompt', lastPrompt: 'last' })
    expect(await title()).toBe('last')
    await addMetadata(
      place,
      { type: 'ai-title', aiTitle: 'made up' },
      { type: 'ai-title', aiTitle: 'made up later' },
    )
    expect(await title()).toBe('made up later')
    await addMetadata(place, { type: 'custom-title', customTitle: 'mine' }, { type: 'tag', tag: 'red' })
    expect((await world.store.list())[0]).toMatchObject({ title: 'mine', customTitle: 'mine', tag: 'red' })
  })

  test('finds the first prompt that a person wrote, cut to 200 characters', async () => {
    const world = makeWorld()
    const place = await world.store.place(world.cwd, one)
    await using transcript = await openTranscript(place.path)
    await transcript.append([user('instructions')], { isMeta: true })
    await transcript.append([user('<command-name>/init</command-name>')])
    await transcript.append([user('<system-reminder>x</system-reminder>')])
    await transcript.append([user(`${'word '.repeat(39)}word😀 more`)])
    expect((await world.store.list())[0]?.title).toBe('word '.repeat(40).trimEnd())
  })

  test('leaves out sidechains, empty and foreign files', async () => {
    const world = makeWorld()
    const place = await addSession(world, one)
    const folder = dirname(place.path)
    writeFileSync(join(folder, 'notes.jsonl'), readFileSync(place.path))
    writeFileSync(join(folder, `${two}.jsonl`), '')
    writeFileSync(
      join(folder, `${three}.jsonl`),
      '{"type":"user","uuid":"a","parentUuid":null,"isSidechain":true,"message":{"role":"user","content":"x"}}\n',
    )
    mkdirSync(join(folder, `${one.replace(/1$/, 'a')}.jsonl`))
    writeFileSync(join(world.root, 'state', 'projects', 'stray'), 'x')
    expect((await world.store.list()).map(({ id }) => id)).toEqual([one])
  })

  test('of a long session that was never closed shows the name it was given', async () => {
    const world = makeWorld()
    const place = await addSession(world, one)
    await addMetadata(place, { type: 'custom-title', customTitle: 'mine' })
    const transcript = await openTranscript(place.path)
    for (let turn = 0; turn < 100; turn += 1)
      await transcript.append([user('x'.repeat(10_000)), assistant(`a${turn}`, text('ok'))])
    expect((await world.store.list())[0]).toMatchObject({ title: 'mine', firstPrompt: 'Fix the bug, please' })
    await transcript.close()
  })

  test('waits for a first prompt that is long', async () => {
    const world = makeWorld()
    const picture = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'A'.repeat(3_000_000) },
    }
    await addSession(world, one, {
      messages: [{ role: 'user', content: [picture, { type: 'text', text: 'What is this?' }] }],
    })
    expect((await world.store.list())[0]?.title).toBe('What is this?')
  })
})

describe('finding', () => {
  test('looks in this project, then in all if exactly one holds it', async () => {
    const world = makeWorld()
    const here = await addSession(world, one)
    const there = await addSession(world, two, { cwd: world.other })
    const { store, cwd, other } = world
    expect(await store.find(one, cwd)).toEqual(here)
    expect(await store.find(two.toUpperCase(), cwd)).toEqual(there)
    await store.rename(two, 'the other')
    expect((await store.find('the other', cwd)).id).toBe(two)
    await addSession(world, one, { cwd: other })
    expect(await store.find(one, other)).toMatchObject({ path: (await store.place(other, one)).path })
    const nowhere = join(world.root, 'nowhere')
    await expect(store.find(one, nowhere)).rejects.toMatchObject({ code: 'not-found' })
    expect(await store.find(one, [nowhere, cwd])).toEqual(here)
  })

  test('says what scripts expect where there is none (example 45)', async () => {
    const { store, cwd } = makeWorld()
    for (const id of [three, 'no name', '../../etc/passwd']) {
      await expect(store.find(id, cwd)).rejects.toMatchObject({
        code: 'not-found',
        message: `No conversation found with session ID: ${id}`,
      })
    }
  })

  test('says that several answer to a name', async () => {
    const world = makeWorld()
    await addSession(world, one)
    await addSession(world, two)
    await world.store.rename(one, 'same')
    await world.store.rename(two, 'same')
    await expect(world.store.find('same', world.cwd)).rejects.toMatchObject({ code: 'ambiguous' })
  })
})

test.each(['..', '../x', 'a/b', 'C:\\x', '', 'x', `${one}/..`, `${one}\0`])(
  '%j never becomes a file name',
  async (id) => {
    const world = makeWorld()
    const { store } = world
    await addSession(world, one)
    await expect(store.place(world.cwd, id)).rejects.toMatchObject({ code: 'invalid-id' })
    await expect(store.remove(id)).rejects.toMatchObject({ code: 'invalid-id' })
    await expect(store.rename(id, 'x')).rejects.toMatchObject({ code: 'invalid-id' })
    await expect(store.fork(id)).rejects.toMatchObject({ code: 'invalid-id' })
    await expect(store.fork(one, { sessionId: id })).rejects.toMatchObject({ code: 'invalid-id' })
    await expect(store.export(id, 'json')).rejects.toMatchObject({ code: 'invalid-id' })
  },
)

describe('a fork (example 44)', () => {
  test('is a copy under new names, with its origin and a title of its own', async () => {
    const world = makeWorld()
    const original = await addSession(world, one)
    const before = readFileSync(original.path)
    const copy = await world.store.fork(one, { sessionId: two })
    expect(copy.path).toBe((await world.store.place(world.cwd, two)).path)
    expect((await readTranscript(copy.path)).messages).toEqual((await readTranscript(original.path)).messages)
    const [old, fresh] = [recordsOf(original.path), recordsOf(copy.path)]
    expect(new Set([...old, ...fresh].map(({ uuid }) => uuid).filter(Boolean)).size).toBe(10)
    expect(fresh.slice(0, -1).map(({ forkedFrom }) => forkedFrom)).toEqual(
      old.map(({ uuid }) => ({ sessionId: one, messageUuid: uuid })),
    )
    expect(fresh.every(({ sessionId }) => sessionId === two)).toBe(true)
    expect(fresh.map((record) => Object.keys(record)[0])).toEqual(fresh.map(() => 'type'))
    expect(fresh.slice(0, -2).map(({ timestamp }) => timestamp)).toEqual(
      old.slice(0, -1).map(({ timestamp }) => timestamp),
    )
    expect(fresh.at(-1)).toEqual({
      type: 'custom-title',
      sessionId: two,
      customTitle: 'Fix the bug, please (fork)',
    })
    expect(readFileSync(original.path)).toEqual(before)
    const titles = (await world.store.list()).map(({ title }) => title)
    expect(titles.toSorted()).toEqual(['Fix the bug, please', 'Fix the bug, please (fork)'])
  })

  test('leaves out agents, progress and numbers, and closes the gaps they leave', async () => {
    const world = makeWorld()
    const { path } = await world.store.place(world.cwd, one)
    await using transcript = await openTranscript(path)
    await transcript.appendEvents([
      userEvent(0, { role: 'user', content: 'go' }),
      userEvent(1, { role: 'user', content: 'agent' }, { parent_tool_use_id: 't1' }),
    ])
    appendFileSync(
      path,
      [
        { type: 'progress', uuid: 'p', parentUuid: transcript.head },
        {
          type: 'assistant',
          uuid: 'x',
          parentUuid: 'p',
          slug: 's',
          message: { role: 'assistant', content: 'ok' },
        },
        { type: 'content-replacement', replacements: [1] },
        { type: 'content-replacement', replacements: [2] },
      ]
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    )
    await transcript.appendEvents([event(2, { type: 'result', subtype: 'success' })])
    // The original may be in use meanwhile.
    const copy = await world.store.fork(one)
    const records = recordsOf(copy.path)
    expect(records.map(({ type }) => type)).toEqual([
      'user',
      'assistant',
      'content-replacement',
      'custom-title',
    ])
    expect(records[1]?.['parentUuid']).toBe(records[0]?.['uuid'])
    expect(records[2]).toEqual({ type: 'content-replacement', sessionId: copy.id, replacements: [1, 2] })
    expect(JSON.stringify(records)).not.toMatch(/"sequence"|"slug"/)
    await using forked = await openTranscript(copy.path)
    expect(forked.nextSequence).toBe(0)
  })

  test('ends where it is told to, also inside a compacted history', async () => {
    const world = makeWorld()
    const original = await addSession(world, one)
    {
      await using transcript = await openTranscript(original.path)
      await transcript.appendCompaction({
        trigger: 'auto',
        preTokens: 1,
        messages: [user('summary'), assistant('c', text('kept'))],
      })
      await transcript.append([user('on')])
    }
    const records = recordsOf(original.path)
    const whole = await world.store.fork(one)
    expect((await readTranscript(whole.path)).messages).toEqual(
      (await readTranscript(original.path)).messages,
    )
    expect((await readTranscript(whole.path)).report.isWhole).toBe(false)
    const part = await world.store.fork(one, { upTo: String(records[2]?.['uuid']) })
    expect(outline((await readTranscript(part.path)).messages)).toEqual([
      'user: Fix the bug,\n please',
      'assistant: thinking, call t1',
      'user: failed t1',
    ])
    const summary = records.find(({ isCompactSummary }) => isCompactSummary === true)
    const inside = await world.store.fork(one, { upTo: String(summary?.['uuid']) })
    expect(outline((await readTranscript(inside.path)).messages)).toEqual(['user: summary'])
    writeFileSync(
      original.path,
      records
        .slice(0, -2)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    )
    const cutOff = await world.store.fork(one)
    expect((await readTranscript(cutOff.path)).messages).toEqual(conversation)
    await expect(world.store.fork(one, { upTo: 'nothing' })).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('changing', () => {
  test('a name is one more line; a session that is open is named by its writer', async () => {
    const world = makeWorld()
    const place = await addSession(world, one)
    writeFileSync(place.path, readFileSync(place.path).subarray(0, -3))
    await world.store.rename(one, 'renamed')
    expect((await world.store.list())[0]?.title).toBe('renamed')
    expect(readFileSync(place.path, 'utf8').split('\n').at(-2)).toBe(
      JSON.stringify({ type: 'custom-title', sessionId: one, customTitle: 'renamed' }),
    )
    await using transcript = await openTranscript(place.path)
    await expect(world.store.rename(one, 'x')).rejects.toMatchObject({ code: 'in-use' })
    await transcript.appendMetadata({ type: 'custom-title', customTitle: 'by the writer' })
    expect((await world.store.list())[0]?.title).toBe('by the writer')
  })

  test('a name keeps the number that a dead writer left in its lock', async () => {
    const world = makeWorld()
    const place = await addSession(world, one)
    mkdirSync(`${place.path}.lock`)
    writeFileSync(
      join(`${place.path}.lock`, 'dead'),
      '{"held":1,"next":"0000000000000042","pid":4194305,"started":"unknown"}',
    )
    await world.store.rename(one, 'renamed')
    await using transcript = await openTranscript(place.path)
    expect(transcript.nextSequence).toBe(42)
  })

  test('taking a conversation back to a prompt keeps what was before it, and all in the file', async () => {
    const world = makeWorld()
    const place = await addSession(world, one, {
      messages: [...conversation, user('Wrong way'), assistant('m3', text('no'))],
    })
    const prompts = await world.store.prompts(one)
    expect(prompts.map(({ text }) => text)).toEqual(['Fix the bug,\n please', 'Wrong way'])
    await world.store.rewind(one, prompts[1]?.uuid ?? '')
    expect((await readTranscript(place.path)).messages).toEqual(conversation)
    await world.store.rewind(one, prompts[0]?.uuid ?? '')
    expect((await readTranscript(place.path)).messages).toEqual([])
    expect(readFileSync(place.path, 'utf8')).toContain('Wrong way')
    await expect(world.store.rewind(one, 'nothing')).rejects.toMatchObject({ code: 'not-found' })
  })

  test('removing takes everything along, but not from under a writer', async () => {
    const world = makeWorld()
    const place = await addSession(world, one)
    mkdirSync(join(place.folder, 'tool-results'), { recursive: true })
    const transcript = await openTranscript(place.path)
    await expect(world.store.remove(one)).rejects.toMatchObject({ code: 'in-use' })
    await transcript.close()
    await world.store.remove(one)
    expect(readdirSync(dirname(place.path))).toEqual([])
    await expect(world.store.remove(one)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('cleaning up removes what is old and not in use', async () => {
    const world = makeWorld()
    const days = (count: number): number => Date.now() / 1_000 - count * 86_400
    const old = await addSession(world, one, { atSeconds: days(31) })
    const used = await addSession(world, two, { atSeconds: days(31) })
    const young = await addSession(world, three, { atSeconds: days(29), cwd: world.other })
    await using transcript = await openTranscript(used.path)
    expect(transcript.messages).toHaveLength(4)
    expect(await world.store.cleanUp(30)).toEqual([one])
    expect([old, used, young].map(({ path }) => existsSync(path))).toEqual([false, true, true])
    await expect(world.store.cleanUp(0)).rejects.toThrow(RangeError)
    await expect(world.store.cleanUp(Number.NaN)).rejects.toThrow(RangeError)
  })
})

describe('exporting', () => {
  test('as markdown is for people', async () => {
    const world = makeWorld()
    await addSession(world, one)
    expect(await world.store.export(one, 'markdown')).toBe(`# Fix the bug, please

## User

Fix the bug,
 please

## Assistant

**Read**

\`\`\`json
{
  "path": "ä.ts"
}
\`\`\`

Result:

\`\`\`
done
\`\`\`

## Assistant

Fixed.
`)
  })

  test('as JSON is for programs', async () => {
    const world = makeWorld()
    const { path } = await addSession(world, one)
    const { messages } = await readTranscript(path)
    expect(JSON.parse(await world.store.export(one, 'json'))).toEqual({
      id: one,
      title: 'Fix the bug, please',
      messages,
    })
  })

  test('of an open call is valid too', async () => {
    const world = makeWorld()
    await addSession(world, one, { messages: conversation.slice(0, 2) })
    const { messages } = JSON.parse(await world.store.export(one, 'json'))
    expect(checkHistory(messages)).toEqual([])
    expect(await world.store.export(one, 'markdown')).toContain('Failed:')
  })
})

test('an event may be read while the session goes on', async () => {
  const world = makeWorld()
  const { path } = await world.store.place(world.cwd, one)
  await using transcript = await openTranscript(path)
  await transcript.appendEvents([assistantEvent(0, assistant('a', text('x')))])
  expect((await readTranscript(path)).messages).toHaveLength(2)
})
