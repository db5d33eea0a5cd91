import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionEvent } from '@x/contract'
import {
  type RecordedRequest,
  type Reply,
  startScriptedServer,
  text,
  toolUse,
} from '@x/model-anthropic/testing'
import type { QueryOptions } from '../src/index.ts'
import { collect, createTalk, resultsOf, Scripted } from './scripted.ts'

/** What the model says, by a word of the prompt: its answers one after the other. */
export type Answers = Readonly<Record<string, readonly Reply[]>>

/** A model that answers the last prompt that holds one of the words, whatever conversation it is in. */
export async function startByPrompt(
  answers: Answers,
  files: Readonly<Record<string, string>> = {},
): Promise<Scripted> {
  const server = await startScriptedServer({ respond: (request) => answer(request, answers) })
  return new Scripted(server, files)
}

function answer({ body: { messages } }: RecordedRequest, answers: Answers): Reply {
  for (let place = messages.length - 1; place >= 0; place -= 1) {
    const message = messages[place]
    const said = message?.role === 'user' ? textsOf(message.content) : ''
    const words = Object.keys(answers).toSorted(
      (one, other) => said.lastIndexOf(other) - said.lastIndexOf(one),
    )
    const [word = ''] = words
    if (!said.includes(word)) continue
    const turn = messages.slice(place).filter(({ role }) => role === 'assistant').length
    return answers[word]?.[turn] ?? text('Nothing more.')
  }
  return text('Nothing more.')
}

function textsOf(content: string | readonly object[]): string {
  if (typeof content === 'string') return content
  return content.map((block) => ('text' in block ? String(block.text) : '')).join('\n')
}

/** A call of an agent. */
export function agent(prompt: string, more: object = {}): ReturnType<typeof toolUse> {
  return toolUse('Agent', { description: 'a task', prompt, subagent_type: 'general-purpose', ...more })
}

/** Makes a folder a repository with one commit of all that is in it. */
export function makeRepository({ cwd }: Scripted): void {
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd })
  writeFileSync(join(cwd, '.gitignore'), '.x\n')
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
}

/** Says one thing after the other, each behind the result before. */
async function sayAll(
  scripted: Scripted,
  prompts: readonly string[],
  options: QueryOptions,
): Promise<readonly SessionEvent[]> {
  const talk = createTalk()
  const [first = '', ...others] = prompts
  talk.say(first)
  const events: SessionEvent[] = []
  for await (const event of scripted.ask(talk.prompt, options)) {
    events.push(event)
    if (event.type !== 'result') continue
    const next = others.shift()
    if (next === undefined) talk.end()
    else talk.say(next)
  }
  return events
}

/** A place in a session where a call can be made. */
export interface Place {
  /** Where it is, in words. */
  readonly name: string
  /** What leads the model there, beside the prompt with the word LEAF, whose first answer makes the call. */
  readonly answers: Answers
  /** It needs a repository. */
  readonly needsRepository?: boolean
  /** Goes there. */
  go(scripted: Scripted, options: QueryOptions): Promise<readonly SessionEvent[]>
}

const main = (scripted: Scripted, options: QueryOptions) => collect(scripted.ask('MAIN', options))

/** Every place there is. */
export const places: readonly Place[] = [
  {
    name: 'the main conversation',
    answers: {},
    go: (scripted, options) => collect(scripted.ask('LEAF', options)),
  },
  { name: 'an agent', answers: { MAIN: [agent('LEAF')] }, go: main },
  { name: "an agent's agent", answers: { MAIN: [agent('MIDDLE')], MIDDLE: [agent('LEAF')] }, go: main },
  {
    name: 'an agent in the background',
    answers: { MAIN: [agent('LEAF', { run_in_background: true })] },
    go: main,
  },
  {
    name: 'an agent in a worktree',
    answers: { MAIN: [agent('LEAF', { isolation: 'worktree' })] },
    needsRepository: true,
    go: main,
  },
  {
    name: 'a session that goes on',
    answers: { HELLO: [text('Hi.')] },
    async go(scripted, options) {
      const [start] = await collect(scripted.ask('HELLO', options))
      return collect(scripted.ask('LEAF', { ...options, resume: start?.session_id ?? '' }))
    },
  },
  {
    name: 'an agent that was written to',
    answers: {
      HELLO: [text('Hi.')],
      MAIN: [agent('HELLO', { name: 'helper' }), toolUse('SendMessage', { to: 'helper', message: 'LEAF' })],
    },
    go: main,
  },
  {
    name: 'an agent of an earlier process that was written to',
    answers: {
      HELLO: [text('Hi.')],
      MAIN: [agent('HELLO', { name: 'helper' })],
      AGAIN: [toolUse('SendMessage', { to: 'helper', message: 'LEAF' })],
    },
    async go(scripted, options) {
      const [start] = await collect(scripted.ask('MAIN', options))
      return collect(scripted.ask('AGAIN', { ...options, resume: start?.session_id ?? '' }))
    },
  },
  {
    name: 'a conversation that was compacted',
    answers: { HELLO: [text('Hi. '.repeat(500))] },
    async go(scripted, options) {
      const hellos = Array.from({ length: 5 }, () => 'HELLO')
      const events = await sayAll(scripted, [...hellos, '/compact', 'LEAF'], options)
      const compacted = resultsOf(events).some(({ result }) => result?.includes('was compacted') === true)
      if (!compacted) throw new Error('Nothing was compacted')
      return events
    },
  },
]
