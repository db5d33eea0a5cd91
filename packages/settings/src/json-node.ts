/** A step into a value: a key of an object or an index of an array. */
export type PathStep = string | number

interface JsonPlace {
  /** Where the value begins in the text. */
  readonly offset: number
  /** Where the text behind the value begins. */
  readonly end: number
  /** The key or index under which the file has it. */
  readonly step: PathStep
}

/** A string, number, boolean or null of a file. */
interface JsonScalar extends JsonPlace {
  readonly kind: 'scalar'
  readonly value: string | number | boolean | null
}

/** An array of a file. */
export interface JsonArray extends JsonPlace {
  readonly kind: 'array'
  readonly items: readonly JsonNode[]
}

/** An object of a file; of equal keys the last counts. */
export interface JsonObject extends JsonPlace {
  readonly kind: 'object'
  readonly entries: ReadonlyMap<string, JsonEntry>
}

/** A place where a value should be and something else is. */
interface JsonDamage extends JsonPlace {
  readonly kind: 'damage'
}

/** A value of a file with its place. */
export type JsonNode = JsonScalar | JsonArray | JsonObject | JsonDamage

/** A key with its value. */
export interface JsonEntry {
  /** Where the key begins in the text. */
  readonly keyOffset: number
  /** What stands behind the colon. */
  readonly value: JsonNode
}

/** The plain value of a node: fresh objects and arrays with the ordinary prototypes. */
export function toValue(node: JsonNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value
    case 'array':
      return node.items.map(toValue)
    case 'object': {
      const value: Record<string, unknown> = {}
      // The parser lets no __proto__ through, so that this assigns own keys only.
      for (const [key, entry] of node.entries) value[key] = toValue(entry.value)
      return value
    }
    case 'damage':
      return null
  }
}

/** The nodes on the way along a path, the root first; shorter than the path where the file ends before it. */
export function nodesAlong(root: JsonNode, path: readonly PropertyKey[]): readonly JsonNode[] {
  const nodes = [root]
  let node: JsonNode | undefined = root
  for (const step of path) {
    node = childAt(node, step)
    if (node === undefined) break
    nodes.push(node)
  }
  return nodes
}

/** A copy without some of its nodes, or nothing if the node itself is one of them. */
export function withoutNodes(node: JsonNode, unwanted: ReadonlySet<JsonNode>): JsonNode | undefined {
  if (unwanted.has(node)) return undefined
  if (node.kind === 'array') {
    return { ...node, items: node.items.flatMap((item) => withoutNodes(item, unwanted) ?? []) }
  }
  if (node.kind !== 'object') return node
  const entries = new Map<string, JsonEntry>()
  for (const [key, entry] of node.entries) {
    const value = withoutNodes(entry.value, unwanted)
    if (value !== undefined) entries.set(key, { ...entry, value })
  }
  return { ...node, entries }
}

/** A path as people write it: `hooks.PreToolUse[0].matcher`. */
export function toKeyText(path: readonly PropertyKey[]): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else text += text === '' ? String(step) : `.${String(step)}`
  }
  return text
}

function childAt(node: JsonNode, step: PropertyKey): JsonNode | undefined {
  if (node.kind === 'array') return typeof step === 'number' ? node.items[step] : undefined
  if (node.kind === 'object') return node.entries.get(String(step))?.value
  return undefined
}
