import { readdirSync } from 'node:fs'
import { toolResults, toolUse } from '@x/model-anthropic/testing'
import type { CanUseToolCallback } from '@x/permissions'
import { describe, expect, it } from 'vitest'
import { loadSessionSettings, type QueryOptions } from '../src/index.ts'
import { makeRepository, type Place, places, startByPrompt } from './places.ts'
import type { Scripted } from './scripted.ts'
import { refusals } from './wire.ts'

/** One call under rules, and what must come of it wherever it is made. */
interface Rule {
  readonly says: string
  readonly call: ReturnType<typeof toolUse>
  readonly permissions?: Readonly<Record<string, readonly string[]>>
  readonly options?: QueryOptions
  /** What a person answers; absent: nobody can be asked. */
  readonly person?: 'allow' | 'deny'
  /** The calls that the person is asked about. */
  readonly asked?: readonly string[]
  /** The file `made` exists afterwards. */
  readonly makes: boolean
  /** What the model reads. */
  readonly result: RegExp
  /** What it must not read. */
  readonly hides?: RegExp
}

/** The call, by an id of its own. */
const leaf = (name: string, input: object) => toolUse(name, input, { id: 'leaf' })

const touch = leaf('Bash', { command: 'touch made' })
const write = leaf('Write', { file_path: 'made', content: 'x' })
const secret = { makes: false, hides: /XYZZY/, options: { permissionMode: 'bypassPermissions' } } as const

/** A hook in code before each call of Bash or Write. */
function before(answer: object): QueryOptions {
  return { hooks: { PreToolUse: [{ matcher: 'Bash|Write', hooks: [() => answer] }] } }
}

const rules: readonly Rule[] = [
  {
    says: 'a denial stands above every mode',
    call: touch,
    permissions: { deny: ['Bash(touch *)'] },
    options: { permissionMode: 'bypassPermissions' },
    makes: false,
    result: /Bash\(touch \*\)/,
  },
  {
    says: 'a rule that asks is asked of the person, above what is allowed',
    call: touch,
    permissions: { ask: ['Bash(touch *)'], allow: ['Bash'] },
    person: 'allow',
    asked: ['Bash'],
    makes: true,
    result: /^(?!.*denied)/s,
  },
  {
    says: 'a rule that asks denies where nobody can be asked',
    call: touch,
    permissions: { ask: ['Bash(touch *)'], allow: ['Bash'] },
    makes: false,
    result: /asked/,
  },
  {
    says: "a person's no with a comment reaches the model",
    call: touch,
    person: 'deny',
    asked: ['Bash'],
    makes: false,
    result: /rather not/,
  },
  {
    says: 'an allowance runs without a question',
    call: touch,
    permissions: { allow: ['Bash(touch *)'] },
    person: 'deny',
    asked: [],
    makes: true,
    result: /^(?!.*rather not)/s,
  },
  {
    says: 'what nobody allowed does not run',
    call: write,
    makes: false,
    result: /Nobody can be asked/,
  },
  {
    says: 'a mode that allows edits allows them',
    call: write,
    options: { permissionMode: 'acceptEdits' },
    makes: true,
    result: /made/,
  },
  {
    says: 'a mode that only plans changes nothing, whatever is allowed',
    call: write,
    permissions: { allow: ['Write'] },
    options: { permissionMode: 'plan' },
    makes: false,
    result: /plan mode/,
  },
  {
    says: "a hook's denial is final, and the model reads why",
    call: touch,
    options: {
      permissionMode: 'bypassPermissions',
      ...before({ permissionDecision: 'deny', permissionDecisionReason: 'not on my watch' }),
    },
    makes: false,
    result: /not on my watch/,
  },
  {
    says: 'a hook puts another input in place',
    call: leaf('Bash', { command: 'touch other' }),
    options: {
      permissionMode: 'bypassPermissions',
      ...before({ updatedInput: { command: 'touch made' } }),
    },
    makes: true,
    result: /^(?!.*denied)/s,
  },
  {
    says: 'rules judge the input that a hook put in place, and its allowance does not help',
    call: leaf('Bash', { command: 'ls' }),
    permissions: { deny: ['Bash(touch *)'] },
    options: before({ permissionDecision: 'allow', updatedInput: { command: 'touch made' } }),
    makes: false,
    result: /Bash\(touch \*\)/,
  },
  ...['Read(./secret.txt)', 'Read(/secret.txt)'].flatMap((rule): readonly Rule[] => [
    {
      says: `what may not be read is not read: ${rule}`,
      call: leaf('Read', { file_path: 'secret.txt' }),
      permissions: { deny: [rule] },
      result: /secret\.txt/,
      ...secret,
    },
    {
      says: `what may not be read is not printed: ${rule}`,
      call: leaf('Bash', { command: 'cat secret.txt' }),
      permissions: { deny: [rule] },
      result: /secret\.txt/,
      ...secret,
    },
    {
      says: `what may not be read is not found: ${rule}`,
      call: leaf('Grep', { pattern: 'XYZZ.', output_mode: 'content' }),
      permissions: { deny: [rule] },
      result: /./,
      ...secret,
    },
  ]),
]

describe('in every place of a session', () => {
  it.each(places)('rules, modes and hooks hold the same: in $name', async (place) => {
    const came = await Promise.all(rules.map((rule) => tryRule(place, rule)))
    expect(came).toEqual(rules.map(({ says, asked = [], makes }) => ({ says, asked, makes, wrong: [] })))
  })
})

async function tryRule(place: Place, rule: Rule) {
  const { says, call, options, permissions = {} } = rule
  await using scripted = await startByPrompt({ ...place.answers, LEAF: [call] }, { 'secret.txt': 'XYZZY' })
  if (place.needsRepository === true) makeRepository(scripted)
  const { cwd, env } = scripted
  const settings = await loadSessionSettings({
    cwd,
    env,
    home: scripted.path('home'),
    managedFolder: false,
    flagSettings: { permissions },
  })
  const asked: string[] = []
  await place.go(scripted, { settings, ...options, ...ask(rule, asked) })
  const makes = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).some((name) =>
    /(^|\/)made$/.test(name),
  )
  return { says, asked, makes, wrong: [...refusals(scripted), ...findWrong(scripted, rule)] }
}

function ask({ person }: Rule, asked: string[]): QueryOptions {
  if (person === undefined) return {}
  const canUseTool: CanUseToolCallback = async (name) => {
    if (name === 'Agent' || name === 'SendMessage') return { behavior: 'allow' }
    asked.push(name)
    return person === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: 'I would rather not' }
  }
  return { canUseTool }
}

/** What the model was told of the call, where that is not what it should be. */
function findWrong({ server }: Scripted, { result, hides }: Rule): readonly string[] {
  const answered = server.requests.flatMap((request) => toolResults(request))
  const told = answered.flatMap(({ id, text }) => (id === 'leaf' ? [text] : []))
  const all = JSON.stringify(server.requests.map(({ body }) => body))
  return [
    ...(told.length === 0 ? [`the call was never answered, only ${JSON.stringify(answered)}`] : []),
    ...told.filter((text) => !result.test(text)),
    ...(hides?.test(all) === true ? [`hidden: ${told.join()}`] : []),
  ]
}
