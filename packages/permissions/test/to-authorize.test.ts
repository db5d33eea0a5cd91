import type { JsonObject } from '@x/contract'
import { describe, expect, it } from 'vitest'
import {
  type AuthorizeOptions,
  type CanUseToolCallback,
  createPromptToolCallback,
  type PermissionAnswer,
  type PermissionUpdate,
  toAuthorize,
} from '../src/index.ts'
import { permissionsFor } from './builders.ts'
import { toolNamed, viewOf } from './call-view.ts'

const npm = { command: 'npm test' }

/** A callback with one answer, and what it was asked. */
function answering(answer: PermissionAnswer | null) {
  const asked: Parameters<CanUseToolCallback>[] = []
  const canUseTool: CanUseToolCallback = async (...question) => {
    asked.push(question)
    return answer
  }
  return { asked, canUseTool }
}

function authorize(
  rules: string,
  options: AuthorizeOptions = {},
  more: Parameters<typeof permissionsFor>[1] = {},
) {
  const permissions = permissionsFor(rules, more)
  return { permissions, decide: toAuthorize(permissions, options) }
}

describe('asking', () => {
  it('tells the callback all that is documented', async () => {
    const { asked, canUseTool } = answering({ behavior: 'allow' })
    await authorize('', { canUseTool }).decide(viewOf('Bash', npm, { agent: 'a1' }))
    const [name, input, context] = asked[0] ?? []
    expect([name, input]).toEqual(['Bash', npm])
    expect(context).toMatchObject({
      toolUseID: 'toolu_1',
      agentID: 'a1',
      decisionReason: 'no rule allows it: npm test may change something',
      suggestions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: 'npm test' }],
          behavior: 'allow',
          destination: 'localSettings',
        },
      ],
    })
    expect(typeof context?.requestId).toBe('string')
  })

  it('names the path that is in question', async () => {
    const { asked, canUseTool } = answering({ behavior: 'allow' })
    await authorize('', { canUseTool }).decide(viewOf('Edit', { file_path: '/etc/x' }))
    expect(asked[0]?.[2].blockedPath).toBe('/etc/x')
  })

  it('an allow without an input runs with the original (174)', async () => {
    const { canUseTool } = answering({ behavior: 'allow', feedback: 'only once' })
    expect(await authorize('', { canUseTool }).decide(viewOf('Bash', npm))).toEqual({
      behavior: 'allow',
      feedback: 'only once',
      reason: { type: 'user', detail: 'allowed when asked' },
    })
  })

  it('a bare No ends the turn (175), but not from a subagent', async () => {
    const { canUseTool } = answering({ behavior: 'deny', message: 'No', interrupt: true })
    const { decide } = authorize('', { canUseTool })
    expect(await decide(viewOf('Bash', npm))).toMatchObject({
      behavior: 'deny',
      message: 'No',
      interrupt: true,
    })
    expect(await decide(viewOf('Bash', npm, { agent: 'a1' }))).toMatchObject({ interrupt: false })
  })

  it('is left out where a rule allows (176), and where the mode asks nobody', async () => {
    const { asked, canUseTool } = answering({ behavior: 'allow' })
    const { decide } = authorize('+ Read', { canUseTool })
    expect((await decide(viewOf('Read', { file_path: '/etc/a' }))).behavior).toBe('allow')
    const silent = authorize('', { canUseTool }, { mode: 'dontAsk' })
    expect(await silent.decide(viewOf('Bash', npm))).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('dontAsk mode'),
    })
    expect(asked).toEqual([])
  })

  it('nobody to ask is a deny with a text that helps (173), and so is null', async () => {
    const { canUseTool } = answering(null)
    for (const options of [{}, { canUseTool }]) {
      expect(await authorize('', options).decide(viewOf('Bash', npm))).toMatchObject({
        behavior: 'deny',
        reason: { type: 'nobody-to-ask' },
        message: expect.stringMatching(/haven't granted it yet.*--allowedTools "Bash\(npm test\)"/),
      })
    }
  })

  it.each([
    ['throws', async () => Promise.reject(new Error('broken'))],
    // oxlint-disable-next-line typescript/no-explicit-any -- a host in JavaScript may answer anything
    ['answers nonsense', async (): Promise<any> => ({ behaviour: 'allow' })],
    // oxlint-disable-next-line typescript/no-explicit-any -- a host in JavaScript may answer anything
    ['gives a list as input', async (): Promise<any> => ({ behavior: 'allow', updatedInput: [] })],
  ])('a callback that %s is a deny', async (_, canUseTool) => {
    expect((await authorize('', { canUseTool }).decide(viewOf('Bash', npm))).behavior).toBe('deny')
  })

  it('an input that the answer changed meets the deny rules', async () => {
    const { canUseTool } = answering({ behavior: 'allow', updatedInput: { command: 'rm x' } })
    expect((await authorize('- Bash(rm *)', { canUseTool }).decide(viewOf('Bash', npm))).behavior).toBe(
      'deny',
    )
    expect(await authorize('', { canUseTool }).decide(viewOf('Bash', npm))).toMatchObject({
      updatedInput: { command: 'rm x' },
    })
  })
})

