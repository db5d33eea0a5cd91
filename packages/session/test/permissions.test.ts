import { mkdirSync, symlinkSync } from 'node:fs'
import { text, toolUse } from '@x/model-anthropic/testing'
import type { CanUseToolCallback } from '@x/permissions'
import { describe, expect, it } from 'vitest'
import type { QueryOptions } from '../src/index.ts'
import { collect, resultsOf, Scripted, textOf, toolResultsOf } from './scripted.ts'

const write = (file: string) => toolUse('Write', { file_path: file, content: 'new\n' })
const bash = (command: string) => toolUse('Bash', { command })

/** Lets the model make one call under these options; tells what came of it. */
async function tryCall(
  call: ReturnType<typeof toolUse>,
  options: QueryOptions,
  prepare?: (scripted: Scripted) => void,
) {
  await using scripted = await Scripted.start([[call], [text('Done.')]], { 'a.txt': 'a\n' })
  prepare?.(scripted)
  const events = await collect(scripted.ask('Do it', options))
  return {
    result: toolResultsOf(events)[0],
    end: resultsOf(events)[0],
    denied: events.filter((event) => event.type === 'system' && event.subtype === 'permission_denied'),
    made: scripted.read('new.txt'),
    requests: scripted.server.requests.length,
  }
}

describe('permission modes', () => {
  it('run what reads and deny the rest with a text that says how to allow it', async () => {
    expect((await tryCall(bash('cat a.txt'), {})).result?.is_error).not.toBe(true)
    const { result, made, denied, end } = await tryCall(write('new.txt'), {})
    expect(made).toBeUndefined()
    expect(result?.is_error).toBe(true)
    expect(textOf(result)).toMatch(/Nobody can be asked in this session.*--permission-mode acceptEdits/s)
    expect(denied).toHaveLength(1)
    expect(end?.permission_denials).toMatchObject([{ tool_name: 'Write' }])
    expect(end?.subtype).toBe('success')
  })

  it('acceptEdits allows edits and simple file commands inside the working folder, and no other command', async () => {
    expect((await tryCall(write('new.txt'), { permissionMode: 'acceptEdits' })).made).toBe('new\n')
    expect((await tryCall(bash('touch new.txt'), { permissionMode: 'acceptEdits' })).made).toBe('')
    const other = bash(`node -e "fs.writeFileSync('new.txt', '')"`)
    expect((await tryCall(other, { permissionMode: 'acceptEdits' })).made).toBeUndefined()
  })

  it.each(['/tmp/x-outside.txt', '../outside.txt', 'link/outside.txt', 'dangling'])(
    'acceptEdits does not allow %s, which lies outside',
    async (path) => {
      const { result } = await tryCall(write(path), { permissionMode: 'acceptEdits' }, (scripted) => {
        mkdirSync(scripted.path('sub'))
        symlinkSync('/tmp', scripted.path('link'))
        symlinkSync('/tmp/x-not-there-yet', scripted.path('dangling'))
      })
      expect(textOf(result)).toContain('outside the working directories')
    },
  )

  it('bypassPermissions allows everything but what a rule forbids', async () => {
    expect((await tryCall(bash('touch new.txt'), { permissionMode: 'bypassPermissions' })).made).toBe('')
    const forbidden = { permissionMode: 'bypassPermissions', disallowedTools: ['Bash(touch *)'] } as const
    for (const command of [
      'touch new.txt',
      'A=1 touch new.txt',
      'echo hi; sh -c "touch new.txt"',
      '/usr/bin/touch new.txt',
      'touch $(',
    ]) {
      expect((await tryCall(bash(command), forbidden)).made).toBeUndefined()
    }
  })

  it('plan allows only what reads', async () => {
    const { made, result } = await tryCall(write('new.txt'), {
      permissionMode: 'plan',
      allowedTools: ['Write'],
    })
    expect(made).toBeUndefined()
    expect(textOf(result)).toContain('plan mode')
  })
})

