import process from 'node:process'
import { parseArgs } from 'node:util'
import { createCheckpoints, type RewindOutcome, toRewindFilesResponse } from '@x/checkpoint'
import { checkpointFolder, stateFolder } from '@x/session'
import type { SessionStore } from '@x/transcript'
import { toLine } from '../live/paint.ts'
import { print, printError } from '../print.ts'
import { findNamed } from './find-named.ts'
import { usage } from './usage.ts'

/** Lists what people said in a session, each with the id that `rewind` takes. */
export async function listPrompts(store: SessionStore, argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  })
  const [name] = positionals
  if (name === undefined || positionals.length > 1) throw new TypeError(`Name one session.\n${usage}`)
  const { id } = await findNamed(store, name, process.cwd())
  const prompts = await store.prompts(id)
  if (values.json === true) process.stdout.write(`${JSON.stringify(prompts, undefined, 2)}\n`)
  for (const { uuid, timestamp, text, isRewound } of values.json === true ? [] : prompts) {
    const mark = isRewound ? '(rewound) ' : ''
    print(`${uuid}  ${timestamp.slice(0, 16).replace('T', ' ')}  ${mark}${toLine(text, 120)}`)
  }
  return 0
}

/** Takes files, conversation or both back to before a prompt. */
export async function rewindSession(store: SessionStore, argv: readonly string[]): Promise<number> {
  const { name, prompt, values } = readRequest(argv)
  const { id } = await findNamed(store, name, process.cwd())
  await requirePrompt(store, id, prompt)
  const both = values.files === values.conversation
  const isDry = values['dry-run']
  let isWhole = true
  if (both || values.files) {
    const request = { id, prompt, dryRun: isDry, overwriteUserChanges: values.overwrite }
    isWhole = reportFiles(await rewindFiles(request), both)
  }
  if (both || values.conversation) {
    if (!isDry) await store.rewind(id, prompt)
    process.stdout.write(
      isDry
        ? 'The conversation would end before that prompt.\n'
        : 'The conversation now ends before that prompt.\n',
    )
  }
  return isWhole ? 0 : 1
}

function readRequest(argv: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      files: { type: 'boolean', default: false },
      conversation: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      overwrite: { type: 'boolean', default: false },
    },
  })
  const [name, prompt, ...others] = positionals
  if (name === undefined || prompt === undefined || others.length > 0)
    throw new TypeError(`Name a session and a prompt.\n${usage}`)
  return { name, prompt, values }
}

async function requirePrompt(store: SessionStore, id: string, prompt: string): Promise<void> {
  if ((await store.prompts(id)).some(({ uuid }) => uuid === prompt)) return
  throw new Error(`There is no prompt ${prompt} in this session; x sessions prompts ${id} lists them`)
}

interface FilesRequest {
  readonly id: string
  readonly prompt: string
  readonly dryRun: boolean
  readonly overwriteUserChanges: boolean
}

function rewindFiles({ id, prompt, ...options }: FilesRequest): Promise<RewindOutcome> {
  const root = process.cwd()
  const checkpoints = createCheckpoints({
    folder: checkpointFolder(stateFolder(process.env), id),
    isInProject: (path) => path === root || path.startsWith(`${root}/`),
  })
  return checkpoints.rewind(prompt, options)
}

/** Says what became of the files; tells whether all that was to come back did. */
function reportFiles(outcome: RewindOutcome, isOnlyHalf: boolean): boolean {
  if (outcome.type === 'unknown-message') {
    process.stdout.write('No file was changed by a tool since that prompt.\n')
    return isOnlyHalf
  }
  const verb = outcome.type === 'planned' ? 'would be' : 'is'
  for (const { path, action } of outcome.changed) print(`${path} ${verb} ${done[action]}`)
  if (outcome.changed.length === 0) process.stdout.write(`No file ${verb} changed.\n`)
  const { error, skippedLinks = [] } = toRewindFilesResponse(outcome)
  for (const path of skippedLinks) printError(`${path}: a link, left alone`)
  if (error !== undefined) printError(error)
  return outcome.conflicts.length === 0 && outcome.failed.length === 0
}

const done = { restore: 'brought back', create: 'made again', remove: 'removed' } as const