describe('remembering', () => {
  const rules: PermissionUpdate = {
    type: 'addRules',
    rules: [{ toolName: 'Bash', ruleContent: 'npm test' }],
    behavior: 'allow',
    destination: 'localSettings',
  }

  it('counts at once and is handed on to be saved', async () => {
    const saved: PermissionUpdate[] = []
    const mode: PermissionUpdate = { type: 'setMode', mode: 'acceptEdits', destination: 'session' }
    const { asked, canUseTool } = answering({ behavior: 'allow', updatedPermissions: [rules, mode] })
    const remember = async (updates: readonly PermissionUpdate[]): Promise<void> =>
      void saved.push(...updates)
    const { decide, permissions } = authorize('', { canUseTool, remember })
    await decide(viewOf('Bash', npm))
    await decide(viewOf('Bash', npm))
    expect(asked).toHaveLength(1)
    expect(saved).toEqual([rules])
    expect(permissions.mode).toBe('acceptEdits')
  })

  it('a failure to save is told and stops nothing', async () => {
    const problems: string[] = []
    const { canUseTool } = answering({ behavior: 'allow', updatedPermissions: [rules] })
    const { decide } = authorize('', {
      canUseTool,
      remember: async () => Promise.reject(new Error('disk full')),
      onProblem: (message) => problems.push(message),
    })
    expect((await decide(viewOf('Bash', npm))).behavior).toBe('allow')
    expect(problems).toEqual(['the answer could not be saved: disk full'])
  })

  it('does not switch to bypassPermissions where that is not available (49)', async () => {
    const { canUseTool } = answering({
      behavior: 'allow',
      updatedPermissions: [{ type: 'setMode', mode: 'bypassPermissions', destination: 'session' }],
    })
    const { decide, permissions } = authorize('', { canUseTool })
    await decide(viewOf('Bash', npm))
    expect(permissions.mode).toBe('default')
  })
})

describe('hooks', () => {
  it('an allow covers no command that cannot be understood', async () => {
    const hook = { behavior: 'allow' } as const
    for (const rules of ['', '+ Bash']) {
      const { decide } = authorize(rules)
      const decision = await decide(viewOf('Bash', { command: 'npm test "' }, { hook }))
      expect(decision.behavior).toBe('deny')
      expect(decision).toMatchObject({ message: expect.stringContaining('not understood') })
    }
  })

  it('a PermissionRequest hook answers first, and its input meets the rules (170)', async () => {
    const { asked, canUseTool } = answering({ behavior: 'deny', message: 'no' })
    const hook = (updatedInput?: JsonObject) => async (): Promise<PermissionAnswer> => ({
      behavior: 'allow',
      ...(updatedInput === undefined ? {} : { updatedInput }),
    })
    const first = authorize('', { canUseTool, requestPermission: hook() })
    expect((await first.decide(viewOf('Bash', npm))).behavior).toBe('allow')
    const second = authorize('- Bash(rm *)', { requestPermission: hook({ command: 'rm x' }) })
    expect((await second.decide(viewOf('Bash', npm))).behavior).toBe('deny')
    expect(asked).toHaveLength(0)
    const third = authorize('? Bash(rm *)', { canUseTool, requestPermission: hook({ command: 'rm x' }) })
    expect((await third.decide(viewOf('Bash', npm))).behavior).toBe('deny')
    expect(asked).toHaveLength(1)
  })

  it('a hook that fails leaves it to the user', async () => {
    const { canUseTool } = answering({ behavior: 'allow' })
    const requestPermission = async () => Promise.reject(new Error('x'))
    expect(
      (await authorize('', { canUseTool, requestPermission }).decide(viewOf('Bash', npm))).reason.type,
    ).toBe('user')
  })

  it('an allow does not skip a mandatory check', async () => {
    const hook = { behavior: 'allow' } as const
    const { decide } = authorize('')
    expect((await decide(viewOf('Bash', npm, { hook }))).behavior).toBe('allow')
    expect((await decide(viewOf('Bash', npm, { hook, isMandatory: true }))).behavior).toBe('deny')
  })

  it('an allow answers a question to the user only with a changed input, and never for a server', async () => {
    const hook = { behavior: 'allow' } as const
    const changed = { ...hook, changedInput: true }
    const { decide } = authorize('')
    const question = toolNamed('AskUserQuestion', { requiresUserInteraction: true })
    const pay = toolNamed('mcp__c__pay', { requiresUserInteraction: true })
    expect((await decide(viewOf(question, {}, { hook }))).behavior).toBe('deny')
    expect((await decide(viewOf(question, {}, { hook: changed }))).behavior).toBe('allow')
    expect((await decide(viewOf(pay, {}, { hook: changed }))).behavior).toBe('deny')
  })
})

