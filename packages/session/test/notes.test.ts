import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionEvent } from '@x/contract'
import { loadMemory } from '@x/memory'
import {
  type RecordedRequest,
  type Reply,
  silence,
  startScriptedServer,
  status,
  text,
  toolUse,
} from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { autoMemoryFolder, type Query, type QueryOptions } from '../src/index.ts'
import { collect, createTalk, resultsOf, Scripted } from './scripted.ts'
import { notesOf } from './wire.ts'

/** More than is said between one note and the next. */
const long = 'word '.repeat(9_000)

/** The conversation and its agents on one side, the small model on the other: each answers in order. */
class Notes extends Scripted {
  static async open(main: readonly Reply[], small: readonly (Reply | (() => Reply))[] = []): Promise<Notes> {
    const [mains, smalls] = [[...main], [...small]]
    const respond = (request: RecordedRequest): Reply => {
      const next = (isSmall(request) ? smalls : mains).shift() ?? status(400, { message: 'too many' })
      return typeof next === 'function' ? next() : next
    }
    return new Notes(await startScriptedServer({ respond }), { 'a.txt': 'what a tool says' })
  }

  get asked(): readonly string[] {
    return this.server.requests.filter(isSmall).map(({ body }) => JSON.stringify(body.messages))
  }

  get mains(): readonly RecordedRequest[] {
    return this.server.requests.filter((request) => !isSmall(request))
  }

  /** The files of the project below the state folder, by their last names. */
  kept(name: string): string | undefined {
    const folder = this.path('.x/projects')
    const paths = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
    const path = paths.find((one) => one.endsWith(`/${name}`))
    return path === undefined ? undefined : readFileSync(join(folder, path), 'utf8')
  }

  async remember(content: string): Promise<void> {
    const folder = await autoMemoryFolder(this.path('.x'), this.cwd)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'MEMORY.md'), content)
  }

  /** Says one thing after the other in one session. */
  async talk(prompts: readonly string[], options: QueryOptions): Promise<readonly SessionEvent[]> {
    const said = createTalk()
    const waiting = [...prompts]
    said.say(waiting.shift() ?? '')
    const events: SessionEvent[] = []
    for await (const event of this.ask(said.prompt, options)) {
      events.push(event)
      if (event.type !== 'result') continue
      const next = waiting.shift()
      if (next === undefined) said.end()
      else said.say(next)
    }
    return events
  }
}

function isSmall({ body }: RecordedRequest): boolean {
  return body.model.includes('haiku')
}

/** What a request sends, without the marks for the service's cache. */
function sent(request: RecordedRequest | undefined): readonly unknown[] {
  return JSON.parse(
    JSON.stringify(request?.body.messages ?? [], (key, value: unknown) =>
      key === 'cache_control' ? undefined : value,
    ),
  )
}

describe('a session without the switches', () => {
  it('asks nobody and writes no notes', async () => {
    await using scripted = await Notes.open([[text(long)]])
    await collect(scripted.ask(long))
    expect(scripted.server.requests).toHaveLength(1)
    expect(scripted.kept('notes.md')).toBeUndefined()
    expect(scripted.kept('MEMORY.md')).toBeUndefined()
  })
})

