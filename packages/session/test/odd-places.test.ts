import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadMemory } from '@x/memory'
import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import type { UserInput } from '../src/index.ts'
import { agent, startByPrompt } from './places.ts'
import { collect, createTalk, resultsOf, type Scripted, textOf, toolResultsOf } from './scripted.ts'
import { notesOf, refusals } from './wire.ts'

const id = '00000000-0000-4000-8000-00000000000a'

/** Where the transcript of the session of that id is, or would be. */
function transcriptOf({ cwd }: Scripted): string {
  return join(cwd, '.x/projects', cwd.replaceAll(/[^A-Za-z0-9]/g, '-'), `${id}.jsonl`)
}

function told({ server }: Scripted): string {
  return JSON.stringify(server.requests.at(-1)?.body.messages)
}

describe('a prompt', () => {
  it.each<[string, UserInput['message']['content']]>([
    ['half an emoji', 'HELLO \ud83d, and \udc00'],
    ['a NUL', 'HELLO \0 there'],
    ['lines of every kind', 'HELLO \u2028 \u2029 \r \u0085 \ufeff'],
    ['5 MB', `HELLO ${'word '.repeat(1_000_000)}`],
    [
      'blocks that cannot be sent',
      [
        { type: 'text', text: 'HELLO' },
        { type: 'text', text: ' ' },
        { type: 'tool_result', tool_use_id: 'nobody', content: 'x' },
        { type: 'text', text: 'half \ud83d' },
      ],
    ],
  ])('with %s is answered, kept and gone on from', async (_, content) => {
    await using scripted = await startByPrompt({ HELLO: [text('Hi.')], BYE: [text('Bye.')] })
    const env = { ...scripted.env, DISABLE_AUTO_COMPACT: '1' }
    const talk = createTalk()
    talk.say({ type: 'user', message: { role: 'user', content } })
    talk.end()
    await collect(scripted.ask(talk.prompt, { sessionId: id, env }))
    const before = scripted.server.requests[0]?.body.messages[0]
    const events = await collect(scripted.ask('BYE', { resume: id, env }))
    expect(resultsOf(events)[0]?.result).toBe('Bye.')
    expect(notesOf(events)).toEqual([])
    expect(withoutMarkers(scripted.server.requests[1]?.body.messages[0])).toEqual(withoutMarkers(before))
    expect(refusals(scripted)).toEqual([])
  })

  it('whose id was used before hides nothing of what was said', async () => {
    await using scripted = await startByPrompt({ HELLO: [text('Hi.')] })
    const say = async (uuid: string, content: string, resume?: string) => {
      const talk = createTalk()
      const input: UserInput = { type: 'user', message: { role: 'user', content }, uuid }
      talk.say(input)
      talk.say({ ...input, message: { role: 'user', content: `${content} again` } })
      talk.end()
      return collect(scripted.ask(talk.prompt, resume === undefined ? { sessionId: id } : { resume }))
    }
    const uuid = '00000000-0000-4000-8000-00000000000b'
    const first = await say(uuid, 'HELLO one')
    const answer = first.find(({ type }) => type === 'assistant')?.uuid ?? ''
    await say(uuid, 'HELLO two', id)
    await say(answer, 'HELLO three', id)
    expect(notesOf(await collect(scripted.ask('HELLO four', { resume: id })))).toEqual([])
    expect(told(scripted)).toMatch(/one.*one again.*two.*two again.*three.*three again.*four/)
    expect(scripted.server.requests.at(-1)?.body.messages).toHaveLength(13)
    await collect(scripted.ask('HELLO five', { resume: id, forkSession: true }))
    expect(told(scripted)).toMatch(/one.*one again.*two.*two again.*three.*three again.*four.*five/)
    await collect(scripted.ask('HELLO six', { resume: id, resumeSessionAt: answer }))
    await collect(scripted.ask('HELLO seven', { resume: id }))
    expect(told(scripted)).toMatch(/one.*six.*seven/)
    expect(scripted.server.requests.at(-1)?.body.messages).toHaveLength(5)
  })
})

