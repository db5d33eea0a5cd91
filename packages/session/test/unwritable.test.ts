import { getEventListeners } from 'node:events'
import fs, { mkdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { SessionEvent } from '@x/contract'
import { text, toolUse } from '@x/model-anthropic/testing'
import { afterEach, describe, expect, it } from 'vitest'
import type { QueryOptions } from '../src/index.ts'
import { agent, startByPrompt } from './places.ts'
import { collect, resultsOf, textOf, toolResultsOf } from './scripted.ts'
import { refusals } from './wire.ts'

const { writeSync } = fs

afterEach(() => breakDisk(undefined))

/** From the nth write to a transcript on, the disk is full; undefined: never. Nobody, not even root, can write then. */
function breakDisk(fromWrite: number | undefined): void {
  let writes = 0
  fs.writeSync = ((
    descriptor: number,
    ...rest: Parameters<typeof writeSync> extends [number, ...infer Rest] ? Rest : never
  ) => {
    const isTranscript = readlinkSync(`/proc/self/fd/${descriptor}`).endsWith('.jsonl')
    if (isTranscript) writes += 1
    if (fromWrite !== undefined && isTranscript && writes >= fromWrite)
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    return Reflect.apply(writeSync, fs, [descriptor, ...rest])
  }) as typeof writeSync
  if (fromWrite === undefined) fs.writeSync = writeSync
  syncBuiltinESMExports()
}

/** Reads a session to its end, whatever that is. */
async function readAll(running: AsyncIterable<SessionEvent>) {
  const events: SessionEvent[] = []
  try {
    for await (const event of running) events.push(event)
    return { events, error: undefined }
  } catch (error) {
    return { events, error }
  }
}

const bypass: QueryOptions = { permissionMode: 'bypassPermissions' }

describe('a disk that is full', () => {
  const count = toolUse('Bash', { command: 'echo x >> effects' })

  it.each(Array.from({ length: 16 }, (_, index) => index + 1))(
    'from write %i on ends the query with an error that says so, and nothing that is not on record has run',
    async (fromWrite) => {
      await using scripted = await startByPrompt({ GO: [count, count, count], BYE: [text('Bye.')] })
      breakDisk(fromWrite)
      const { events, error } = await readAll(scripted.ask('GO', bypass))
      breakDisk(undefined)
      const said = JSON.stringify([resultsOf(events), String(error)])
      const effects = (scripted.read('effects') ?? '').length / 2
      if (said.includes('"is_error":false')) return expect(effects).toBe(3)
      expect(said).toMatch(/cannot be written: ENOSPC/)
      const resume = events[0]?.session_id ?? ''
      const again = await readAll(scripted.ask('BYE', { ...bypass, resume }))
      if (!String(again.error).includes('No conversation')) {
        expect(resultsOf(again.events)[0]?.result).toBe('Bye.')
        const told = JSON.stringify(scripted.server.requests.at(-1)?.body.messages).split('echo x').length - 1
        expect(told).toBeGreaterThanOrEqual(effects)
      }
      expect(refusals(scripted)).toEqual([])
    },
  )
})

describe('a place that cannot be written', () => {
  it.each(['.x', '.x/projects'])('is told before anything runs: %s is a file', async (name) => {
    await using scripted = await startByPrompt({ GO: [text('Done.')] })
    mkdirSync(scripted.path(`${name}/..`), { recursive: true })
    writeFileSync(scripted.path(name), '')
    const host = new AbortController()
    const { error } = await readAll(scripted.ask('GO', { abortController: host }))
    expect(String(error)).toContain(scripted.path('.x/projects'))
    expect(String(error)).toMatch(/cannot be (made|written)/)
    expect(scripted.server.requests).toEqual([])
    expect(getEventListeners(host.signal, 'abort')).toEqual([])
  })

  it('and an option that cannot be leave nothing on the signal of the host', async () => {
    await using scripted = await startByPrompt({})
    const abortController = new AbortController()
    for (const wrong of [
      { allowedTools: ['Bash('] },
      { agent: 'nobody' },
      { permissionMode: 'auto', env: {} },
    ] as const)
      expect(() => scripted.ask('GO', { ...wrong, abortController })).toThrow()
    const resume = '00000000-0000-4000-8000-000000000000'
    await expect(collect(scripted.ask('GO', { resume, abortController }))).rejects.toThrow(/No conversation/)
    expect(getEventListeners(abortController.signal, 'abort')).toEqual([])
  })

  it('for the transcripts of agents is an error of their call, and no agent runs', async () => {
    await using scripted = await startByPrompt({
      GO: [agent('LEAF')],
      LEAF: [toolUse('Bash', { command: 'touch made' })],
    })
    const hooks = {
      SessionStart: [
        {
          hooks: [
            ({ transcript_path: path }: Readonly<Record<string, unknown>>) => {
              const folder = String(path).replace('.jsonl', '')
              mkdirSync(folder, { recursive: true })
              writeFileSync(`${folder}/subagents`, '')
            },
          ],
        },
      ],
    }
    const events = await collect(scripted.ask('GO', { ...bypass, hooks }))
    expect(toolResultsOf(events).map((result) => [result.is_error, textOf(result)])).toEqual([
      [true, expect.stringMatching(/subagents.*cannot be/)],
    ])
    expect(scripted.read('made')).toBeUndefined()
  })
})