describe('notes on the session (B7)', () => {
  const options = { sessionNotes: true }

  it('are rewritten when enough was said, and the conversation does not know of them', async () => {
    await using scripted = await Notes.open(
      [[text('Yes.')], [toolUse('Read', { file_path: 'a.txt' })], [text('Fine.')], [text('Again.')]],
      [[text('NOTES: one')], [text('NOTES: two')]],
    )
    const events = await scripted.talk([`begin ${long}`, 'short', `more ${long}`], options)
    expect(resultsOf(events).map(({ result }) => result)).toEqual(['Yes.', 'Fine.', 'Again.'])
    expect(scripted.asked).toHaveLength(2)
    expect(scripted.asked[0]).toMatch(/\(none yet\).*begin word/)
    expect(scripted.asked[1]).toMatch(/NOTES: one.*User: short.*Call: Read.*what a tool says.*more word/)
    expect(scripted.asked[1]).not.toContain('begin word')
    expect(scripted.kept('notes.md')).toBe('NOTES: two\n')
    const requests = scripted.mains.map(sent)
    expect(JSON.stringify(requests)).not.toContain('NOTES')
    for (const [index, request] of requests.entries())
      expect(requests[index + 1]?.slice(0, request.length) ?? request).toEqual(request)
    expect(Object.keys(resultsOf(events)[0]?.modelUsage ?? {})).toContainEqual(
      expect.stringContaining('haiku'),
    )
  })

  it('go with the summary when the conversation is compacted', async () => {
    const answers = ['a', 'b', 'c', 'd', 'SUMMARY', 'On.'].map((word) => [text(word)])
    await using scripted = await Notes.open(answers, [[text('NOTES: the plan is B')]])
    await scripted.talk([long, '1', '2', '3', '/compact', 'Go on'], options)
    expect(JSON.stringify(sent(scripted.mains.at(-1)))).toMatch(/SUMMARY.*NOTES: the plan is B.*Go on/)
  })

  it('are not taken of agents, and not where nothing is kept', async () => {
    const agent = toolUse('Agent', {
      description: 'a task',
      prompt: 'Do it',
      subagent_type: 'general-purpose',
      run_in_background: false,
    })
    await using scripted = await Notes.open([
      [agent],
      [text(long), toolUse('Read', { file_path: 'a.txt' })],
      [text('It is done.')],
      [text('Fine.')],
      [text('Fine.')],
    ])
    await collect(scripted.ask('Main', { ...options, memoryExtraction: false }))
    await collect(scripted.ask(long, { ...options, persistSession: false }))
    expect(scripted.mains).toHaveLength(5)
    expect(scripted.asked).toEqual([])
  })

  it('that the model does not give are told of, and nothing ends', async () => {
    const failure = status(500, { message: 'away' })
    await using scripted = await Notes.open(
      [[text('Yes.')], [text('Still.')], [text('On.')]],
      [failure, [text('NOTES: late')]],
    )
    const events = await scripted.talk([long, 'short', `more ${long}`], options)
    expect(notesOf(events).join('\n')).toMatch(/No notes on the session: .*away/)
    expect(resultsOf(events).map(({ is_error: isError }) => isError)).toEqual([false, false, false])
    expect(scripted.asked).toHaveLength(2)
    expect(scripted.asked[1]).toContain('User: short')
    expect(scripted.kept('notes.md')).toBe('NOTES: late\n')
  })

  it('hold no credentials of the environment', async () => {
    await using scripted = await Notes.open([[text('Yes.')]], [[text('The key is hunter2hunter2.')]])
    const env = { ...scripted.env, MY_API_KEY: 'hunter2hunter2' }
    await collect(scripted.ask(`${long} hunter2hunter2`, { ...options, env }))
    expect(scripted.asked[0]).not.toContain('hunter2hunter2')
    expect(scripted.kept('notes.md')).toBe('The key is [hidden].\n')
  })
})

