import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Model, SessionEvent } from '@x/contract'
import { permissionModes } from '@x/permissions'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadSessionSettings, query, type SessionHookCallback } from '../src/index.ts'
import { collect, resultsOf, textOf, toolResultsOf } from './scripted.ts'
import { createTool } from './wire.ts'

/** What a command does, said by hand: the test must not ask the code that it tests. */
interface Facts {
  readonly command: string
  readonly removes?: boolean
  readonly pushes?: boolean
  /** No shell could read it, or it hides what it runs. */
  readonly isOdd?: boolean
}

const commands: readonly Facts[] = [
  { command: 'ls' },
  { command: 'echo hello' },
  { command: 'npm test' },
  { command: 'rm -rf build', removes: true },
  { command: 'npm test && rm build', removes: true },
  { command: 'echo "$(rm build)"', removes: true },
  { command: 'git push', pushes: true },
  { command: 'npm test; git push --force', pushes: true },
  { command: 'git push; rm build', pushes: true, removes: true },
  { command: 'echo "never closed', isOdd: true },
  { command: 'if true; then', isOdd: true },
  { command: 'npm test ) (', isOdd: true },
]

const facts = fc.constantFrom(...commands)
const decision = fc.constantFrom('allow', 'allow', 'ask', 'deny', 'defer')

const said = fc.record(
  {
    permissionDecision: decision,
    permissionDecisionReason: fc.constant('because'),
    updatedInput: facts.map(({ command }) => ({ command })),
    additionalContext: fc.constantFrom('c1', 'c2'),
  },
  { requiredKeys: [] },
)

/** What one hook gives back: anything a hook may say, in both spellings, and what it may not. */
const answer = fc.oneof(
  { weight: 6, arbitrary: said },
  {
    weight: 4,
    arbitrary: said.map((fields) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })),
  },
  { weight: 2, arbitrary: fc.constantFrom({ decision: 'approve' }, { decision: 'block', reason: 'no' }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(undefined, {}, { permissionDecision: 'perhaps' }, new Error('boom')),
  },
)

const story = fc
  .record({
    call: facts,
    answers: fc.array(answer, { maxLength: 5 }),
    mode: fc.constantFrom(...permissionModes),
    allow: fc.subarray(['Bash', 'Bash(npm test *)', 'Bash(rm *)', 'Bash(git push *)', 'Bash(echo *)']),
    ask: fc.subarray(['Bash(git push *)', 'Bash(rm *)']),
    deny: fc.subarray(['Bash(rm *)', 'Bash(curl *)']),
    host: fc.constantFrom(undefined, 'allow' as const, 'deny' as const),
  })
  .chain((given) => {
    const places = given.answers.map((_, index) => index)
    const order = fc.shuffledSubarray(places, { minLength: places.length })
    return fc.record({ first: order, second: order }).map((orders) => ({ ...given, orders }))
  })

type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never

/** What happened to the one call. */
interface Told {
  readonly ran: readonly string[]
  readonly asked: readonly string[]
  readonly results: readonly string[]
  /** A hook put it off: it stays open. */
  readonly isParked: boolean
}

test('no answers of hooks, in any number and order, loosen a rule, a person or a doubt', async () => {
  using folder = temporaryFolder()
  await fc.assert(
    fc.asyncProperty(story, async (given) => {
      const told = await tell(given, given.orders.first, folder.path)
      expect(told.results).toHaveLength(told.isParked ? 0 : 1)
      if (told.isParked) judgeParked(given, told)
      for (const command of told.ran) judge(given, command, told)
      expect(await tell(given, given.orders.second, folder.path)).toEqual(told)
    }),
    { numRuns: 300 },
  )
})

/** A command that ran, and what was said about it. */
interface Ran extends Facts {
  readonly given: Story
  /** What the hooks wanted. */
  readonly wishes: readonly string[]
  readonly asked: readonly string[]
  /** The person was asked about just this, and allowed it. */
  readonly wasAllowed: boolean
}

/** What must hold of every command that ran. */
const promises: Readonly<Record<string, (ran: Ran) => boolean>> = {
  'the last rewrite counts': ({ command, given }) =>
    command === (given.answers.flatMap(rewriteOf).at(-1) ?? given.call.command),
  'no hook denied it': ({ wishes }) => !wishes.includes('deny'),
  'no rule denies it': ({ removes, given }) => !(removes && given.deny.includes('Bash(rm *)')),
  'a rule that asks was answered': ({ removes, pushes, given: { ask }, wasAllowed }) =>
    wasAllowed || !((pushes && ask.includes('Bash(git push *)')) || (removes && ask.includes('Bash(rm *)'))),
  'a hook that asks was answered': ({ wishes, wasAllowed }) => wasAllowed || !wishes.includes('ask'),
  'nobody guessed what it does': ({ isOdd, given, wasAllowed }) =>
    wasAllowed || !isOdd || given.mode === 'bypassPermissions',
  'nobody guessed that no rule forbids it': ({ isOdd, given: { ask, deny }, wasAllowed }) =>
    wasAllowed || !isOdd || ask.length + deny.length === 0,
  'nobody was asked who may not be': ({ given, asked }) => given.mode !== 'dontAsk' || asked.length === 0,
  'something allowed it': ({ command, wishes, given: { mode, allow }, wasAllowed }) =>
    wasAllowed ||
    ['ls', 'echo hello'].includes(command) ||
    ['bypassPermissions', 'acceptEdits', 'auto'].includes(mode) ||
    wishes.includes('allow') ||
    allow.length > 0,
}

