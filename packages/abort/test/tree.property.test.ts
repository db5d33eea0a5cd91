import { getEventListeners } from 'node:events'
import { anySignal, createAbortController, createChildAbortController } from '@x/abort'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectGarbage } from './collect-garbage.ts'

/** What a member of the tree should be, by the plainest rules: everybody is told at once. */
interface Model {
  parents: Model[]
  children: Model[]
  reason: string | undefined
  listening: boolean
  heard: string[]
}

interface Member {
  readonly model: Model
  readonly signal: AbortSignal
  readonly abort: ((reason: string) => void) | undefined
  readonly dispose: (() => void) | undefined
  readonly listener: () => void
  readonly heard: string[]
}

type Step =
  | { readonly do: 'child' | 'abort' | 'dispose' | 'listen' | 'unlisten' | 'poll'; readonly at: number }
  | { readonly do: 'any'; readonly at: number; readonly and: number }
  | { readonly do: 'gc' }

const at = fc.nat({ max: 1_000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('child' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('abort' as const, 'dispose' as const), at }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('listen' as const, 'unlisten' as const, 'poll' as const),
      at,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('any' as const), at, and: at }) },
)

/** Roots: one made here, one foreign. */
class Tree {
  readonly foreign = new AbortController()
  readonly members: Member[] = []
  #reasons = 0

  constructor() {
    this.#add(createAbortController(), [])
    this.#add(this.foreign, [])
  }

  run(step: Exclude<Step, { do: 'gc' }>): void {
    const member = this.#pick(step.at)
    if (step.do === 'any') {
      const other = this.#pick(step.and)
      this.#add(anySignal([member.signal, other.signal]), [member.model, other.model])
    } else if (step.do === 'child') {
      this.#add(createChildAbortController(member.signal), [member.model])
    } else if (step.do === 'abort') {
      this.#abort(member)
    } else {
      doToOne[step.do](member)
    }
  }

  check(): void {
    for (const { model, heard } of this.members) expect(heard).toEqual(model.heard)
    const [, foreign] = this.members
    const known = foreign !== undefined && foreign.model.children.some(isWanted)
    const own = foreign?.model.listening === true ? 1 : 0
    const expected = foreign?.model.reason === undefined ? own + (known ? 1 : 0) : undefined
    if (expected !== undefined) expect(getEventListeners(this.foreign.signal, 'abort')).toHaveLength(expected)
  }

  checkStates(): void {
    for (const { model, signal } of this.members) {
      expect([signal.aborted, signal.reason]).toEqual([model.reason !== undefined, model.reason])
    }
  }

  #abort({ abort, model }: Member): void {
    if (abort === undefined) return
    this.#reasons += 1
    const reason = `reason ${this.#reasons}`
    abort(reason)
    abortModel(model, reason)
    // When a foreign signal was aborted can only be seen by looking, so everybody looks.
    if (model === this.members[1]?.model) this.checkStates()
  }

  #pick(index: number): Member {
    const member = this.members[index % this.members.length]
    if (member === undefined) throw new Error('a tree has roots')
    return member
  }

  #add(controller: { readonly signal: AbortSignal; [Symbol.dispose]?: () => void }, parents: Model[]): void {
    const { signal } = controller
    const heard: string[] = []
    const model: Model = {
      parents: [...new Set(parents)],
      children: [],
      reason: undefined,
      listening: false,
      heard: [],
    }
    for (const parent of model.parents) {
      parent.children.push(model)
      model.reason ??= parent.reason
    }
    this.members.push({
      model,
      signal,
      heard,
      abort: controller instanceof AbortController ? (reason) => controller.abort(reason) : undefined,
      dispose: controller[Symbol.dispose]?.bind(controller),
      listener: () => heard.push(String(signal.reason)),
    })
  }
}

const doToOne: Record<'dispose' | 'listen' | 'unlisten' | 'poll', (member: Member) => void> = {
  dispose: ({ dispose, model }) => {
    if (dispose === undefined) return
    dispose()
    for (const parent of model.parents) parent.children = parent.children.filter((child) => child !== model)
    model.parents = []
  },
  listen: ({ signal, listener, model }) => {
    signal.addEventListener('abort', listener)
    if (model.reason === undefined) model.listening = true
  },
  unlisten: ({ signal, listener, model }) => {
    signal.removeEventListener('abort', listener)
    model.listening = false
  },
  poll: ({ signal, model }) => {
    expect([signal.aborted, signal.reason]).toEqual([model.reason !== undefined, model.reason])
  },
}

function abortModel(model: Model, reason: string): void {
  if (model.reason !== undefined) return
  model.reason = reason
  if (model.listening) model.heard.push(reason)
  for (const child of model.children) abortModel(child, reason)
}

function isWanted(model: Model): boolean {
  return model.reason === undefined && (model.listening || model.children.some(isWanted))
}

test('any tree under any sequence behaves as if everybody were told at once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const tree = new Tree()
      for (const step of steps) {
        if (step.do !== 'gc') tree.run(step)
        tree.check()
      }
      tree.checkStates()
    }),
    { numRuns: 3_000 },
  )
})

test('the same holds when garbage is collected in between', async () => {
  const withCollection = fc.oneof(
    { weight: 10, arbitrary: step },
    { weight: 1, arbitrary: fc.constant({ do: 'gc' } as const) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(withCollection, { maxLength: 40 }), async (steps) => {
      const tree = new Tree()
      for (const step of steps) {
        if (step.do === 'gc') await collectGarbage()
        else tree.run(step)
        tree.check()
      }
      tree.checkStates()
    }),
    { numRuns: 20 },
  )
})
