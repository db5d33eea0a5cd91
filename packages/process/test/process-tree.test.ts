import { expect, test } from 'vitest'
import type { ProcessEntry, ProcessTable } from '../src/process-table.ts'
import { readProcess } from '../src/process-table.ts'
import { findMembers, isAlive, ownsGroup, type ProcessTree } from '../src/process-tree.ts'

// Ids that no machine gives out, so that nothing is found outside of the table.
const main = 90_000_001

function tree(parts: Partial<ProcessTree> = {}): ProcessTree {
  return {
    pid: main,
    startTicks: 50,
    startedAt: 0,
    tag: 'tag',
    mainExited: true,
    seenDead: new Set(),
    ...parts,
  }
}

function entry(pid: number, parts: Partial<ProcessEntry> = {}): ProcessEntry {
  return { pid, parent: 1, group: pid, session: pid, startTicks: 60, dead: false, beginning: false, ...parts }
}

function tableOf(...entries: readonly ProcessEntry[]): ProcessTable {
  return {
    entries: new Map(entries.map((one) => [one.pid, one])),
    complete: true,
    environmentIncludes: () => false,
  }
}

function membersOf(own: ProcessTree, ...entries: readonly ProcessEntry[]): number[] {
  return [...findMembers(own, tableOf(...entries)).members.keys()]
}

test('whoever is in the session or the group of the main process belongs to it', () => {
  const session = entry(main + 1, { session: main })
  const group = entry(main + 2, { session: main + 2, group: main })
  expect(membersOf(tree(), session, group)).toEqual([main + 1, main + 2])
})

test('a child of a member belongs to it, whatever its session and environment', () => {
  const child = entry(main + 2, { parent: main + 1 })
  const grandchild = entry(main + 3, { parent: main + 2 })
  const stranger = entry(main + 4)
  expect(membersOf(tree(), grandchild, child, entry(main + 1, { session: main }), stranger)).toEqual([
    main + 1,
    main + 2,
    main + 3,
  ])
})

test('whoever is older than the main process does not come from it', () => {
  const older = entry(main + 1, { session: main, startTicks: 49 })
  expect(membersOf(tree(), older)).toEqual([])
})

test('a look is not certain while one begins, has just died, or was gone before it was read', () => {
  const certainty = (own: ProcessTree, ...entries: readonly ProcessEntry[]): boolean =>
    findMembers(own, tableOf(...entries)).certain
  expect(certainty(tree(), entry(main + 1))).toBe(true)
  expect(certainty(tree(), entry(main + 1, { beginning: true }))).toBe(false)
  expect(findMembers(tree(), { ...tableOf(), complete: false }).certain).toBe(false)
  const own = tree()
  const dead = entry(main + 1, { dead: true })
  expect([certainty(own, dead), certainty(own, dead)]).toEqual([false, true])
})

test('when somebody else has got the id of the main process, its session and group are not ours', () => {
  const other = entry(main, { session: main, group: main, startTicks: 70 })
  const itsChild = entry(main + 1, { session: main, group: main, parent: main, startTicks: 71 })
  expect(membersOf(tree(), other, itsChild)).toEqual([])
})

test('another process with the same id is not the one that was meant', () => {
  const mine = readProcess(process.pid)
  expect(mine).toBeDefined()
  const { pid = 0, group = 0, startTicks = 0 } = mine ?? {}
  expect(isAlive({ pid, group, startTicks })).toBe(true)
  expect(isAlive({ pid, group, startTicks: startTicks - 1 })).toBe(false)
  const running = { pid, startTicks, mainExited: false }
  expect(ownsGroup(tree(running))).toBe(true)
  expect(ownsGroup(tree({ ...running, startTicks: startTicks - 1 }))).toBe(false)
  expect(ownsGroup(tree({ ...running, mainExited: true }))).toBe(false)
})
