// A program is killed in the middle of a call and its session resumed: the model reads that the call may have run, and nothing is
// done twice.
import { randomUUID } from 'node:crypto'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool } from '@x/contract'
import { text, toolUse } from '@x/model-anthropic/testing'
import { startProcess } from '@x/process'
import { query } from '@x/session'
import { z } from 'zod'
import { startScriptedSession } from './support/scripted-session.ts'
import { waitForFile } from './support/wait-for-file.ts'

/** Something that must not be done twice: it has its effect at once, and takes its time to say so. */
const deploy = defineTool({
  name: 'Deploy',
  description: 'Puts the version online.',
  inputSchema: z.strictObject({}),
  async call(_input, { cwd, abortController }) {
    await appendFile(join(cwd, 'deployed.txt'), 'version 2\n')
    await sleep(30_000, undefined, { signal: abortController.signal })
    return { data: 'online' }
  },
  mapResult: (output, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId, content: output }),
})

const options = { extraTools: [deploy], allowedTools: ['Deploy'] }

/** Kills the program as soon as the effect is there, then goes on; tells what the model read and how often it was deployed. */
export async function main() {
  await using session = await startScriptedSession([
    [text('I deploy it.'), toolUse('Deploy')],
    [toolUse('Read', { file_path: 'deployed.txt' })],
    [text('Version 2 is online; I did not deploy it again.')],
  ])
  const { cwd, env } = session
  const sessionId = randomUUID()
  await using program = startProcess(
    process.execPath,
    ['--conditions=@x/source', import.meta.filename, sessionId],
    { cwd, env },
  )
  await waitForFile(join(cwd, 'deployed.txt'))
  if (program.pid !== undefined) process.kill(program.pid, 'SIGKILL')
  const killed = await program.exited

  let closing: string | undefined
  for await (const event of session.ask('Go on.', { ...options, resume: sessionId })) {
    if (event.type === 'result') closing = event.result
  }
  return {
    killedBy: killed.kind === 'signalled' ? killed.signal : killed.kind,
    toldTheModel: /The call may have run[^"]*/.exec(session.requests()[1] ?? '')?.[0],
    deployed: await readFile(join(cwd, 'deployed.txt'), 'utf8'),
    closing,
  }
}

/** The program that is killed. */
async function deployInSession(sessionId: string): Promise<void> {
  for await (const _ of query({ prompt: 'Deploy version 2.', options: { ...options, sessionId } })) {
    // Nobody watches.
  }
}

const [sessionId] = process.argv.slice(2)
if (import.meta.main && sessionId !== undefined) await deployInSession(sessionId)
else if (import.meta.main) console.log(await main())
