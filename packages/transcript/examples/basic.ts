import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTranscript } from '@x/transcript'

const folder = await mkdtemp(join(tmpdir(), 'transcript-example-'))
const path = join(folder, 'chat.jsonl')

// A program that ends in the middle of a call ...
const first = await openTranscript(path)
const call = { type: 'tool_use' as const, id: 'toolu_1', name: 'Bash', input: { command: 'make deploy' } }
await first.append([
  { role: 'user', content: 'Deploy it' },
  { role: 'assistant', content: [call] },
])
await first.close()

// ... and the next one, which goes on with a request that is valid.
const second = await openTranscript(path)
await second.append([{ role: 'user', content: 'Did it work?' }])
for (const { role, content } of second.messages) console.log(role, content)
await second.close()
await rm(folder, { recursive: true })
