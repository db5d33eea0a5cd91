import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatMemory, loadMemory } from '@x/memory'

const cwd = await mkdtemp(join(tmpdir(), 'memory-example-'))
await mkdir(join(cwd, '.claude/rules'), { recursive: true })
await writeFile(
  join(cwd, 'CLAUDE.md'),
  '<!-- for maintainers -->\nUse tabs. See @docs.md, not `@other.md`.\n',
)
await writeFile(join(cwd, 'docs.md'), 'Tests stand beside the code.\n')
await writeFile(join(cwd, '.claude/rules/api.md'), '---\npaths: src/api/**/*.ts\n---\nCheck every input.\n')

// `home` leaves the instructions of this machine out of the example.
const memory = await loadMemory({ cwd, home: join(cwd, 'nobody'), managedFolder: false })
console.log(formatMemory(memory.files).replaceAll(cwd, ''))

const more = await memory.forFile('src/api/users.ts')
console.log(more.files.map(({ text, loadReason }) => `${loadReason}: ${text}`))
console.log((await memory.forFile('src/api/teams.ts')).files)
await rm(cwd, { recursive: true })
