import { readdir } from 'node:fs/promises'
import { startProcess } from '@x/process'
import { expect, test } from 'vitest'
import { openWorld, summaryOf, type World } from './world.ts'

const NAMES = ['a', 'b', 'new/c'] as const
const LINES = 2000
const whole = (text: string): string => `${text}\n`.repeat(LINES)

/** A process that prompts, edits and rewinds for ever, and says so after each step. */
const life = `
  import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
  import { dirname } from 'node:path'
  import { createCheckpoints } from '@x/checkpoint'
  const [folder, run, ...paths] = process.argv.slice(1)
  const { begin, fileHistory, rewind } = createCheckpoints({ folder, maxCheckpoints: 100_000 })
  const read = (path) => {
    try { return { bytes: readFileSync(path), mode: statSync(path).mode & 0o777 } } catch { return undefined }
  }
  for (let turn = 0; ; turn++) {
    await begin(run + '-' + turn)
    for (const path of paths) {
      const after = [Buffer.from((run + ' ' + turn + '\\n').repeat(${LINES}))]
      const noteWritten = await fileHistory.beforeChange({ path, before: read(path), after })
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path + '.tool', after[0])
      renameSync(path + '.tool', path)
      await noteWritten()
      console.log('edited')
    }
    if (turn % 2 === 1) await rewind(run + '-' + (turn - 1))
    console.log('rewound')
  }
`

/** Lets it live until it has said something so many times, then kills it where it stands. */
async function liveAndDie(world: World, run: string, steps: number): Promise<void> {
  let count = 0
  const child = startProcess(
    process.execPath,
    [
      '--conditions=@x/source',
      '--input-type=module',
      '-e',
      life,
      '--',
      world.folder,
      run,
      ...NAMES.map((name) => world.path(name)),
    ],
    {
      cwd: import.meta.dirname,
      killGraceMs: 0,
      settleMs: 0,
      output: { to: 'lines', onLine: () => ++count < steps },
    },
  )
  expect(await child.exited).toMatchObject({ kind: 'stopped' })
}

async function filesOf(world: World): Promise<readonly (string | undefined)[]> {
  return await Promise.all(NAMES.map((name) => world.text(name)))
}

test('a process killed again and again leaves whole files, a store that loads, and the way back to the first message', async () => {
  // However late the kill comes, the first message is still known.
  await using world = await openWorld({ maxCheckpoints: 100_000 })
  const start = [whole('a0'), whole('b0'), undefined]
  for (const [index, name] of NAMES.entries())
    if (start[index] !== undefined) await world.user(name, start[index])

  for (const [index, steps] of [1, 2, 5, 7, 12, 18].entries()) {
    await liveAndDie(world, `run${index}`, steps)

    const next = world.reopen()
    await next.load()
    for (const text of await filesOf(world)) {
      if (text !== undefined) expect(text).toBe(whole(text.slice(0, text.indexOf('\n'))))
    }
    const entries = await readdir(world.path('.'), { recursive: true })
    expect(entries.filter((entry) => entry.endsWith('.rewind'))).toEqual([])

    const outcome = await next.rewind('run0-0')
    expect([outcome.type, Object.keys(summaryOf(outcome)).filter((list) => list !== 'changed')]).toEqual([
      'rewound',
      [],
    ])
    expect(await filesOf(world)).toEqual(start)
  }
  expect(world.problems).toEqual([])
})