describe('auto mode', () => {
  it('asks the classifier, early if prepared, and the user after three blocks in a row', async () => {
    let judged = 0
    const { asked, canUseTool } = answering({ behavior: 'allow' })
    const classify = async () => {
      judged += 1
      return 'block' as const
    }
    const { decide } = authorize('', { canUseTool, classify }, { mode: 'auto' })
    const call = viewOf('Bash', npm)
    decide.prepare?.(call)
    expect(judged).toBe(1)
    expect(await decide(call)).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('Blocked by classifier'),
    })
    expect(judged).toBe(1)
    for (const again of [1, 2]) await decide(viewOf('Bash', { ...npm, again }))
    expect(asked).toHaveLength(0)
    await decide(viewOf('Bash', { ...npm, again: 3 }))
    expect(asked).toHaveLength(1)
  })

  it('throws away a judgement that comes after a switch', async () => {
    const { permissions, decide } = authorize(
      '',
      {
        classify: async () => {
          permissions.setMode('default')
          return 'allow'
        },
      },
      { mode: 'auto' },
    )
    expect((await decide(viewOf('Bash', npm))).reason.type).toBe('nobody-to-ask')
  })

  it('does not leave ask rules to the classifier', async () => {
    const classify = async () => 'allow' as const
    const { decide } = authorize('? Bash(npm *)', { classify }, { mode: 'auto' })
    expect((await decide(viewOf('Bash', npm))).behavior).toBe('deny')
  })
})

it('a skill allows for its turn only (191)', async () => {
  let turn = 1
  const extraRules = () => (turn === 1 ? [{ behavior: 'allow' as const, text: 'Bash(npm test)' }] : [])
  const { decide } = authorize('', { extraRules })
  expect((await decide(viewOf('Bash', npm))).behavior).toBe('allow')
  turn = 2
  expect((await decide(viewOf('Bash', npm))).behavior).toBe('deny')
})

describe('a permission prompt tool', () => {
  it('is asked as documented and answers in JSON', async () => {
    const asked: unknown[] = []
    const canUseTool = createPromptToolCallback(async (input) => {
      asked.push(input)
      return '{"behavior":"allow","updatedInput":{"command":"npm test -- --ci"}}'
    })
    expect(await authorize('', { canUseTool }).decide(viewOf('Bash', npm))).toMatchObject({
      behavior: 'allow',
      updatedInput: { command: 'npm test -- --ci' },
    })
    expect(asked).toEqual([{ tool_name: 'Bash', input: npm, tool_use_id: 'toolu_1' }])
  })

  it('cannot allow what is for the user to answer (177)', async () => {
    const canUseTool = createPromptToolCallback(async () => '{"behavior":"allow"}')
    const pay = toolNamed('mcp__c__pay', { requiresUserInteraction: true })
    expect((await authorize('', { canUseTool }).decide(viewOf(pay, {}))).behavior).toBe('deny')
    const asked = authorize('? Bash(npm *)', { canUseTool })
    expect((await asked.decide(viewOf('Bash', npm))).behavior).toBe('allow')
  })

  it.each(['', 'yes', '{"behavior":"maybe"}', 'null'])('denies on the answer %j', async (text) => {
    const canUseTool = createPromptToolCallback(async () => text)
    expect((await authorize('', { canUseTool }).decide(viewOf('Bash', npm))).behavior).toBe('deny')
  })
})

it('rules may use the old names of a tool', async () => {
  const tool = toolNamed('NewName', { aliases: ['OldName'] })
  const { decide, permissions } = authorize('- OldName')
  expect(permissions.isRemoved(tool)).toBe(true)
  expect((await decide(viewOf(tool, {}))).behavior).toBe('deny')
  expect((await authorize('+ OldName').decide(viewOf(tool, {}))).behavior).toBe('allow')
})

it('a tool that says it only reads needs no permission, but for servers and the web', async () => {
  const { decide } = authorize('')
  for (const [name, behavior] of [
    ['Weather', 'allow'],
    ['mcp__a__b', 'deny'],
    ['WebSearch', 'deny'],
  ] as const) {
    expect([name, (await decide(viewOf(toolNamed(name, { isReadOnly: () => true }), {}))).behavior]).toEqual([
      name,
      behavior,
    ])
  }
})

describe('a command that may destroy something', () => {
  it.each([
    ['rm -rf build', 'remove files'],
    ['git reset --hard HEAD~1', 'discard changes'],
    ['git push --force origin x', 'overwrite commits'],
    ['git clean -fd', 'does not know'],
    ['git checkout -- .', 'discard changes'],
  ])('%s carries a warning into the question', async (command, warning) => {
    const { asked, canUseTool } = answering({ behavior: 'allow' })
    await authorize('', { canUseTool }).decide(viewOf('Bash', { command }))
    expect(asked[0]?.[2].verdict.warning).toContain(warning)
  })

  it('others carry none', async () => {
    const { asked, canUseTool } = answering({ behavior: 'allow' })
    await authorize('', { canUseTool }).decide(viewOf('Bash', { command: 'git checkout -b x' }))
    expect(asked[0]?.[2].verdict.warning).toBeUndefined()
  })
})