describe('allowedTools', () => {
  it.each([
    ['touch new.txt', ['Bash(touch new.txt)'], true],
    ['touch new.txt', ['Bash(touch *)'], true],
    ['touch new.txt', ['Bash(touch:*)'], true],
    ['touch new.txt', ['Bash'], true],
    ['touch new.txt', ['Read, Bash(touch *)'], true],
    ['cat a.txt && touch new.txt', ['Bash(touch *)'], true],
    ['touch new.txt; rm a.txt', ['Bash(touch *)'], false],
    ['touch $(rm a.txt) new.txt', ['Bash(touch *)'], false],
    ['echo x > new.txt', ['Bash(echo *)'], false],
    ['touchy new.txt', ['Bash(touch *)'], false],
    ['touch new.txt', ['Bash(touch)'], false],
  ])('%s under %j: %s', async (command, allowedTools, isAllowed) => {
    const { made } = await tryCall(bash(command), { allowedTools })
    expect(made !== undefined).toBe(isAllowed)
  })
})

describe('canUseTool', () => {
  it('is asked with the absolute path and may replace the input', async () => {
    const asked: unknown[] = []
    const canUseTool: CanUseToolCallback = async (name, input, { toolUseID }) => {
      asked.push([name, input['file_path'], typeof toolUseID])
      return {
        behavior: 'allow',
        updatedInput: { ...input, content: 'changed\n' },
        feedback: 'fine, but shorter',
      }
    }
    const { made, result, requests } = await tryCall(write('new.txt'), { canUseTool })
    expect(made).toBe('changed\n')
    expect(asked).toMatchObject([['Write', expect.stringMatching(/^\/.*new\.txt$/), 'string']])
    expect(result?.is_error).not.toBe(true)
    expect(requests).toBe(2)
  })

  it('denies with a text the model gets, and the query goes on', async () => {
    const canUseTool: CanUseToolCallback = async () => ({ behavior: 'deny', message: 'Not on a Friday.' })
    const { made, result, end } = await tryCall(write('new.txt'), { canUseTool })
    expect(made).toBeUndefined()
    expect(textOf(result)).toContain('Not on a Friday.')
    expect(end).toMatchObject({ subtype: 'success', result: 'Done.' })
  })

  it('ends the query after a bare No (tools.md 95)', async () => {
    const canUseTool: CanUseToolCallback = async () => ({ behavior: 'deny', message: 'No', interrupt: true })
    const { end, requests, result } = await tryCall(write('new.txt'), { canUseTool })
    expect(result?.is_error).toBe(true)
    expect(end).toMatchObject({ is_error: true, terminal_reason: 'aborted_tools' })
    expect(requests).toBe(1)
  })

  it.each([
    ['throws', async () => Promise.reject(new Error('broken'))],
    // oxlint-disable-next-line typescript/no-explicit-any -- a host in JavaScript may answer anything
    ['answers nonsense', async (): Promise<any> => ({ behaviour: 'allow' })],
  ])('counts as a deny when it %s', async (_, canUseTool) => {
    expect((await tryCall(write('new.txt'), { canUseTool })).made).toBeUndefined()
  })

  it('is not asked in dontAsk mode', async () => {
    const canUseTool: CanUseToolCallback = async () => ({ behavior: 'allow' })
    expect((await tryCall(write('new.txt'), { canUseTool, permissionMode: 'dontAsk' })).made).toBeUndefined()
  })
})

describe('secrets', () => {
  it('do not reach commands (SH-20)', async () => {
    const { result } = await tryCall(bash('env; tr "\\0" "\\n" < /proc/self/environ'), {
      permissionMode: 'bypassPermissions',
    })
    expect(textOf(result)).not.toContain('sk-test-123')
    expect(textOf(result)).toContain('CLAUDECODE=1')
  })
})
