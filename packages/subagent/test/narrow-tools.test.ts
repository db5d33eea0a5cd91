import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NarrowOptions, narrowTools } from '../src/index.ts'
import { fakeTool } from './kit.ts'

const mcp = ['mcp__git__log', 'mcp__git__push', 'mcp__web__get']
const names = 'Read Write Edit Grep Bash LSP Agent AskUserQuestion TaskOutput ExitPlanMode'
  .split(' ')
  .concat(mcp, 'Deploy')
const pool = names.map((name) => fakeTool(name))

function narrow(tools?: readonly string[], options: NarrowOptions & { disallowed?: readonly string[] } = {}) {
  const { disallowed, ...rest } = options
  const definition = {
    name: 'rev',
    ...(tools && { tools }),
    ...(disallowed && { disallowedTools: disallowed }),
  }
  const narrowed = narrowTools(pool, definition, rest)
  return narrowed.ok ? narrowed.tools.map(({ name }) => name) : narrowed.message
}

describe('narrowTools', () => {
  it('without lists gives all but what no agent has', () => {
    expect(narrow()).toEqual(['Read', 'Write', 'Edit', 'Grep', 'Bash', 'LSP', 'Agent'].concat(mcp, 'Deploy'))
  })

  it('example 8: tools are exactly those that are named', () => {
    expect(narrow(['Read', 'Grep'])).toEqual(['Read', 'Grep'])
  })

  it('example 9: disallowedTools takes away and leaves the others, MCP too', () => {
    expect(narrow(undefined, { disallowed: ['Write', 'Edit'] })).toEqual(
      ['Read', 'Grep', 'Bash', 'LSP', 'Agent'].concat(mcp, 'Deploy'),
    )
  })

  it('example 10: what both lists name is gone', () => {
    expect(narrow(['Read', 'Grep'], { disallowed: ['Read'] })).toEqual(['Grep'])
    expect(narrow(['Read'], { disallowed: ['Read'] })).toEqual([])
  })

  it('example 11: a list that comes to nothing is refused, with the entries that were not recognized', () => {
    expect(narrow(['Grpe'])).toMatch(
      /^Agent 'rev' would be spawned with zero tools — refusing\. Its tools list resolved to nothing: unrecognized \[Grpe\]/,
    )
  })

  it('example 12: an empty list runs without tools', () => {
    expect(narrow([])).toEqual([])
  })

  it('example 13: in the background some built-in tools are missing, which is no error', () => {
    expect(narrow(['LSP', 'Read'], { isBackground: true })).toEqual(['Read'])
    expect(narrow(undefined, { isBackground: true })).not.toContain('LSP')
    expect(narrow(undefined, { isBackground: true })).toContain('mcp__git__log')
    expect(narrow(undefined, { isBackground: true })).toContain('Deploy')
  })

  it('example 14: a tool that no agent has is refused as such', () => {
    expect(narrow(['AskUserQuestion'])).toContain('not available to subagents [AskUserQuestion]')
  })

  it('groups the reasons of a refusal', () => {
    expect(narrow(['Grpe', 'TaskOutput', 'WebFetch', 'mcp__nope', 'Raed'])).toContain(
      'unrecognized [Grpe, Raed]; not available to subagents [TaskOutput]; matching nothing in this session [WebFetch, mcp__nope]',
    )
  })

  it('example 22: at the last layer there is no Agent tool', () => {
    expect(narrow(undefined, { depth: 2 })).toContain('Agent')
    expect(narrow(undefined, { depth: 3 })).not.toContain('Agent')
    expect(narrow(['Agent', 'Read'], { depth: 5, maxDepth: 6 })).toEqual(['Read', 'Agent'])
  })

  it('leaves ExitPlanMode in plan mode alone', () => {
    expect(narrow()).not.toContain('ExitPlanMode')
    expect(narrow(undefined, { permissionMode: 'plan' })).toContain('ExitPlanMode')
  })

  it('knows servers by pattern; mcp__* only takes away', () => {
    expect(narrow(['mcp__git'])).toEqual(['mcp__git__log', 'mcp__git__push'])
    expect(narrow(['mcp__git__*'])).toEqual(['mcp__git__log', 'mcp__git__push'])
    expect(narrow(['mcp__git__log'])).toEqual(['mcp__git__log'])
    expect(narrow(['mcp__gi'])).toContain('matching nothing in this session')
    expect(narrow(['Read', 'mcp__*'])).toEqual(['Read'])
    expect(narrow(['Read', 'mcp__web'], { disallowed: ['mcp__*'] })).toEqual(['Read'])
  })

  it('knows a tool by its old name and with arguments', () => {
    const agent = { ...fakeTool('Agent'), aliases: ['Task'] }
    const narrowed = narrowTools([agent, fakeTool('Bash')], { name: 'a', tools: ['Task', 'Bash(git *)'] })
    expect(narrowed.ok && narrowed.tools.map(({ name }) => name)).toEqual(['Agent', 'Bash'])
  })

  it('example 15: the main thread keeps everything, and Agent(...) says which types it may start', () => {
    const types = (tools: readonly string[], isMainThread = true) => {
      const narrowed = narrowTools(pool, { name: 'lead', tools }, { isMainThread })
      return narrowed.ok ? narrowed.agentTypes : narrowed
    }
    expect(types(['Agent(worker, tester)', 'Read'])).toEqual(['worker', 'tester'])
    expect(types(['Agent(worker)', 'Agent(tester)'])).toEqual(['worker', 'tester'])
    expect(types(['Agent', 'Agent(worker)'])).toBeUndefined()
    expect(types(['Agent(worker)'], false)).toBeUndefined()
    expect(narrow(['AskUserQuestion'], { isMainThread: true })).toEqual(['AskUserQuestion'])
  })

  it('never gives a tool that its parent does not have, or that is denied, or the same twice', () => {
    const entry = fc.oneof(fc.constantFrom(...names, 'mcp__git', 'mcp__*', '*', 'Agent(a)'), fc.string())
    fc.assert(
      fc.property(
        fc.option(fc.array(entry), { nil: undefined }),
        fc.array(fc.constantFrom(...names)),
        fc.record({ isBackground: fc.boolean(), depth: fc.integer({ min: 1, max: 5 }) }),
        (tools, disallowed, options) => {
          const got = narrow(tools, { ...options, disallowed })
          if (typeof got === 'string') return
          expect(new Set(got).size).toBe(got.length)
          for (const name of got) {
            expect(names).toContain(name)
            expect(disallowed).not.toContain(name)
            expect(['AskUserQuestion', 'TaskOutput', 'ExitPlanMode']).not.toContain(name)
          }
        },
      ),
    )
  })
})
