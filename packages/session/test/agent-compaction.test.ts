import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { loadMemory } from '@x/memory'
import { type RecordedRequest, startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import type { QueryOptions } from '../src/index.ts'
import { collect, Scripted } from './scripted.ts'

/** So many tokens that the part of the window that is set below is full. */
const bigText = `FIRST LINE\n${'many words that say nothing\n'.repeat(3_000)}`

/** An agent that reads a small file and a big one, and has to be shortened then; afterwards it reads the small one again. */
async function scriptedAgent(): Promise<Scripted> {
  const server = await startScriptedServer({
    respond({ body: { messages } }: RecordedRequest) {
      const all = JSON.stringify(messages)
      const isMain = JSON.stringify(messages[0]?.content).includes('Main')
      if (isMain) return [all.includes('tool_result') ? text('Fine.') : call]
      const count = messages.filter(({ role }) => role === 'assistant').length
      if (/summary/i.test(JSON.stringify(messages.at(-1)?.content)) && !all.includes('SUMMARY'))
        return [text('SUMMARY of what was read')]
      if (!all.includes('SUMMARY'))
        return [toolUse('Read', { file_path: count === 0 ? 'small.txt' : 'big.txt' })]
      return all.includes('again')
        ? [text('Done.')]
        : [text('again'), toolUse('Read', { file_path: 'small.txt' })]
    },
  })
  const scripted = new Scripted(server, { 'small.txt': 'THE SMALL FILE', 'big.txt': bigText })
  write(scripted, 'CLAUDE.md', 'Use tabs.')
  write(scripted, '.claude/skills/style/SKILL.md', '---\ndescription: d\n---\nTwo blanks.\n')
  return scripted
}

const call = toolUse('Agent', { description: 'a task', prompt: 'Do it', subagent_type: 'rev' })

function write(scripted: Scripted, file: string, content: string): void {
  mkdirSync(dirname(scripted.path(file)), { recursive: true })
  writeFileSync(scripted.path(file), content)
}

async function run(scripted: Scripted, options: QueryOptions = {}) {
  return collect(
    scripted.ask('Main', {
      env: {
        ...scripted.env,
        CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '2',
        CLAUDE_CONFIG_DIR: scripted.path('user'),
      },
      memory: await loadMemory({ cwd: scripted.cwd, home: scripted.path('nobody'), managedFolder: false }),
      agents: { rev: { description: 'd', prompt: 'You review.', skills: ['style'] } },
      ...options,
    }),
  )
}

/** What the agent was asked after its conversation had become a summary. */
function afterSummary({ server }: Scripted): string | undefined {
  const texts = server.requests.map(({ body }) => JSON.stringify(body.messages))
  return texts.find((one) => one.includes('SUMMARY of what'))
}

describe('the conversation of an agent that fills its window', () => {
  it('is compacted like the main one: with hooks that know whose it is, and with what it needs behind the summary', async () => {
    await using scripted = await scriptedAgent()
    const seen: Record<string, unknown>[] = []
    const see = { hooks: [(input: Readonly<Record<string, unknown>>) => void seen.push({ ...input })] }
    const hooks = {
      PreCompact: [see],
      PostCompact: [see],
      SubagentStart: [{ hooks: [() => ({ additionalContext: 'be quick' })] }],
      SessionStart: [{ matcher: 'compact', hooks: [() => ({ additionalContext: 'for the main one' })] }],
    }
    await run(scripted, { hooks })
    const who = { agent_id: expect.any(String), agent_type: 'rev' }
    expect(seen).toMatchObject([
      { hook_event_name: 'PreCompact', trigger: 'auto', custom_instructions: null, ...who },
      {
        hook_event_name: 'PostCompact',
        trigger: 'auto',
        compact_summary: 'SUMMARY of what was read',
        ...who,
      },
    ])
    const next = afterSummary(scripted)
    expect(next).toMatch(/SUMMARY.*Use tabs\..*Two blanks\..*be quick.*You worked on .*small\.txt/)
    expect(next).not.toContain('for the main one')
    expect(next?.split('Use tabs.')).toHaveLength(2)
  })

  it('is left as it is where a hook blocks that', async () => {
    await using scripted = await scriptedAgent()
    const hooks = {
      PreCompact: [{ hooks: [() => ({ decision: 'block', reason: 'not now' })] }],
    }
    const agents = { rev: { description: 'd', prompt: 'You review.', maxTurns: 3 } }
    await run(scripted, { hooks, agents })
    expect(afterSummary(scripted)).toBeUndefined()
  })

  it('has forgotten what it read: the file is given again', async () => {
    await using scripted = await scriptedAgent()
    await run(scripted)
    const last = scripted.server.requests.findLast(({ body }) =>
      JSON.stringify(body.messages).includes('SUMMARY of'),
    )
    const result = JSON.stringify(last?.body.messages.at(-1)?.content)
    expect(result).toContain('THE SMALL FILE')
    expect(result).not.toMatch(/unchanged/i)
  })
})
