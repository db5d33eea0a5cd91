import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSettings } from '@x/settings'
import { z } from 'zod'

const cwd = await mkdtemp(join(tmpdir(), 'settings-example-'))
await mkdir(join(cwd, '.claude'))
await writeFile(
  join(cwd, '.claude/settings.json'),
  `{
  // what needs no question
  "permissions": { "allow": ["Bash(npm test)", 5, "Read(./docs/**)"] },
}`,
)

const settings = await loadSettings({
  cwd,
  home: join(cwd, 'nobody'), // leaves the settings of this machine out of the example
  managedFolder: false,
  flagSettings: '{"permissions": {"allow": ["Bash(npm test)", "Bash(git status)"]}}',
  sections: { permissions: z.looseObject({ allow: z.array(z.string()) }) },
})

console.log(settings.value.permissions?.allow)
for (const { value, origin } of settings.entries('permissions.allow')) {
  console.log(value, 'from', origin.layer, 'line', origin.line)
}
for (const problem of settings.problems) console.log(problem.message.replace(cwd, ''))
await rm(cwd, { recursive: true })
