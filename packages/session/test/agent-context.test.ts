import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type RecordedRequest, text, toolUse } from '@x/model-anthropic/testing'
import { parseAgentFile } from '@x/subagent'
import { describe, expect, it } from 'vitest'
import type { QueryOptions } from '../src/index.ts'
import { collect, Scripted } from './scripted.ts'

const program = fileURLToPath(new URL('programs/permission-server.mjs', import.meta.url))
const guard = { guard: { command: process.execPath, args: [program] } }

function git(cwd: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'init.defaultBranch=trunk']
  execFileSync('git', [...identity, ...args], { cwd })
}

function makeRepository({ cwd }: Scripted): void {
  writeFileSync(`${cwd}/.gitignore`, '.x\n')
  git(cwd, 'init', '-q')
  git(cwd, 'add', '.')
  git(cwd, 'commit', '-qm', 'the first one')
  writeFileSync(`${cwd}/new.txt`, '')
}

const call = (type: string, more: object = {}) =>
  toolUse('Agent', { description: 'd', prompt: 'Look', subagent_type: type, ...more })

/** What the first request of an agent said. */
async function told(scripted: Scripted, options: QueryOptions = {}): Promise<string> {
  await collect(scripted.ask('Main', options))
  return bodyOf(scripted.server.requests[1])
}

function bodyOf(request: RecordedRequest | undefined): string {
  return JSON.stringify([request?.body.system, request?.body.messages, request?.body.tools])
}

describe('an agent begins with the state of the repository', () => {
  it('that it works in, and its parent does not', async () => {
    await using scripted = await Scripted.start([[call('general-purpose')], [text('Seen.')], [text('Done.')]])
    makeRepository(scripted)
    const first = await told(scripted)
    expect(first).toMatch(/## trunk.*\?\? new\.txt.*Last commits:.*the first one/)
    expect(bodyOf(scripted.server.requests[0])).not.toContain('the first one')
  })

  it('also where that is a worktree of its own', async () => {
    await using scripted = await Scripted.start([
      [call('general-purpose', { isolation: 'worktree' })],
      [text('Seen.')],
      [text('Done.')],
    ])
    makeRepository(scripted)
    const first = await told(scripted)
    expect(first).toMatch(/## worktree-/)
    expect(first).not.toContain('new.txt')
  })

  it('but for Explore, where there is none, and where git fails; long lists are cut', async () => {
    const script = [[call('Explore')], [text('Seen.')], [text('Done.')]]
    await using exploring = await Scripted.start(script)
    makeRepository(exploring)
    expect(await told(exploring)).not.toContain('the first one')
    const own = () => [[call('general-purpose')], [text('Seen.')], [text('Done.')]]
    await using outside = await Scripted.start(own())
    expect(await told(outside)).not.toContain('git repository')
    await using broken = await Scripted.start(own())
    mkdirSync(broken.path('.git'))
    writeFileSync(broken.path('.git/HEAD'), 'ref: refs/heads/none\n')
    expect(await told(broken)).not.toContain('git repository')
    await using full = await Scripted.start(own())
    makeRepository(full)
    for (let count = 0; count < 60; count += 1) writeFileSync(full.path(`file-${count}`), '')
    expect(await told(full)).toContain('... and 22 more')
  })

  it('and runs no program that the repository names', async () => {
    await using scripted = await Scripted.start([[call('general-purpose')], [text('Seen.')], [text('Done.')]])
    makeRepository(scripted)
    const spy = scripted.path('spy.sh')
    writeFileSync(spy, `#!/bin/sh\ntouch ${scripted.path('ran')}\n`, { mode: 0o755 })
    git(scripted.cwd, 'config', 'core.fsmonitor', spy)
    expect(await told(scripted)).toContain('the first one')
    expect(existsSync(scripted.path('ran'))).toBe(false)
  })
})

describe('the memory of an agent', () => {
  const keeper = { description: 'd', prompt: 'p', memory: 'project', tools: ['Glob'] }

  it('is off where auto memory is off', async () => {
    const script = () => [[call('keeper')], [text('Seen.')], [text('Done.')]]
    await using on = await Scripted.start(script())
    expect(await told(on, { agents: { keeper } })).toMatch(/agent-memory.*"name":"Write"/)
    await using off = await Scripted.start(script())
    const env = { ...off.env, CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1' }
    const first = await told(off, { agents: { keeper }, env })
    expect(first).not.toContain('agent-memory')
    expect(first).not.toContain('"name":"Write"')
  })

  it.each(['project', 'local'])(
    'of the %s is in its worktree where it has one: outside it may not write',
    async (memory) => {
      const script = [[call('keeper', { isolation: 'worktree' })], [text('Seen.')], [text('Done.')]]
      await using scripted = await Scripted.start(script)
      makeRepository(scripted)
      const first = await told(scripted, { agents: { keeper: { ...keeper, memory } } })
      expect(first).toMatch(/you keep in \S+\/\.claude\/worktrees\/agent-\w+\/\.claude\/agent-memory/)
    },
  )

  it('is read by a session that is the agent', async () => {
    await using scripted = await Scripted.start([[text('Done.')]])
    mkdirSync(scripted.path('.claude/agent-memory/keeper'), { recursive: true })
    writeFileSync(scripted.path('.claude/agent-memory/keeper/MEMORY.md'), 'Tabs, never blanks.')
    await collect(scripted.ask('Go', { agents: { keeper }, agent: 'keeper' }))
    expect(bodyOf(scripted.server.requests[0])).toMatch(/Tabs, never blanks.*"name":"Write"/)
  })
})

describe('the servers that an agent writes out', () => {
  const looker = { description: 'd', prompt: 'p', mcpServers: [guard] }

  it('are those of a session that is the agent', async () => {
    await using scripted = await Scripted.start([[text('Done.')]])
    const [start] = await collect(scripted.ask('Go', { agents: { looker }, agent: 'looker' }))
    expect(start).toMatchObject({ mcp_servers: [{ name: 'guard', status: 'connected' }] })
  })

  it('do not start where only given servers may, unless the agent is given too', async () => {
    const file = `---\nname: filed\ndescription: d\nmcpServers: [${JSON.stringify(guard)}]\n---\np\n`
    const { definition } = parseAgentFile(file, 'filed.md', { source: 'user' })
    const seen: boolean[] = []
    for (const [strictMcpConfig, isFile] of [
      [false, true],
      [true, true],
      [true, false],
    ]) {
      await using scripted = await Scripted.start([[call('filed')], [text('Seen.')], [text('Done.')]])
      const agents = isFile ? { agentDefinitions: [definition!] } : { agents: { filed: looker } }
      seen.push(
        (await told(scripted, { ...agents, strictMcpConfig: strictMcpConfig! })).includes('mcp__guard'),
      )
    }
    expect(seen).toEqual([true, false, true])
  })

  it('are told of where they cannot be read', async () => {
    await using scripted = await Scripted.start([[call('odd')], [text('Seen.')], [text('Done.')]])
    const odd = { description: 'd', prompt: 'p', mcpServers: [{ bad: { url: 'http://localhost' } }] }
    const events = await collect(scripted.ask('Main', { agents: { odd } }))
    expect(JSON.stringify(events)).toMatch(/The agent odd: .*url/)
  })
})
