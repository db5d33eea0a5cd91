import { describe, expect, it } from 'vitest'
import { main as abortATree } from '../01-abort-a-tree.ts'
import { main as logParallelCalls } from '../02-parallel-calls-in-the-log.ts'
import { main as failSiblings } from '../03-failing-siblings.ts'
import { main as runSmallExecutor } from '../04-a-small-executor.ts'
import { main as useQueue } from '../05-the-async-queue.ts'
import { main as fixABug } from '../06-fix-a-bug.ts'
import { main as escape } from '../07-escape.ts'
import { main as compareEngines } from '../08-streaming-and-batch.ts'
import { main as aHookRefuses } from '../09-a-hook-refuses.ts'
import { main as killAndResume } from '../10-kill-and-resume.ts'
import { main as mergeTwoAgents } from '../11-two-agents-merged.ts'
import { main as anAgentFails } from '../12-an-agent-fails-and-goes-on.ts'
import { main as rewind } from '../13-rewind.ts'

describe('examples', () => {
  it('a parent abort reaches every child, a child abort stays its own', () => {
    expect(abortATree()).toEqual({
      afterChild: { query: false, sibling: false },
      siblingHeard: 'user-cancel',
    })
  })

  it('safe calls run side by side in the log, an unsafe one begins alone behind them', async () => {
    const { log, results } = await logParallelCalls()
    expect(log).toContain('call_3 executing beside call_1 call_2')
    expect(log).toContain('call_4 executing')
    expect(results).toEqual(['a done', 'b done', 'c done', 'd done'])
  })

  it('a failing command cancels its siblings, a failing read does not', async () => {
    expect(await failSiblings()).toEqual({
      command: ['ran (error)', 'sibling-failed (error)', 'ran'],
      read: ['ran (error)', 'ran', 'ran'],
    })
  })

  it('the small executor orders its results and cancels siblings', async () => {
    expect(await runSmallExecutor()).toEqual(['a: seen', 'b: seen', 'mkdir: exists', 'c: cancelled'])
  })

  it('the queue keeps values for a late reader and refuses a second one', async () => {
    expect(await useQueue()).toEqual({
      read: ['before there is a reader', 'while the reader waits', 'while the reader is busy'],
      second: 'TypeError',
    })
  })

  it('a bug is fixed in three turns: Grep and Read side by side, an Edit that asks, closing words', async () => {
    const { asked, order, closing, file } = await fixABug()
    expect(asked).toEqual(['Edit'])
    expect(order.slice(0, 2)).toEqual(['Grep start', 'Read start'])
    expect(closing).toBe('Eighteen now counts as adult.')
    expect(file).toBe('export const isAdult = (age) => age >= 18\n')
  })

  it('Escape ends a command: process gone, no listener left, the prompt is free', async () => {
    expect(await escape()).toEqual({
      results: ['aborted_tools', 'I am here.'],
      isRunning: false,
      listeners: 0,
    })
  })

  it('the batch engine makes three runs after the message, the streaming one begins during it', async () => {
    const { streaming, batch } = await compareEngines()
    expect(streaming.indexOf('Read 1 start')).toBeLessThan(streaming.indexOf('message end'))
    expect(streaming.indexOf('Bash 4 start')).toBeGreaterThan(streaming.indexOf('Read 3 end'))
    expect(batch[0]).toBe('message end')
    expect(batch.indexOf('Bash 4 start')).toBeGreaterThan(batch.indexOf('Read 3 end'))
    expect(batch.indexOf('Read 5 start')).toBeGreaterThan(batch.indexOf('Bash 4 end'))
  })

  it('a hook refuses rm -rf, and the model reads why', async () => {
    const { toldTheModel, wasRemoved, closing } = await aHookRefuses()
    expect(toldTheModel).toContain('Nothing is removed for good here')
    expect(wasRemoved).toBe(false)
    expect(closing).toBe('The build folder is in the trash.')
  })

  it('a killed program is resumed: the model reads that the call may have run, and nothing is done twice', async () => {
    expect(await killAndResume()).toEqual({
      killedBy: 'SIGKILL',
      toldTheModel: expect.stringMatching(/outcome is unknown\. Check the present state/),
      deployed: 'version 2\n',
      closing: 'Version 2 is online; I did not deploy it again.',
    })
  })

  it('two agents work in worktrees of their own, only their reports come back, and both branches merge', async () => {
    const { told, before, after } = await mergeTwoAgents()
    expect(told).toHaveLength(2)
    expect(told[0]).toContain('The price is 12 now.')
    expect(told[1]).toContain('The address is New Street now.')
    expect(told.join()).not.toContain('I look first.')
    expect(before).toEqual(['10\n', 'Old Street\n'])
    expect(after).toEqual(['12\n', 'New Street\n'])
  })

  it('an agent whose model fails gives back a part, keeps its edits, and finishes when it is written to', async () => {
    const { inCheckout, inWorktree } = await anAgentFails()
    for (const { partial, closing } of [inCheckout, inWorktree]) {
      expect(partial).toMatch(/I begin with the first\..*did not finish.*the service broke/)
      expect(partial).not.toContain('"is_error":true')
      expect(closing).toBe('All three are written.')
    }
    expect(inCheckout.filesThen).toEqual(['one.txt'])
    expect(inCheckout.filesAtTheEnd).toEqual(['one.txt', 'three.txt', 'two.txt'])
    const worktree = '.claude/worktrees/agent'
    expect(inWorktree.filesThen).toEqual([`${worktree}/one.txt`])
    expect(inWorktree.filesAtTheEnd).toEqual(['one', 'three', 'two'].map((name) => `${worktree}/${name}.txt`))
  })

  it('files are rewound to a prompt, what the user changed since is left alone', async () => {
    const { before, would, done, after } = await rewind()
    expect(before).toEqual(['The worst verse.\n', 'final\n'])
    expect(would).toMatchObject({ canRewind: true, insertions: 1, deletions: 1 })
    expect(done).toEqual(would)
    expect(after).toEqual(['The first verse.\n', 'final, says the user\n'])
  })
})
