// A hook refuses `rm -rf`: the model reads why, and finds another way.
import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text, toolUse } from '@x/model-anthropic/testing'
import { loadSessionSettings } from '@x/session'
import { startScriptedSession } from './support/scripted-session.ts'

/** The guard, as it stands in `.claude/settings.json`: exit status 2 refuses, and its text is for the model. */
const guard = {
  matcher: 'Bash',
  type: 'command',
  if: 'Bash(rm *)',
  onFailure: 'block',
  command: `! grep -q 'rm -rf' || { echo 'Nothing is removed for good here: move it to trash/.' >&2; exit 2; }`,
}

/** Lets the model try; tells what it was told, and what became of the folder. */
export async function main() {
  await using session = await startScriptedSession([
    [toolUse('Bash', { command: 'rm -rf build' })],
    [toolUse('Bash', { command: 'mkdir -p trash && mv build trash/' })],
    [text('The build folder is in the trash.')],
  ])
  const { cwd } = session
  await write(join(cwd, '.claude/settings.json'), JSON.stringify({ hooks: { PreToolUse: [guard] } }))
  await write(join(cwd, 'build/main.js'), '')
  const settings = await loadSessionSettings({ cwd, home: join(cwd, 'home'), managedFolder: false })
  let closing: string | undefined
  // Even where everything is allowed, a hook's no is final.
  for await (const event of session.ask('Tidy up.', { settings, permissionMode: 'bypassPermissions' })) {
    if (event.type === 'result') closing = event.result
  }
  return {
    toldTheModel: /PreToolUse:Bash hook error[^"]*trash\//.exec(session.requests()[1] ?? '')?.[0],
    wasRemoved: await isGone(join(cwd, 'trash/build/main.js')),
    closing,
  }
}

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

async function isGone(path: string): Promise<boolean> {
  return access(path).then(
    () => false,
    () => true,
  )
}

if (import.meta.main) console.log(await main())
