import { type JsonNode, nodesAlong, type PathStep, toKeyText, toValue, withoutNodes } from './json-node.ts'
import { toIssues } from './schema-issues.ts'
import { hasFreeKeys, type Schema, schemasBelow, takesObjects } from './schema-steps.ts'

/** A part of a section that does not count. */
interface SectionFault {
  /** Where the fault is. */
  readonly offset: number
  /** Its keys, as the file has them. */
  readonly path: readonly PathStep[]
  /** What is wrong and what to do, with the key, without the line. */
  readonly message: string
}

/** What is left of a section. */
export interface CheckedSection {
  /** The section without what its schema refuses; nothing if nothing is left. */
  readonly node: JsonNode | undefined
  /** What was left out, and why. */
  readonly faults: readonly SectionFault[]
}

/**
 * Takes out of a section what its schema refuses, and damaged places, and no more.
 *
 * What goes is the smallest part that means something alone: an element of a list, an entry of an object with free keys, a property.
 * Inside an element that is an object, a fault costs that whole element, because half a handler or server is another one.
 */
export function checkSection(section: JsonNode, schema: Schema | undefined): CheckedSection {
  const schemas = schema === undefined ? [] : [schema]
  const damaged = damagedPaths(section).map((path) => entryOn(nodesAlong(section, path), schemas))
  const node = withoutNodes(section, new Set(damaged))
  return schema === undefined || node === undefined ? { node, faults: [] } : checkNode(node, schema)
}

function checkNode(section: JsonNode, schema: Schema): CheckedSection {
  const faults: SectionFault[] = []
  let node: JsonNode | undefined = section
  // Each round takes out at least one node, so that this ends.
  while (node !== undefined) {
    const found = findFaults(node, schema)
    if (found.length === 0) break
    // No spreading into push: a hostile file has more faults than a call may have arguments.
    for (const { fault } of found) faults.push(fault)
    node = withoutNodes(node, new Set(found.map(({ victim }) => victim)))
  }
  return { node, faults }
}

interface FoundFault {
  readonly fault: SectionFault
  readonly victim: JsonNode
}

function findFaults(section: JsonNode, schema: Schema): readonly FoundFault[] {
  const value = toValue(section)
  return issuesOf(schema, value).map((issue) => {
    const nodes = nodesAlong(section, issue.path)
    const place = nodes.at(-1) ?? section
    const path = nodes.map(({ step }) => step)
    const isMissing = nodes.length <= issue.path.length
    const fullPath = isMissing ? [...path, ...issue.path.slice(path.length - 1)] : path
    const victim = issue.isExact ? place : entryOn(nodes, [schema])
    const victimPath = path.slice(0, nodes.indexOf(victim) + 1)
    const effect = victim === place && !isMissing ? 'it is left out' : `${toKeyText(victimPath)} is left out`
    const message = `${toKeyText(fullPath)} ${issue.message}; ${effect} until this is corrected`
    return { victim, fault: { offset: place.offset, path: fullPath.filter(isStep), message } }
  })
}

/** A schema that throws or waits is a fault of the program; the settings of a user must not crash it either. */
function issuesOf(schema: Schema, value: unknown): ReturnType<typeof toIssues> {
  try {
    const { success, error } = schema.safeParse(value)
    return success ? [] : toIssues(error.issues, value)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [{ path: [], message: `cannot be checked (${reason})`, isExact: true }]
  }
}

/** The smallest part around the last of these nodes that means something alone. */
function entryOn(nodes: readonly JsonNode[], schemas: readonly Schema[]): JsonNode {
  let below = schemas
  let whole: JsonNode | undefined
  let single: JsonNode | undefined
  nodes.forEach((node, index) => {
    const parent = nodes[index - 1]
    if (parent === undefined) return
    const isEntry = parent.kind === 'array' || hasFreeKeys(below)
    below = schemasBelow(below, node.step)
    if (!isEntry) return
    if (node.kind === 'object' || takesObjects(below)) {
      whole = node
      single = undefined
    } else if (whole === undefined) {
      single = node
    }
  })
  return single ?? whole ?? nodes.at(-1) ?? fail()
}

function damagedPaths(node: JsonNode): readonly (readonly PathStep[])[] {
  if (node.kind === 'damage') return [[]]
  if (node.kind === 'array') {
    return node.items.flatMap((item, index) => damagedPaths(item).map((path) => [index, ...path]))
  }
  if (node.kind !== 'object') return []
  return [...node.entries].flatMap(([key, { value }]) => damagedPaths(value).map((path) => [key, ...path]))
}

function isStep(step: PropertyKey): step is PathStep {
  return typeof step !== 'symbol'
}

function fail(): never {
  throw new Error('A path begins with its root')
}
