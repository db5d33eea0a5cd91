import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SessionEvent } from '@x/contract'
import { type RecordedRequest, startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import type { QueryOptions } from '../src/index.ts'
import { collect, resultsOf, Scripted } from './scripted.ts'

function write(scripted: Scripted, file: string, content: string): void {
  mkdirSync(dirname(scripted.path(file)), { recursive: true })
  writeFileSync(scripted.path(file), content)
}

const skillFile = (name: string) => `.claude/skills/${name}/SKILL.md`
const skillText = (body: string, fields = 'description: d') => `---\n${fields}\n---\n${body}\n`

const call = (more: object = {}) =>
  toolUse('Agent', { description: 'a task', prompt: 'Do it', subagent_type: 'rev', ...more })

const rev = (fields: object) => ({ agents: { rev: { description: 'd', prompt: 'You review.', ...fields } } })

/** The user's own folders are in the working folder too, and hold nothing of the machine's user. */
function ask(scripted: Scripted, options: QueryOptions) {
  return scripted.ask('Main', {
    env: { ...scripted.env, CLAUDE_CONFIG_DIR: scripted.path('user') },
    ...options,
  })
}

function textsOf(request: RecordedRequest | undefined): readonly string[] {
  const content = request?.body.messages[0]?.content ?? []
  return typeof content === 'string'
    ? [content]
    : content.map((block) => ('text' in block ? String(block['text']) : ''))
}

function warningsOf(events: readonly SessionEvent[]): readonly unknown[] {
  return events.flatMap((event) =>
    event.type === 'system' && event.subtype === 'informational' && event['level'] === 'warning'
      ? [event['content']]
      : [],
  )
}

describe('the skills of an agent', () => {
  it('stand whole before its first prompt, and say where their files are', async () => {
    await using scripted = await Scripted.start([[call()], [text('Done.')], [text('Fine.')]])
    write(scripted, skillFile('style'), skillText('Two blanks.\n\nAnd `!ls` stays `$1`.'))
    write(scripted, 'user/skills/tone/SKILL.md', skillText('Be kind.'))
    const events = await collect(ask(scripted, rev({ skills: ['style', 'tone'] })))
    const texts = textsOf(scripted.server.requests[1])
    expect(texts.at(-1)).toBe('Do it')
    expect(texts).toEqual([
      expect.stringMatching(
        /"style".*\/\.claude\/skills\/style;[^]*Two blanks\.\n\nAnd `!ls` stays `\$1`\.\n/,
      ),
      expect.stringMatching(/"tone"[^]*Be kind\./),
      'Do it',
    ])
    expect(texts.join('\n')).not.toContain('description: d')
    expect(JSON.stringify(scripted.server.requests[0]?.body)).not.toContain('Two blanks')
    expect(warningsOf(events)).toEqual([])
  })

  it('that a rule denies are left out, whatever the mode', async () => {
    await using scripted = await Scripted.start([[call()], [text('Done.')], [text('Fine.')]])
    for (const name of ['style', 'tone']) write(scripted, skillFile(name), skillText(`All about ${name}.`))
    const events = await collect(
      ask(scripted, {
        ...rev({ skills: ['style', 'tone'] }),
        disallowedTools: ['Skill(style)'],
        permissionMode: 'bypassPermissions',
        allowDangerouslySkipPermissions: true,
      }),
    )
    expect(warningsOf(events)).toEqual([
      'The agent rev begins without the skill "style": a permission rule denies it.',
    ])
    expect(textsOf(scripted.server.requests[1])).toEqual([
      expect.stringContaining('All about tone.'),
      'Do it',
    ])
  })

  it('that cannot be had are told by their names, and the agent runs with the others', async () => {
    await using scripted = await Scripted.start([[call()], [text('Done.')], [text('Fine.')]])
    write(scripted, skillFile('mine'), skillText('Secret.', 'disable-model-invocation: true'))
    write(scripted, skillFile('huge'), skillText('x'.repeat(200_000)))
    write(scripted, skillFile('bare'), 'No front matter.')
    write(scripted, skillFile('good'), skillText('Good words.'))
    const skills = ['mine', 'huge', 'bare', 'none', '../../good', 'good']
    const events = await collect(ask(scripted, rev({ skills })))
    expect(warningsOf(events)).toHaveLength(5)
    for (const name of ['mine', 'huge', 'bare', 'none', '../../good'])
      expect(warningsOf(events)).toContainEqual(
        expect.stringContaining(`agent rev begins without the skill "${name}"`),
      )
    const texts = textsOf(scripted.server.requests[1])
    expect(texts).toEqual([expect.stringContaining('Good words.'), 'Do it'])
    expect(resultsOf(events)[0]?.result).toBe('Fine.')
  })

  it('are not said again when it goes on', async () => {
    const main = [
      [call({ name: 'helper' })],
      [toolUse('SendMessage', { to: 'helper', message: 'And more?' })],
      [text('Wait.')],
    ]
    const server = await startScriptedServer({
      respond({ body }) {
        const turn = body.messages.filter(({ role }) => role === 'assistant').length
        return JSON.stringify(body.messages[0]).includes('Do it')
          ? [text('Done.')]
          : (main[turn] ?? [text('Fine.')])
      },
    })
    await using scripted = new Scripted(server, {})
    write(scripted, skillFile('style'), skillText('Two blanks.'))
    await collect(ask(scripted, rev({ skills: ['style'] })))
    const said = server.requests.map(({ body }) => JSON.stringify(body.messages))
    const later = said.filter(
      (messages) => messages.includes('Two blanks.') && messages.includes('And more?'),
    )
    expect(later.map((messages) => messages.split('Two blanks.').length - 1)).toEqual([1])
  })

  it('are the session’s where it is that agent, once', async () => {
    await using scripted = await Scripted.start([[text('Fine.')], [text('Again.')]])
    write(scripted, skillFile('style'), skillText('Two blanks.'))
    const options = { ...rev({ skills: 'style, none' }), agent: 'rev' }
    const events = await collect(ask(scripted, options))
    expect(events.find(({ type }) => type === 'system')).toMatchObject({ subtype: 'init' })
    expect(warningsOf(events)).toEqual([expect.stringContaining('"none"')])
    expect(textsOf(scripted.server.requests[0]).join('\n')).toContain('Two blanks.')
    await collect(ask(scripted, { ...options, resume: events[0]?.session_id ?? '' }))
    const said = JSON.stringify(scripted.server.requests[1]?.body.messages)
    expect(said.split('Two blanks')).toHaveLength(2)
  })
})
