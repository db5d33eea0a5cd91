import { getEventListeners } from 'node:events'
import type { TaskEnd } from '@x/contract'
import { describe, expect, it } from 'vitest'
import { createTaskOutputTool, createTaskRegistry, createTaskStopTool } from '../src/index.ts'
import { fakeContext, fakeTask, TemporaryFolder } from './fake-task.ts'

const parent = { role: 'assistant', content: [] } as const
const never = (): never => {
  throw new Error('not asked')
}

function callOutput(tasks: ReturnType<typeof createTaskRegistry>, input: object, context = fakeContext()) {
  const tool = createTaskOutputTool({ tasks, maxOutputBytes: 10 })
  return tool.call(tool.inputSchema.parse(input), context, never, { ...parent, content: [] }, never)
}

describe('TaskOutput', () => {
  it('waits for the end and shows the output', async () => {
    using folder = new TemporaryFolder()
    const tasks = createTaskRegistry()
    const task = fakeTask({ outputFile: folder.write('out', 'ready\n') })
    tasks.add(task)
    const pending = callOutput(tasks, { task_id: 'bash_1' })
    await task.end({ status: 'failed', summary: 'x', exitCode: 3 })
    const { data } = await pending
    expect(data).toEqual({
      retrieval_status: 'success',
      task: {
        task_id: 'bash_1',
        task_type: 'local_bash',
        status: 'failed',
        description: 'dev server',
        output: 'ready\n',
        skippedBytes: 0,
        outputFile: task.outputFile,
        exitCode: 3,
      },
    })
  })

  it('shows what a task came to in place of its file, found by another name', async () => {
    const tasks = createTaskRegistry()
    const task = fakeTask({ id: 'agent_1', aliases: ['a1'], type: 'local_agent' })
    tasks.add(task)
    await task.end({ status: 'completed', summary: 'x', result: 'the whole long report' })
    const { data } = await callOutput(tasks, { task_id: 'a1' })
    expect(data.task).toMatchObject({ task_id: 'agent_1', output: 'the whole long report', skippedBytes: 0 })
  })

  it('answers at once when not asked to wait, and at the timeout', async () => {
    const tasks = createTaskRegistry()
    tasks.add(fakeTask())
    expect((await callOutput(tasks, { task_id: 'bash_1', block: false })).data.retrieval_status).toBe(
      'not_ready',
    )
    expect((await callOutput(tasks, { task_id: 'bash_1', timeout: 1 })).data.retrieval_status).toBe('timeout')
  })

  it('ends its wait with the reason of the abort and leaves no listener', async () => {
    const tasks = createTaskRegistry()
    tasks.add(fakeTask())
    const controller = new AbortController()
    const pending = callOutput(tasks, { task_id: 'bash_1' }, fakeContext(controller))
    const reason = new Error('stop')
    controller.abort(reason)
    await expect(pending).rejects.toBe(reason)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('shows the end of a long output from a whole character on, and says what it left out', async () => {
    using folder = new TemporaryFolder()
    const tasks = createTaskRegistry()
    tasks.add(fakeTask({ outputFile: folder.write('out', '你'.repeat(10)) }))
    const { data } = await callOutput(tasks, { task_id: 'bash_1', block: false })
    expect(data.task).toMatchObject({ output: '你你你', skippedBytes: 21 })
    const text = createTaskOutputTool({ tasks }).mapResult(data, 'toolu_9').content
    expect(text).toContain(`[21 earlier bytes left out; Read ${data.task.outputFile} for all]`)
  })

  it('shows plain text: nothing that is for terminals only reaches the model', async () => {
    using folder = new TemporaryFolder()
    const tasks = createTaskRegistry()
    const written = '\u001B[31mred\u001B[0m\n10%\r\u001B[2K20%\n\u001B]0;title\u0007a\0b\u0001\r\n\tx'
    tasks.add(fakeTask({ outputFile: folder.write('out', written) }))
    const tool = createTaskOutputTool({ tasks })
    const input = tool.inputSchema.parse({ task_id: 'bash_1', block: false })
    const { data } = await tool.call(input, fakeContext(), never, { ...parent, content: [] }, never)
    expect(data.task.output).toBe('red\n20%\na\uFFFDb\n\tx')
  })

  it('answers to its old names', () => {
    expect(createTaskOutputTool({ tasks: createTaskRegistry() }).aliases).toEqual([
      'BashOutput',
      'BashOutputTool',
      'AgentOutputTool',
    ])
  })
})

describe('TaskStop', () => {
  it.each([{ task_id: 'bash_1' }, { shell_id: 'bash_1' }])('stops the task named by %j', async (input) => {
    const tasks = createTaskRegistry()
    const task = fakeTask()
    tasks.add(task)
    const tool = createTaskStopTool({ tasks })
    const { data } = await tool.call(input, fakeContext(), never, { ...parent, content: [] }, never)
    expect(data).toEqual({
      message: 'Successfully stopped task: bash_1 (npm run dev)',
      task_id: 'bash_1',
      task_type: 'local_bash',
      command: 'npm run dev',
    })
    expect((await task.ended).status).toBe('killed')
  })

  it('answers when the end is known, so that the next call does not see a task that still runs', async () => {
    const tasks = createTaskRegistry()
    const { promise: ended, resolve } = Promise.withResolvers<TaskEnd>()
    const stop = async () => void setImmediate(() => resolve({ status: 'killed', summary: 'stopped' }))
    tasks.add(fakeTask({ ended, stop }))
    const tool = createTaskStopTool({ tasks })
    await tool.call({ task_id: 'bash_1' }, fakeContext(), never, { ...parent, content: [] }, never)
    expect(tasks.get('bash_1')?.end?.status).toBe('killed')
    expect(await tool.validateInput?.({ task_id: 'bash_1' }, fakeContext())).toMatchObject({ ok: false })
  })

  it('ends with its own abort where it stops the work it is part of, which ends after it', async () => {
    const tasks = createTaskRegistry()
    const controller = new AbortController()
    const { promise: ended, resolve } = Promise.withResolvers<TaskEnd>()
    const stop = async () => {
      controller.abort(new Error('the agent was stopped'))
      await ended
    }
    tasks.add(fakeTask({ ended, stop }))
    const tool = createTaskStopTool({ tasks })
    const input = { task_id: 'bash_1' }
    await expect(
      tool.call(input, fakeContext(controller), never, { ...parent, content: [] }, never),
    ).rejects.toThrow('the agent was stopped')
    resolve({ status: 'killed', summary: 'stopped' })
  })

  it('does not claim to have stopped what ended by itself meanwhile', async () => {
    const tasks = createTaskRegistry()
    const { promise: ended, resolve } = Promise.withResolvers<TaskEnd>()
    const stop = async () => resolve({ status: 'completed', summary: 'done' })
    tasks.add(fakeTask({ ended, stop }))
    const tool = createTaskStopTool({ tasks })
    const input = { task_id: 'bash_1' }
    const { data } = await tool.call(input, fakeContext(), never, { ...parent, content: [] }, never)
    expect(data.message).toMatch(/ended by itself .*\(status: completed\)/)
  })

  it('does not repeat an id or a description of any length', async () => {
    const tasks = createTaskRegistry()
    tasks.add(fakeTask({ description: 'd'.repeat(100_000) }))
    const tool = createTaskStopTool({ tasks })
    const verdict = await tool.validateInput?.({ task_id: 'i'.repeat(100_000) }, fakeContext())
    expect(JSON.stringify(verdict).length).toBeLessThan(1_000)
    tasks.add(fakeTask({ id: 'bash_2', command: 'c'.repeat(100_000) }))
    const { data } = await tool.call(
      { task_id: 'bash_2' },
      fakeContext(),
      never,
      { ...parent, content: [] },
      never,
    )
    expect(data.message.length).toBeLessThan(1_000)
  })

  it('lists what runs when the id is unknown (tools.md 58), and refuses a task that has ended', async () => {
    const tasks = createTaskRegistry()
    const tool = createTaskStopTool({ tasks })
    const check = (id: string) => tool.validateInput?.({ task_id: id }, fakeContext())
    expect(await check('nope')).toEqual({
      ok: false,
      message: 'No task found with ID: nope. No background task is running.',
    })
    const task = fakeTask()
    tasks.add(task)
    expect(await check('nope')).toEqual({
      ok: false,
      message: 'No task found with ID: nope. Running background tasks:\n- bash_1 (local_bash): dev server',
    })
    await task.end({ status: 'completed', summary: 'done' })
    expect(await check('bash_1')).toEqual({
      ok: false,
      message: 'Task bash_1 is not running (status: completed). Read /nowhere/bash_1.output for its output.',
    })
    expect(await tool.validateInput?.({}, fakeContext())).toEqual({
      ok: false,
      message: 'Missing required parameter: task_id',
    })
  })

  it('answers to its old names (tools.md 59)', () => {
    expect(createTaskStopTool({ tasks: createTaskRegistry() }).aliases).toEqual(['KillShell', 'KillBash'])
  })
})
