import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkHistory } from '@x/contract'
import {
  openSidechain,
  openTranscript,
  readSidechainMeta,
  readTranscript,
  sidechainFiles,
} from '@x/transcript'
import { describe, expect, test } from 'vitest'
import { assistant, assistantEvent, call, results, sessionId, text, user, userEvent } from './builders.ts'
import { makeFolder, outline, recordsOf } from './world.ts'

const meta = { agentType: 'reviewer', description: 'look', toolUseId: 'toolu_1', depth: 2 }

describe('a sidechain', () => {
  test('lies in the session’s folder, marked as the agent’s, with what is known of it beside it', async () => {
    const folder = join(makeFolder(), sessionId)
    {
      await using transcript = await openSidechain(folder, 'a1', { meta })
      await transcript.append([user('prompt'), assistant('m1', text('report'))])
    }
    const { path, metaPath } = sidechainFiles(folder, 'a1')
    expect(path).toBe(join(folder, 'subagents', 'agent-a1.jsonl'))
    expect(
      recordsOf(path).map(({ isSidechain, agentId, sessionId }) => ({ isSidechain, agentId, sessionId })),
    ).toEqual(Array.from({ length: 2 }, () => ({ isSidechain: true, agentId: 'a1', sessionId })))
    expect(JSON.parse(readFileSync(metaPath, 'utf8'))).toEqual(meta)
    expect(await readSidechainMeta(folder, 'a1')).toEqual(meta)
    expect(readdirSync(join(folder, 'subagents')).sort()).toEqual(['agent-a1.jsonl', 'agent-a1.meta.json'])
    expect(outline((await readTranscript(path, { isSidechain: true })).messages)).toEqual([
      'user: prompt',
      'assistant: report',
    ])
    // Read as a main transcript it holds nothing.
    expect((await readTranscript(path)).messages).toEqual([])
  })

  test('takes the agent’s events as its conversation', async () => {
    const folder = join(makeFolder(), sessionId)
    const place = { parent_tool_use_id: 'toolu_1' }
    await using transcript = await openSidechain(folder, 'a1')
    await transcript.appendEvents([
      userEvent(0, { role: 'user', content: 'prompt' }, place),
      assistantEvent(1, assistant('m1', text('report')), place),
    ])
    expect(outline(transcript.messages)).toEqual(['user: prompt', 'assistant: report'])
    const { messages } = await readTranscript(transcript.path, { isSidechain: true })
    expect(messages).toEqual(transcript.messages)
  })

  test('that ended in an open call resumes with all of its context, the call not run again (SU-11, example 37)', async () => {
    const folder = join(makeFolder(), sessionId)
    const open = [
      user('prompt'),
      assistant('m1', call('t1')),
      results('t1'),
      assistant('m2', text('now'), call('t2')),
    ]
    const { path } = sidechainFiles(folder, 'a1')
    {
      await using transcript = await openSidechain(folder, 'a1', { meta })
      await transcript.append(open)
    }
    writeFileSync(path, readFileSync(path).subarray(0, -1))
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('\n{"type":"user","uuid":"torn')]))
    await using transcript = await openSidechain(folder, 'a1')
    await transcript.append([user('What did you find?')])
    expect(outline(transcript.messages)).toEqual([
      'user: prompt',
      'assistant: call t1',
      'user: result t1',
      'assistant: now, call t2',
      'user: failed t2, What did you find?',
    ])
    expect(checkHistory(transcript.messages)).toEqual([])
    expect(await readSidechainMeta(folder, 'a1')).toEqual(meta)
    // The parent's own call was open too.
    const parentPath = join(folder, '..', `${sessionId}.jsonl`)
    {
      await using parent = await openTranscript(parentPath)
      await parent.append([user('start'), assistant('p1', call('toolu_1'))])
    }
    expect(outline((await readTranscript(parentPath)).messages).at(-1)).toBe('user: failed toolu_1')
  })

  test('has one writer', async () => {
    const folder = join(makeFolder(), sessionId)
    await using transcript = await openSidechain(folder, 'a1', { meta })
    await expect(openSidechain(folder, 'a1', { meta: { agentType: 'other' } })).rejects.toMatchObject({
      code: 'in-use',
    })
    expect(await readSidechainMeta(folder, 'a1')).toEqual(meta)
    expect(transcript.messages).toEqual([])
  })

  test.each(['..', 'a/b', '', '.hidden', '-x', 'a\0', 'x'.repeat(101)])('refuses the id %j', async (id) => {
    await expect(openSidechain(makeFolder(), id)).rejects.toMatchObject({ code: 'invalid-id' })
  })

  test('without a meta file, or with a damaged one, has none', async () => {
    const folder = makeFolder()
    expect(await readSidechainMeta(folder, 'a1')).toBeUndefined()
    await (await openSidechain(folder, 'a1')).close()
    writeFileSync(sidechainFiles(folder, 'a1').metaPath, '{"agentType":')
    expect(await readSidechainMeta(folder, 'a1')).toBeUndefined()
  })
})
