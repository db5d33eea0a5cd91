import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { loadMemory } from '@x/memory'
import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { collect, Scripted } from './scripted.ts'

function write(scripted: Scripted, name: string, content: string): void {
  mkdirSync(dirname(scripted.path(name)), { recursive: true })
  writeFileSync(scripted.path(name), content)
}

function load(scripted: Scripted) {
  return loadMemory({ cwd: scripted.cwd, home: scripted.path('nobody'), managedFolder: false })
}

function told({ server }: Scripted, index: number): string {
  return JSON.stringify(server.requests[index]?.body.messages)
}

describe('instruction files', () => {
  it('stand before the first prompt, once, also in a session that goes on, until they change', async () => {
    await using scripted = await Scripted.start([[text('One.')], [text('Two.')], [text('Three.')]])
    write(scripted, 'CLAUDE.md', 'Use tabs.')
    const [start] = await collect(scripted.ask('First', { memory: await load(scripted) }))
    const resume = start?.session_id ?? ''
    await collect(scripted.ask('Second', { memory: await load(scripted), resume }))
    expect(told(scripted, 0)).toMatch(/Use tabs\..*First/)
    expect(told(scripted, 1).split('Use tabs.')).toHaveLength(2)
    write(scripted, 'CLAUDE.md', 'Use blanks.')
    await collect(scripted.ask('Third', { memory: await load(scripted), resume }))
    expect(told(scripted, 2)).toMatch(/Use tabs\..*Second.*Use blanks\..*Third/)
  })

  it('of a folder come with the first file that is read there, and hooks hear of each (A11, E9)', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Read', { file_path: 'sub/a.txt' })],
      [toolUse('Read', { file_path: 'sub/b.txt' })],
      [text('Done.')],
    ])
    for (const [name, content] of [
      ['CLAUDE.md', 'Root rules.'],
      ['sub/CLAUDE.md', 'Sub rules.'],
      ['sub/a.txt', 'a'],
      ['sub/b.txt', 'b'],
    ] as const)
      write(scripted, name, content)
    const heard: unknown[] = []
    const hooks = { InstructionsLoaded: [{ hooks: [(input: object) => void heard.push(input)] }] }
    await collect(scripted.ask('Go', { memory: await load(scripted), hooks }))
    expect(told(scripted, 0)).not.toContain('Sub rules.')
    expect(told(scripted, 1)).toContain('Sub rules.')
    expect(told(scripted, 2).split('Sub rules.')).toHaveLength(2)
    expect(heard).toMatchObject([
      { file_path: scripted.path('CLAUDE.md'), load_reason: 'session_start' },
      {
        file_path: scripted.path('sub/CLAUDE.md'),
        load_reason: 'nested_traversal',
        trigger_file_path: scripted.path('sub/a.txt'),
      },
    ])
  })
})
