import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSessionStore, openTranscript, type SessionPlace, type SessionStore } from '@x/transcript'
import { expect, test } from 'vitest'
import { assistant, text, user } from './builders.ts'
import { makeFolder } from './world.ts'

const id = '00000000-0000-4000-8000-000000000001'

interface World {
  readonly store: SessionStore
  readonly place: SessionPlace
}

/** A session in which these were said, and answered. */
async function said(...prompts: readonly string[]): Promise<World> {
  const root = makeFolder()
  const cwd = join(root, 'work')
  mkdirSync(cwd)
  const store = createSessionStore({ stateFolder: join(root, 'state') })
  const world = { store, place: await store.place(cwd, id) }
  await say(world, ...prompts)
  return world
}

async function say({ place }: World, ...prompts: readonly string[]): Promise<void> {
  await using transcript = await openTranscript(place.path)
  for (const prompt of prompts)
    await transcript.append([user(prompt), assistant(`m-${prompt}`, text(`On ${prompt}`))])
}

async function rewind({ store }: World, words: string): Promise<void> {
  const prompt = (await store.prompts(id)).find((one) => one.text === words)
  await store.rewind(id, prompt?.uuid ?? '')
}

/** Words and, of those that were left behind, a mark. */
async function listed({ store }: World, session = id): Promise<readonly string[]> {
  return (await store.prompts(session)).map((one) => `${one.text}${one.isRewound ? ' (rewound)' : ''}`)
}

test('prompts that a rewind left behind are marked, and none is there twice', async () => {
  const world = await said('one', 'two', 'three')
  expect(await listed(world)).toEqual(['one', 'two', 'three'])
  const before = await world.store.prompts(id)
  await rewind(world, 'two')
  await say(world, 'four')
  expect(await listed(world)).toEqual(['one', 'two (rewound)', 'three (rewound)', 'four'])
  expect((await world.store.prompts(id)).slice(0, 3).map(({ uuid }) => uuid)).toEqual(
    before.map(({ uuid }) => uuid),
  )
})

test('a rewind to the beginning leaves all behind, also before anything new is said', async () => {
  const world = await said('one', 'two')
  await rewind(world, 'one')
  expect(await listed(world)).toEqual(['one (rewound)', 'two (rewound)'])
  await say(world, 'three')
  expect(await listed(world)).toEqual(['one (rewound)', 'two (rewound)', 'three'])
})

test('rewinds follow each other', async () => {
  const world = await said('one', 'two', 'three')
  await rewind(world, 'three')
  await say(world, 'four')
  await rewind(world, 'two')
  await say(world, 'five')
  expect(await listed(world)).toEqual(['one', 'two (rewound)', 'three (rewound)', 'four (rewound)', 'five'])
})

test('a compaction leaves nothing behind, whatever it takes along', async () => {
  const world = await said('one', 'two')
  {
    await using transcript = await openTranscript(world.place.path)
    const messages = [user('Summary: one was said.'), user('two'), assistant('m-two', text('On two'))]
    await transcript.appendCompaction({ trigger: 'auto', preTokens: 9, messages })
  }
  await say(world, 'three')
  expect(await listed(world)).toEqual(['one', 'two', 'three'])
  await rewind(world, 'two')
  expect(await listed(world)).toEqual(['one', 'two (rewound)', 'three (rewound)'])
})

test('a session that went on from an earlier message left the later prompts behind', async () => {
  const world = await said('one', 'two')
  const [, second] = await world.store.prompts(id)
  {
    await using transcript = await openTranscript(world.place.path, { resumeAt: second?.parentUuid ?? '' })
    await transcript.append([user('other'), assistant('m-other', text('On other'))])
  }
  expect(await listed(world)).toEqual(['one', 'two (rewound)', 'other'])
})

test('a copy of a session says the same as the session', async () => {
  const world = await said('one', 'two')
  await rewind(world, 'two')
  await say(world, 'three')
  const copy = await world.store.fork(id)
  expect(await listed(world, copy.id)).toEqual(await listed(world))
})

test('a rewind that was cut off has left nothing behind', async () => {
  const world = await said('one', 'two')
  const whole = readFileSync(world.place.path, 'utf8')
  await rewind(world, 'two')
  const added = readFileSync(world.place.path, 'utf8').slice(whole.length).split('\n')
  // The mark and the first message that it takes along.
  const begun = added.findIndex((line) => line.includes('"user"')) + 1
  writeFileSync(world.place.path, whole)
  appendFileSync(world.place.path, `${added.slice(0, begun).join('\n')}\n`)
  expect(await listed(world)).toEqual(['one', 'two'])
  await say(world, 'three')
  expect(await listed(world)).toEqual(['one', 'two', 'three'])
})
