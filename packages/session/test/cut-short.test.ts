import { randomUUID } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionEvent } from '@x/contract'
import { type Reply, silence, status, text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { loadSessionSettings, type Query, type QueryOptions } from '../src/index.ts'
import { canLook, findMarked } from './marked.ts'
import { type Answers, agent, makeRepository, startByPrompt } from './places.ts'
import { collect, createTalk, resultsOf, type Scripted } from './scripted.ts'
import { refusals } from './wire.ts'

/** Something that takes long, in the middle of which a session is cut short. */
interface Moment {
  readonly name: string
  /** What the user says before; the last of them leads to the moment. */
  readonly prompts?: readonly string[]
  readonly answers?: Answers
  /** A command of this event takes long. */
  readonly hook?: string
  /** Commands of other events. */
  readonly hooks?: Readonly<Record<string, string>>
  readonly options?: QueryOptions
  readonly needsRepository?: boolean
  /** The result is out already. */
  readonly isAfter?: boolean
  /** It belongs to no answer, and an interrupt leaves it alone. */
  readonly isBeside?: boolean
  /** Tells that the moment has come. @default the slow command runs */
  readonly isReached?: (scripted: Scripted) => boolean
}

/** Takes long, the first time. */
const slow = '! test -e reached || exit 0; touch reached; exec sleep 610'
const slowServer = { command: 'sh', args: ['-c', 'touch reached; exec sleep 610'] }
const slowCall = toolUse('Bash', { command: slow })
const hello: Reply = text('Hi. '.repeat(500))
const hellos = ['HELLO', 'HELLO', 'HELLO', 'HELLO', 'HELLO']

const moments: readonly Moment[] = [
  { name: 'a SessionStart hook', hook: 'SessionStart' },
  {
    name: 'the connection to an MCP server',
    options: { mcpServers: { slow: slowServer } },
    isBeside: true,
  },
  { name: 'a UserPromptSubmit hook', hook: 'UserPromptSubmit' },
  { name: 'a PreToolUse hook', hook: 'PreToolUse', answers: { GO: [toolUse('Glob', { pattern: '*' })] } },
  { name: 'a PostToolUse hook', hook: 'PostToolUse', answers: { GO: [toolUse('Glob', { pattern: '*' })] } },
  {
    name: 'a PostToolBatch hook',
    hook: 'PostToolBatch',
    answers: { GO: [toolUse('Glob', { pattern: '*' })] },
  },
  { name: 'a Stop hook', hook: 'Stop', answers: { GO: [text('Done.')] } },
  { name: 'a StopFailure hook', hook: 'StopFailure', answers: { GO: [status(401)] } },
  { name: 'a MessageDisplay hook', hook: 'MessageDisplay', answers: { GO: [text('Done.')] } },
  {
    name: 'a CwdChanged hook before the next call',
    hook: 'CwdChanged',
    answers: {
      GO: [toolUse('Bash', { command: 'cd sub' }), toolUse('Glob', { pattern: '*' })],
    },
  },
  {
    name: 'a CwdChanged hook at the end',
    hook: 'CwdChanged',
    answers: { GO: [toolUse('Bash', { command: 'cd sub' })] },
    isAfter: true,
  },
  {
    name: 'the request for a summary',
    prompts: [...hellos, '/compact'],
    answers: { HELLO: [hello, [silence()]] },
    isReached: ({ server }) => server.requests.length > hellos.length,
  },
  {
    name: 'a PreCompact hook',
    hook: 'PreCompact',
    prompts: [...hellos, '/compact'],
    answers: { HELLO: [hello] },
  },
  {
    name: 'a PostCompact hook',
    hook: 'PostCompact',
    prompts: [...hellos, '/compact'],
    answers: { HELLO: [hello] },
  },
  { name: 'a SubagentStart hook', hook: 'SubagentStart', answers: { GO: [agent('LEAF')] } },
  {
    name: 'a WorktreeCreate hook',
    hook: 'WorktreeCreate',
    answers: { GO: [agent('LEAF', { isolation: 'worktree' })] },
    needsRepository: true,
  },
  {
    name: "the connection to an agent's own MCP server",
    answers: { GO: [agent('LEAF', { subagent_type: 'own' })] },
    options: { agents: { own: { description: 'd', prompt: 'p', mcpServers: [{ slow: slowServer }] } } },
  },
  { name: "an agent's command", answers: { GO: [agent('LEAF')], LEAF: [slowCall] } },
  {
    name: "an agent's command in a worktree",
    answers: {
      GO: [agent('LEAF', { isolation: 'worktree' })],
      LEAF: [toolUse('Bash', { command: 'touch reached; sleep 610' })],
    },
    needsRepository: true,
    isReached: ({ cwd }) =>
      readdirSync(cwd, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('reached')),
  },
  {
    name: "an agent's answer",
    answers: { GO: [agent('LEAF')], LEAF: [[text('I begin.'), silence()]] },
    isReached: ({ server }) => server.requests.length > 1,
  },
  {
    name: 'a command of an agent in the background',
    isBeside: true,
    answers: { GO: [agent('LEAF', { run_in_background: true }), [silence()]], LEAF: [slowCall] },
  },
  {
    name: 'a SubagentStop hook',
    hook: 'SubagentStop',
    answers: { GO: [agent('LEAF')], LEAF: [text('Done.')] },
  },
  {
    name: 'a FileChanged hook',
    hook: 'FileChanged',
    isBeside: true,
    answers: {
      GO: [toolUse('Bash', { command: 'echo b > a.txt' }), [text('Look.'), silence()]],
    },
  },
  {
    name: 'a WorktreeRemove hook',
    hook: 'WorktreeRemove',
    isBeside: true,
    hooks: { WorktreeCreate: 'git worktree add -q "$HOME/own" && echo "$HOME/own"' },
    answers: { GO: [agent('LEAF', { isolation: 'worktree' })], LEAF: [text('Done.')] },
    needsRepository: true,
  },
  {
    name: "the SubagentStop hook of an agent's own",
    answers: { GO: [agent('LEAF', { subagent_type: 'own' })], LEAF: [text('Done.')] },
    options: {
      agents: {
        own: {
          description: 'd',
          prompt: 'p',
          hooks: { Stop: [{ hooks: [{ type: 'command', command: slow }] }] },
        },
      },
    },
  },
]

const ways = ['interrupt', 'close', 'abort'] as const
type Way = (typeof ways)[number]

describe.skipIf(!canLook)('cut short in the middle of', () => {
  it.each(moments)('$name, a session ends what runs, and can go on', async (moment) => {
    await Promise.all(ways.map((way) => cutShort(moment, way)))
  })
})

async function cutShort(moment: Moment, way: Way): Promise<void> {
  const { answers = {}, isReached = isRunning } = moment
  await using scripted = await startByPrompt({ ...answers, BYE: [text('Bye.')] }, { 'a.txt': 'a' })
  mkdirSync(scripted.path('sub'))
  if (moment.needsRepository === true) makeRepository(scripted)
  const mark = randomUUID()
  const options = await optionsOf(moment, scripted, mark)
  const session = new Running(scripted, moment, options)
  await expect.poll(() => isReached(scripted)).toBe(true)
  const begun = performance.now()
  await session.cut(way)
  const left = { moment: moment.name, way, isSlow: performance.now() - begun > 30_000 }
  if (moment.isBeside !== true) await expect.poll(() => findMarked(mark)).toEqual([])
  await session.end(way)
  const none = { processes: [], listeners: [], locks: [] }
  const found = { processes: findMarked(mark), listeners: session.listeners(), locks: findLocks(scripted) }
  expect({ ...left, ...found }).toEqual({ ...left, ...none, isSlow: false })
  await expectToGoOn(scripted, session.events[0]?.session_id, options)
}

/** A session that is read to its end, whatever happens. */
class Running {
  readonly events: SessionEvent[] = []
  readonly #host = new AbortController()
  readonly #talk = createTalk()
  readonly #moment: Moment
  readonly #query: Query
  readonly #reading: Promise<void>

  constructor(scripted: Scripted, moment: Moment, options: QueryOptions) {
    this.#moment = moment
    this.#query = scripted.ask(this.#talk.prompt, { ...options, abortController: this.#host })
    this.#reading = this.#read()
  }

  async cut(way: Way): Promise<void> {
    const { isAfter = false } = this.#moment
    const results = resultsOf(this.events).length
    if (way === 'abort') this.#host.abort()
    else if (way === 'close') await this.#query.close()
    else this.#query.interrupt()
    if (way !== 'interrupt') await this.#reading
    else if (!isAfter) await expect.poll(() => resultsOf(this.events).length).toBeGreaterThan(results)
  }

  /** After an interrupt the session answers; then it is closed, if it does not end by itself. */
  async end(way: Way): Promise<void> {
    if (way === 'interrupt') {
      this.#talk.say('BYE')
      this.#talk.end()
      const patienceMs = this.#moment.isBeside === true ? 300 : 8_000
      await Promise.race([this.#reading, sleep(patienceMs).then(() => this.#query.close())])
    }
    await this.#reading
  }

  listeners(): readonly unknown[] {
    return getEventListeners(this.#host.signal, 'abort')
  }

  async #read(): Promise<void> {
    const waiting = [...(this.#moment.prompts ?? ['GO'])]
    this.#talk.say(waiting.shift() ?? '')
    for await (const event of this.#query) {
      this.events.push(event)
      const next = event.type === 'result' ? waiting.shift() : undefined
      if (next !== undefined) this.#talk.say(next)
    }
  }
}

async function expectToGoOn(
  scripted: Scripted,
  resume: string | undefined,
  { env = {} }: QueryOptions,
): Promise<void> {
  if (resume === undefined) return
  const again = await collect(scripted.ask('BYE', { env, resume }))
  expect(resultsOf(again)[0]?.result).toBe('Bye.')
  expect(refusals(scripted)).toEqual([])
}

async function optionsOf(
  { hook, hooks: others = {}, options }: Moment,
  scripted: Scripted,
  mark: string,
): Promise<QueryOptions> {
  const { cwd } = scripted
  const env = { ...scripted.env, HOME: cwd, SHELL: '/bin/bash', X_TEST_MARK: mark }
  const commands = Object.entries({ ...others, ...(hook !== undefined && { [hook]: slow }) })
  const hooks = Object.fromEntries(
    commands.map(([event, command]) => {
      const matcher = event === 'FileChanged' ? 'a.txt' : ''
      return [event, [{ matcher, hooks: [{ type: 'command', command }] }]]
    }),
  )
  const settings = await loadSessionSettings({
    cwd,
    env,
    home: cwd,
    managedFolder: false,
    flagSettings: { hooks },
  })
  return { env, settings, permissionMode: 'bypassPermissions', ...options }
}

function isRunning(scripted: Scripted): boolean {
  return existsSync(scripted.path('reached')) || existsSync(scripted.path('sub/reached'))
}

function findLocks({ cwd }: Scripted): readonly string[] {
  return readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lock'))
}