function judge(given: Story, command: string, { asked }: Told): void {
  const ran: Ran = {
    ...(commands.find((one) => one.command === command) ?? { command }),
    given,
    wishes: given.answers.flatMap(wishOf),
    asked,
    wasAllowed: given.host === 'allow' && asked.includes(command),
  }
  const broken = Object.entries(promises).flatMap(([says, holds]) => (holds(ran) ? [] : [says]))
  expect({ command, broken }).toEqual({ command, broken: [] })
}

/** Put off is what a hook wants so, nobody could be asked about, and neither hook nor rule forbids. */
function judgeParked(given: Story, { ran, asked }: Told): void {
  const wishes = given.answers.flatMap(wishOf)
  const command = given.answers.flatMap(rewriteOf).at(-1) ?? given.call.command
  const { removes } = commands.find((one) => one.command === command) ?? {}
  expect([ran, asked, given.host]).toEqual([[], [], undefined])
  expect([wishes.includes('defer'), wishes.includes('deny')]).toEqual([true, false])
  expect(removes === true && given.deny.includes('Bash(rm *)')).toBe(false)
}

function wishOf(given: object | undefined): readonly string[] {
  const { decision, permissionDecision: wish } = fieldsOf(given)
  if (decision === 'block') return ['deny']
  if (decision === 'approve') return ['allow']
  return typeof wish === 'string' ? [wish] : []
}

/** The command that a hook puts in place of the other, if it may. */
function rewriteOf(given: object | undefined): readonly string[] {
  const { updatedInput, permissionDecision: wish } = fieldsOf(given)
  const command: unknown = Object(updatedInput).command
  return typeof command === 'string' && wish !== 'deny' && wish !== 'defer' ? [command] : []
}

/** What a hook said, in whichever spelling. */
function fieldsOf(given: object | undefined): Readonly<Record<string, unknown>> {
  return { ...given, ...Object(Reflect.get({ ...given }, 'hookSpecificOutput')) }
}

/** Lets the model make the call; the hooks finish in this order. */
async function tell(given: Story, order: readonly number[], cwd: string): Promise<Told> {
  const { call, allow, ask, deny, mode, host } = given
  const ran: string[] = []
  const asked: string[] = []
  const settings = await loadSessionSettings({
    cwd,
    home: cwd,
    env: {},
    managedFolder: false,
    flagSettings: { permissions: { allow, ask, deny } },
  })
  const running = query({
    prompt: 'Go',
    options: {
      cwd,
      env: { X_HOME: join(cwd, '.x'), HOME: cwd },
      endpoint: createModel(call.command),
      settings,
      permissionMode: mode,
      extraTools: [
        createTool('Bash', ({ command }) => void ran.push(String(command)), { isReadOnly: () => false }),
      ],
      hooks: { PreToolUse: [{ hooks: inOrder(given.answers, order) }] },
      ...(host && {
        canUseTool: async (_name, { command }) => {
          asked.push(String(command))
          return host === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: 'no' }
        },
      }),
    },
  })
  const events = await collect(running as AsyncIterable<SessionEvent>)
  return {
    ran,
    asked,
    results: toolResultsOf(events).map(textOf),
    isParked: resultsOf(events).at(-1)?.terminal_reason === 'tool_deferred',
  }
}

/** Hooks that wait for their turn. */
function inOrder(answers: Story['answers'], order: readonly number[]): readonly SessionHookCallback[] {
  const turns = answers.map(() => Promise.withResolvers<void>())
  let place = 0
  const next = (): void => turns[order[place++] ?? -1]?.resolve()
  let begun = 0
  return answers.map((given, index) => async () => {
    begun += 1
    if (begun === answers.length) next()
    await turns[index]?.promise
    setImmediate(next)
    if (given instanceof Error) throw given
    // What hooks say is not trusted: the types promise nothing here.
    return given as Awaited<ReturnType<SessionHookCallback>>
  })
}

/** Asks for the call, then ends. */
function createModel(command: string): Model {
  const usage = {
    input_tokens: 1,
    output_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  }
  return {
    contextWindow: () => 200_000,
    async *stream({ messages }) {
      const isFirst = messages.length === 1
      yield { type: 'message-start', id: `msg_${messages.length}`, model: 'test', usage }
      yield isFirst
        ? {
            type: 'block-end',
            index: 0,
            block: { type: 'tool_use', id: 'c1', name: 'Bash', input: { command } },
          }
        : { type: 'block-end', index: 0, block: { type: 'text', text: 'Done.' } }
      yield { type: 'message-end', stopReason: isFirst ? 'tool_use' : 'end_turn', usage }
    },
  }
}

function temporaryFolder(): { readonly path: string } & Disposable {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'x-session-')))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