describe('a transcript', () => {
  const user = (uuid: string, parentUuid: string | null, content: string): object => ({
    type: 'user',
    uuid,
    parentUuid,
    sessionId: id,
    message: { role: 'user', content },
  })

  it.each<[string, (path: string) => void, RegExp | undefined]>([
    ['that is empty', (path) => writeFileSync(path, ''), undefined],
    ['of nothing but newlines', (path) => writeFileSync(path, '\n\n\n'), undefined],
    ['of zeros', (path) => writeFileSync(path, Buffer.alloc(100_000)), undefined],
    [
      'of another program',
      (path) => writeFileSync(path, '{"kind":"log","message":"x"}\nplain words\n'),
      undefined,
    ],
    ['that is one line of 20 MB', (path) => writeFileSync(path, 'x'.repeat(20_000_000)), undefined],
    [
      'of 20 MB in lines',
      (path) =>
        writeFileSync(
          path,
          Array.from({ length: 2_000 }, (_, index) =>
            JSON.stringify({
              ...user(`u${index}`, index === 0 ? null : `u${index - 1}`, 'x'),
              extra: 'y'.repeat(10_000),
            }),
          ).join('\n'),
        ),
      undefined,
    ],
    ['that is a folder', (path) => mkdirSync(path), /is not a file|cannot be read|No conversation/],
    ['that is a link to itself', (path) => symlinkSync(path, path), /cannot be read|No conversation/],
    ['that is a link to a device', (path) => symlinkSync('/dev/zero', path), /is not a file|No conversation/],
  ])('%s is gone on from, or refused with a reason', async (_, make, refusal) => {
    await using scripted = await startByPrompt({ BYE: [text('Bye.')] })
    const path = transcriptOf(scripted)
    mkdirSync(dirname(path), { recursive: true })
    make(path)
    const running = collect(scripted.ask('BYE', { resume: id }))
    if (refusal !== undefined) return expect(running).rejects.toThrow(refusal)
    expect(resultsOf(await running)[0]?.result).toBe('Bye.')
    await collect(scripted.ask('BYE', { resume: id }))
    expect(told(scripted).split('BYE')).toHaveLength(3)
    expect(refusals(scripted)).toEqual([])
  })
})

describe('a message', () => {
  it('of an agent to itself, to nobody, of the main conversation to itself or to a place outside reaches nobody and says so', async () => {
    const send = (to: string) => toolUse('SendMessage', { to, message: 'hi' })
    await using scripted = await startByPrompt({
      GO: [
        [send('main'), send('nobody'), send('../../../etc/passwd'), send('__proto__'), send('\0')],
        agent('LEAF', { name: 'me' }),
      ],
      LEAF: [[send('me')]],
    })
    const events = await collect(scripted.ask('GO', { permissionMode: 'bypassPermissions' }))
    const results = toolResultsOf(events)
    expect(results.map((result) => result.is_error === true)).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      false,
    ])
    expect(textOf(results[0])).toContain('main conversation yourself')
    expect(textOf(results[1])).toContain('no agent "nobody"')
    expect(textOf(results[2])).toContain('no agent "../../../etc/passwd"')
    expect(textOf(results[5])).toContain('yourself')
  })
})

describe('names that objects have by themselves', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']

  it('are agents where somebody defines them, and unknown where nobody does', async () => {
    for (const name of names) {
      await using scripted = await startByPrompt({
        GO: [agent('LEAF', { subagent_type: name, name })],
        LEAF: [names.map((one) => toolUse(one, {})), text('Done.')],
      })
      const unknown = await collect(scripted.ask('GO', { permissionMode: 'bypassPermissions' }))
      expect(textOf(toolResultsOf(unknown)[0])).toContain(name)
      expect(toolResultsOf(unknown)[0]?.is_error).toBe(true)
      const agents = Object.fromEntries([[name, { description: 'd', prompt: 'p' }]])
      const events = await collect(scripted.ask('GO', { permissionMode: 'bypassPermissions', agents }))
      const own = toolResultsOf(
        events.filter((event) => !('parent_tool_use_id' in event) || event.parent_tool_use_id === null),
      )
      expect([name, textOf(own[0])]).toEqual([name, expect.stringContaining('Done.')])
      expect(refusals(scripted)).toEqual([])
    }
  })
})

describe('instruction files', () => {
  it.each<[string, (path: string) => void]>([
    ['a folder', (path) => mkdirSync(path)],
    ['a link to itself', (path) => symlinkSync(path, path)],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
    ['100 MB', (path) => writeFileSync(path, 'remember this\n'.repeat(7_500_000))],
    [
      'bytes of every kind',
      (path) => writeFileSync(path, Buffer.from(Array.from({ length: 4_096 }, (_, index) => index % 256))),
    ],
  ])('that are %s harm no session and none of its agents', async (_, make) => {
    await using scripted = await startByPrompt({
      GO: [agent('LEAF', { subagent_type: 'own' }), text('Done.')],
      LEAF: [text('Done.')],
    })
    const { cwd, env } = scripted
    make(scripted.path('CLAUDE.md'))
    const notes = scripted.path('.claude/agent-memory/own')
    mkdirSync(notes, { recursive: true })
    make(join(notes, 'MEMORY.md'))
    const memory = await loadMemory({ cwd, env, home: join(cwd, 'home') })
    const agents = { own: { description: 'd', prompt: 'p', memory: 'project' } }
    const events = await collect(scripted.ask('GO', { memory, agents }))
    expect(resultsOf(events)[0]).toMatchObject({ is_error: false, result: 'Done.' })
    expect(scripted.server.requests.every(({ text: body }) => body.length < 2_000_000)).toBe(true)
    expect(refusals(scripted)).toEqual([])
  })
})

function withoutMarkers(message: unknown): unknown {
  return JSON.parse(
    JSON.stringify(message, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
  )
}
