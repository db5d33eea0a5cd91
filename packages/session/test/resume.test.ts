import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import type { QueryOptions } from '../src/index.ts'
import { collect, createTalk, resultsOf, Scripted, textOf, toolResultsOf } from './scripted.ts'
import { notesOf } from './wire.ts'

/** The one transcript of a folder. */
function transcriptOf(scripted: Scripted): { readonly path: string; readonly lines: readonly string[] } {
  const projects = scripted.path('.x/projects')
  const project = join(projects, readdirSync(projects)[0] ?? '')
  const name = readdirSync(project).find((file) => file.endsWith('.jsonl')) ?? ''
  const path = join(project, name)
  return { path, lines: readFileSync(path, 'utf8').trimEnd().split('\n') }
}

/** Messages without the marks for the service's cache, which stand elsewhere in each request. */
function withoutMarkers(messages: readonly unknown[]): readonly unknown[] {
  return JSON.parse(
    JSON.stringify(messages, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
  )
}

const first = [[toolUse('Glob', { pattern: '*.txt' })], [text('There is one.')]] as const

describe('a session that goes on', () => {
  it('sends what was said before, byte for byte, and numbers its events on', async () => {
    await using scripted = await Scripted.start([...first, [text('Still one.')]], { 'a.txt': 'a' })
    const before = await collect(scripted.ask('How many?'))
    const sessionId = before[0]?.session_id ?? ''
    const after = await collect(scripted.ask('And now?', { resume: sessionId }))
    const [, second, third] = scripted.server.requests
    const [sent, resumed] = [second, third].map((request) => withoutMarkers(request?.body.messages ?? []))
    expect(resumed?.slice(0, sent?.length)).toEqual(sent)
    expect(third?.body.messages).toHaveLength(5)
    expect(after[0]).toMatchObject({ session_id: sessionId, sequence: before.length })
    expect([...before, ...after].map(({ sequence }) => sequence)).toEqual(
      [...before, ...after].map((_, index) => index),
    )
  })

  it('takes over model and mode, but not plan and not bypass (agents.md 46)', async () => {
    await using scripted = await Scripted.start([[text('One.')], [text('Two.')], [text('Three.')]])
    const [start] = await collect(scripted.ask('Go', { model: 'tiny-1', permissionMode: 'acceptEdits' }))
    const resume = start?.session_id ?? ''
    const [again] = await collect(scripted.ask('Go', { resume }))
    expect(again).toMatchObject({ model: 'tiny-1', permissionMode: 'acceptEdits' })
    await collect(scripted.ask('Go', { resume, permissionMode: 'plan' }))
    const talk = createTalk()
    talk.end()
    const [last] = await collect(scripted.ask(talk.prompt, { resume }))
    expect(last).toMatchObject({ permissionMode: 'default' })
  })

  it('in a copy leaves the original as it was (cli.md 28, agents.md 44)', async () => {
    await using scripted = await Scripted.start([[text('One.')], [text('Two.')]])
    const [start] = await collect(scripted.ask('Go'))
    const before = transcriptOf(scripted)
    const [copy] = await collect(
      scripted.ask('Go on', { resume: start?.session_id ?? '', forkSession: true }),
    )
    expect(copy?.session_id).not.toBe(start?.session_id)
    expect(readFileSync(before.path, 'utf8').trimEnd().split('\n')).toEqual(before.lines)
    expect(scripted.server.requests[1]?.body.messages).toHaveLength(3)
  })

  it('behind an earlier message forgets what came after it', async () => {
    await using scripted = await Scripted.start([[text('One.')], [text('Two.')], [text('Three.')]])
    const talk = createTalk()
    talk.say('First')
    const answers: string[] = []
    let resume = ''
    for await (const event of scripted.ask(talk.prompt)) {
      resume = event.session_id
      if (event.type === 'assistant') answers.push(event.uuid)
      if (event.type === 'result' && answers.length === 1) talk.say('Second')
      else if (event.type === 'result') talk.end()
    }
    await collect(scripted.ask('Other', { resume, resumeSessionAt: answers[0] ?? '' }))
    expect(JSON.stringify(scripted.server.requests[2]?.body.messages)).toMatch(/First.*One\..*Other/)
    expect(JSON.stringify(scripted.server.requests[2]?.body.messages)).not.toContain('Second')
  })

  it('that is open elsewhere is refused with its id, and nothing is written', async () => {
    await using scripted = await Scripted.start([[text('One.')], [text('Two.')]])
    const talk = createTalk()
    talk.say('Go')
    for await (const event of scripted.ask(talk.prompt)) {
      if (event.type !== 'result') continue
      const before = transcriptOf(scripted).lines
      await expect(collect(scripted.ask('Me too', { resume: event.session_id }))).rejects.toThrow(
        /being written by/,
      )
      expect(transcriptOf(scripted).lines).toEqual(before)
      talk.end()
    }
  })

  it('with a damaged transcript says so, and what it sends is valid (SU-09, SU-10)', async () => {
    await using scripted = await Scripted.start([[text('One.')], [text('Two.')], [text('Three.')]])
    const [start] = await collect(scripted.ask('Go'))
    const resume = start?.session_id ?? ''
    const { path, lines } = transcriptOf(scripted)
    writeFileSync(path, lines.toSpliced(1, 0, '\0\0\0', '{"type":"user"').join('\n'))
    appendFileSync(path, '\n{"type":"user","message":{"role":"user","content":"cut \xf0\x9f')
    const events = await collect(scripted.ask('Go on', { resume }))
    expect(notesOf(events).join('\n')).toMatch(/3 damaged lines were left out/)
    expect(resultsOf(events)[0]?.result).toBe('Two.')
    await collect(scripted.ask('And on', { resume }))
    expect(JSON.stringify(scripted.server.requests[2]?.body.messages)).toMatch(
      /Go.*One\..*Go on.*Two\..*And on/,
    )
  })

  it('that is nowhere is an error that names it (agents.md 45)', async () => {
    await using scripted = await Scripted.start([])
    const resume = '00000000-0000-4000-8000-000000000000'
    await expect(collect(scripted.ask('Go', { resume }))).rejects.toThrow(
      `No conversation found with session ID: ${resume}`,
    )
    expect(() => scripted.ask('Go', { resume: '../../etc/passwd' })).toThrow(TypeError)
  })

  it.each<[string, QueryOptions, Record<string, string>]>([
    ['persistSession: false', { persistSession: false }, {}],
    ['CLAUDE_CODE_SKIP_PROMPT_HISTORY=1', {}, { CLAUDE_CODE_SKIP_PROMPT_HISTORY: '1' }],
  ])('is not kept with %s, nor are its large results (agents.md 9)', async (...[, options, env]) => {
    const look = toolUse('Agent', { description: 'd', prompt: 'Look', subagent_type: 'Explore' })
    const long = text('word '.repeat(9_000))
    await using scripted = await Scripted.start([[look], [long], [text('One.')]])
    const events = await collect(scripted.ask('Go', { ...options, env: { ...scripted.env, ...env } }))
    expect(textOf(toolResultsOf(events)[0])).toMatch(/is cut after .* Read \S+ for the whole/)
    expect(readdirSync(scripted.cwd)).toEqual([])
  })

  it('is kept where a program wants it, whatever the environment says', async () => {
    await using scripted = await Scripted.start([[text('One.')]])
    const env = { ...scripted.env, CLAUDE_CODE_SKIP_PROMPT_HISTORY: '1' }
    await collect(scripted.ask('Go', { persistSession: true, env }))
    expect(transcriptOf(scripted).path).toMatch(/jsonl$/)
  })
})

describe('what a hook is told', () => {
  it('is where the transcript is, and that the session goes on', async () => {
    await using scripted = await Scripted.start([[text('One.')], [text('Two.')]])
    const told: Readonly<Record<string, unknown>>[] = []
    const hooks = {
      SessionStart: [{ hooks: [(input: Readonly<Record<string, unknown>>) => void told.push(input)] }],
    }
    const [start] = await collect(scripted.ask('Go', { hooks }))
    await collect(scripted.ask('Go', { hooks, resume: start?.session_id ?? '' }))
    expect(told).toMatchObject([
      { source: 'startup', transcript_path: transcriptOf(scripted).path },
      {
        source: 'resume',
        seconds_since_last_response: expect.any(Number),
        prompt_cache_likely_expired: false,
      },
    ])
  })
})
