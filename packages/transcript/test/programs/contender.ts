// Waits for its moment, tries to open a transcript, and holds it until the file `stop` appears.
import { existsSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isTranscriptError, openTranscript } from '@x/transcript'

const [path = '', startMs = '0'] = process.argv.slice(2)
while (Date.now() < Number(startMs));
try {
  await using transcript = await openTranscript(path)
  writeSync(1, `won ${transcript.nextSequence}\n`)
  while (!existsSync(join(dirname(path), 'stop'))) await delay(5)
} catch (error) {
  writeSync(1, `${isTranscriptError(error) ? `${error.code} ${error.pid}` : String(error)}\n`)
}
