import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContentBlock, Message } from '@x/contract'
import { unknownOutcomeText } from '@x/transcript'
import { onTestFinished } from 'vitest'
import { text } from './builders.ts'

/** A temporary folder, gone after the test. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'x-transcript-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The records of a file that is whole. */
export function recordsOf(path: string): Record<string, unknown>[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** The texts of a history, one a block; calls and results by id. */
export function outline(messages: readonly Message[]): string[] {
  return messages.map(({ role, content }) => {
    const blocks = typeof content === 'string' ? [text(content)] : content
    return `${role}: ${blocks.map(blockName).join(', ')}`
  })
}

function blockName(block: ContentBlock): string {
  if (block.type === 'text') return 'text' in block ? block.text : ''
  if (block.type === 'tool_use' && 'id' in block) return `call ${block.id}`
  if (block.type === 'tool_result' && 'tool_use_id' in block)
    return `${block.is_error === true ? 'failed' : 'result'} ${block.tool_use_id}`
  return block.type
}

/** Tells whether every block of one history is in another, byte by byte and in the same order; made-up results do not count. */
export function holdsAll(whole: readonly Message[], part: readonly Message[]): boolean {
  const found = blockTexts(whole).values()
  return blockTexts(part)
    .filter((block) => !block.includes(unknownOutcomeText))
    .every((block) => found.some((each) => each === block))
}

function blockTexts(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }) =>
    (typeof content === 'string' ? [text(content)] : content).map(
      (block) => `${role} ${JSON.stringify(block)}`,
    ),
  )
}