describe('what is remembered for later sessions (B7)', () => {
  const options = { memoryExtraction: true }

  it('takes nothing of a compaction for a word of the user, in a later process either', async () => {
    await using scripted = await Notes.open(
      [
        [toolUse('Read', { file_path: 'a.txt' })],
        [text('Read.')],
        [text('SUMMARY: the user wants tabs')],
        [text('Yes.')],
      ],
      [[text('NONE')], [text('NONE')]],
    )
    writeFileSync(scripted.path('CLAUDE.md'), 'what a project says')
    const memory = await loadMemory({
      cwd: scripted.cwd,
      home: scripted.path('nobody'),
      managedFolder: false,
    })
    const [first] = await scripted.talk([long, '/compact'], { ...options, memory })
    await collect(scripted.ask('Use blanks.', { ...options, resume: first?.session_id ?? '' }))
    expect(JSON.stringify(sent(scripted.mains.at(-1)))).toMatch(
      /SUMMARY.*what a project says.*what a tool says.*Use blanks/,
    )
    expect(scripted.asked).toHaveLength(2)
    expect(scripted.asked[1]).toContain('User: Use blanks.')
    expect(scripted.asked[1]).not.toMatch(/SUMMARY|what a (tool|project) says/)
  })

  it('is one fact a line, each once, told to the user, and known to the next session', async () => {
    await using scripted = await Notes.open(
      [[toolUse('Read', { file_path: 'a.txt' })], [text('Done.')], [text('Yes.')], [text('Third.')]],
      [
        [text('Here:\n- Tests run with pnpm test\n* The user wants   tabs\n- Tests run with `pnpm test`.')],
        [text('- the user wants tabs\n- Releases are on Mondays')],
        [text('NONE')],
      ],
    )
    await scripted.remember('# Mine\n- old fact')
    const events = await scripted.talk(['Use tabs.', 'Release on Mondays.'], options)
    expect(scripted.kept('MEMORY.md')).toBe(
      '# Mine\n- old fact\n- Tests run with pnpm test\n- The user wants tabs\n- Releases are on Mondays\n',
    )
    expect(notesOf(events).join('\n')).toContain('Remembered for later sessions: Releases are on Mondays')
    expect(scripted.asked[0]).toMatch(/old fact.*User: Use tabs\..*Assistant: Done\./)
    expect(scripted.asked[0]).not.toContain('what a tool says')
    expect(scripted.asked[1]).not.toContain('User: Use tabs.')
    const requests = scripted.mains.map(sent)
    for (const [index, request] of requests.entries())
      expect(requests[index + 1]?.slice(0, request.length) ?? request).toEqual(request)

    const folder = await autoMemoryFolder(scripted.path('.x'), scripted.cwd)
    const memory = await loadMemory({
      cwd: scripted.cwd,
      home: scripted.path('nobody'),
      managedFolder: false,
      autoMemory: { folder },
    })
    await collect(scripted.ask('Third', { ...options, memory }))
    expect(JSON.stringify(sent(scripted.mains.at(-1)))).toContain('Releases are on Mondays')
    // Instructions are not said by anybody.
    expect(scripted.asked[2]?.split('Releases are on Mondays')).toHaveLength(2)
  })

  it('is asked of the main conversation alone, and of nothing where the memory is off', async () => {
    const agent = toolUse('Agent', {
      description: 'a task',
      prompt: 'Do it',
      subagent_type: 'general-purpose',
      run_in_background: false,
    })
    await using scripted = await Notes.open(
      [[agent], [text('It is done.')], [text('Fine.')], [text('Fine.')], [text('Fine.')]],
      [[text('NONE')]],
    )
    await collect(scripted.ask('Main', options))
    const env = { ...scripted.env, CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1' }
    await collect(scripted.ask('Off', { ...options, env }))
    await collect(scripted.ask('Not kept', { ...options, persistSession: false }))
    expect(scripted.asked).toHaveLength(1)
    expect(scripted.asked[0]).toMatch(/User: Main/)
    expect(scripted.kept('MEMORY.md')).toBeUndefined()
  })

  it('is never a credential', async () => {
    const answer = '- The key is hunter2hunter2\n- A token: ghp_0123456789abcdef0123\n- The user wants tabs'
    await using scripted = await Notes.open([[text('Yes.')]], [[text(answer)]])
    const env = { ...scripted.env, MY_API_KEY: 'hunter2hunter2' }
    const events = await collect(scripted.ask('It is hunter2hunter2', { ...options, env }))
    expect(scripted.asked[0]).not.toContain('hunter2hunter2')
    expect(scripted.kept('MEMORY.md')).toBe('- The user wants tabs\n')
    expect(notesOf(events).join('\n')).not.toContain('ghp_')
  })

  it('ends where the memory is full, which is told once', async () => {
    await using scripted = await Notes.open([[text('One.')], [text('Two.')]])
    const full = '- a fact\n'.repeat(200)
    await scripted.remember(full)
    const events = await scripted.talk(['First', 'Second'], options)
    expect(scripted.asked).toEqual([])
    expect(notesOf(events).filter((line) => line.includes('is full'))).toHaveLength(1)
    expect(scripted.kept('MEMORY.md')).toBe(full)
  })

  it('is told of where the model fails, and the answer stands', async () => {
    await using scripted = await Notes.open(
      [[text('Yes.')], [text('On.')]],
      [status(529), [text('- It was said in the first prompt')]],
    )
    const events = await scripted.talk(['First', 'Second'], options)
    expect(resultsOf(events).map(({ result }) => result)).toEqual(['Yes.', 'On.'])
    expect(notesOf(events).join('\n')).toMatch(/Nothing was remembered: /)
    expect(scripted.asked[1]).toMatch(/User: First.*User: Second/)
    expect(scripted.kept('MEMORY.md')).toBe('- It was said in the first prompt\n')
  })
})

describe('an abort', () => {
  it.each([
    ['notes', { sessionNotes: true }],
    ['memories', { memoryExtraction: true }],
  ])('ends the request for %s, and nothing is written', async (_, options) => {
    let running: Query | undefined
    await using scripted = await Notes.open(
      [[text('Yes.')], [text('On.')]],
      [
        () => {
          running?.interrupt()
          return silence()
        },
        [text('NONE')],
      ],
    )
    const talk = createTalk()
    talk.say(long)
    running = scripted.ask(talk.prompt, options)
    const results: unknown[] = []
    for await (const event of running) {
      if (event.type !== 'result') continue
      results.push(event.terminal_reason ?? event.result)
      if (results.length === 1) talk.say('short')
      else talk.end()
    }
    expect(results).toHaveLength(2)
    const [request] = scripted.server.requests.filter(isSmall)
    await request?.ended
    expect(request?.isClosedByClient).toBe(true)
    expect(scripted.kept('notes.md')).toBeUndefined()
    expect(scripted.kept('MEMORY.md')).toBeUndefined()
  })
})
