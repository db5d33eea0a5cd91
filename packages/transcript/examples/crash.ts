// A writer that is killed in the middle of a line, and what the next one finds.
import { appendFileSync, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProcess } from '@x/process'
import { openTranscript } from '@x/transcript'

const [path] = process.argv.slice(2)
if (path === undefined) await tellTheStory()
else await writeAndDie(path)

async function writeAndDie(path: string): Promise<void> {
  const transcript = await openTranscript(path)
  await transcript.append([{ role: 'user', content: 'Größe?' }])
  // Three events of the stream were given out; they are not kept, but their numbers are.
  transcript.noteSequence(2)
  appendFileSync(path, '{"type":"assistant","message":{"content":"Gr')
  process.kill(process.pid, 'SIGKILL')
}

async function tellTheStory(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'transcript-crash-'))
  const path = join(folder, 'chat.jsonl')
  const args = [...process.execArgv, fileURLToPath(import.meta.url), path]
  const { exit } = await runProcess(process.execPath, args)
  console.log('the writer:', exit.kind, 'its lock is still there:', existsSync(`${path}.lock`))
  await using transcript = await openTranscript(path)
  console.log('found:', transcript.messages, 'next event:', transcript.nextSequence)
  console.log('left out:', transcript.report.skipped)
  await transcript.append([{ role: 'assistant', content: '12 KB' }])
  console.log('now:', transcript.messages)
  await rm(folder, { recursive: true })
}
