import { mkdtempDisposable, readFile, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCheckpoints } from '@x/checkpoint'

await using folder = await mkdtempDisposable(join(await realpath(tmpdir()), 'checkpoint-'))
const path = join(folder.path, 'greeting.txt')
await writeFile(path, 'hello\n')

const checkpoints = createCheckpoints({ folder: join(folder.path, 'history') })
await checkpoints.begin('message-1')
// What a tool does that gets `checkpoints.fileHistory` in its context:
const before = { bytes: await readFile(path), mode: 0o644 }
const after = [Buffer.from('goodbye\n')]
const noteWritten = await checkpoints.fileHistory.beforeChange({ path, before, after })
await writeFile(path, after)
await noteWritten()

console.log(await checkpoints.rewind('message-1'))
console.log(await readFile(path, 'utf8')) // hello
