import { EventEmitter } from 'node:events'
import type { ContentBlock, Message, SessionRecord, ToolUseBlock } from '@x/contract'
import {
  type Compaction,
  type CompactionEnd,
  type CompactOptions,
  type CompactorOptions,
  createCompactor,
  runCompaction,
} from '../../src/index.ts'
import { message, type ScriptedModel, type Step, scriptedModel, text } from '../scripted-model.ts'

/** What a test looks at after a compaction. */
export interface Compacted {
  readonly end: CompactionEnd
  /** The history that counts from now on. */
  readonly messages: readonly Message[]
  /** All records, those of the end too. */
  readonly records: readonly SessionRecord[]
  readonly logged: readonly (readonly [Compaction, readonly Message[]])[]
  readonly listeners: number
}

/** Compacts a history with everything a test does not care about in place. */
export async function compact(
  old: readonly Message[],
  model: ScriptedModel,
  more: Partial<CompactorOptions> & { readonly request?: Partial<CompactOptions> } = {},
): Promise<Compacted> {
  const { request = {}, ...options } = more
  const { signal = new AbortController().signal } = request
  const logged: [Compaction, readonly Message[]][] = []
  const log: CompactorOptions['log'] = async (...entry) => void logged.push(entry)
  const run = runCompaction(createCompactor({ model, log, random: () => 0, ...options }), old, {
    reason: 'near-limit',
    modelName: 'main',
    isRepeatable: ({ name }) => name === 'Read',
    ...request,
    signal,
  })
  const records: SessionRecord[] = []
  let step = await run.next()
  while (step.done !== true) {
    records.push(step.value)
    step = await run.next()
  }
  const end = step.value
  return {
    end,
    messages: end.type === 'shorter' ? end.messages : old,
    records: end.type === 'shorter' ? [...records, ...end.records] : records,
    logged,
    listeners: EventEmitter.getEventListeners(signal, 'abort').length,
  }
}

/** A model with a small window; a request beyond the scripts is answered with a summary. */
export function summarizer(...scripts: readonly (readonly Step[])[]): ScriptedModel {
  const more = Array.from({ length: 9 }, () => message(text('They read files.')))
  return { ...scriptedModel(...scripts, ...more), contextWindow: () => 10_000 }
}

export const user = (...content: ContentBlock[]): Message => ({ role: 'user', content })
export const assistant = (...content: ContentBlock[]): Message => ({ role: 'assistant', content })
export const result = (id: string, content: string | ContentBlock[]): ContentBlock =>
  ({ type: 'tool_result', tool_use_id: id, content }) as ContentBlock
export const thinking = (id: string): ContentBlock => ({
  type: 'thinking',
  thinking: `thought ${id}`,
  signature: `signature ${id}`,
})
export const call = (id: string, name = 'Read'): ToolUseBlock => ({
  type: 'tool_use',
  id,
  name,
  input: { file_path: `/${id}.ts` },
})

/** One turn with a thought and a call whose result has so many letters. */
export function turn(id: string, size: number, name = 'Read'): readonly Message[] {
  return [assistant(thinking(id), call(id, name)), user(result(id, 'x'.repeat(size)))]
}

/** A prompt and turns. */
export function history(...turns: readonly (readonly Message[])[]): readonly Message[] {
  return [user(text('Fix the bug')), ...turns.flat()]
}
