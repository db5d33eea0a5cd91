import assert from 'node:assert/strict'

// What the Messages API demands of a request, written a second time and on purpose in another way than the package does it.

interface Loose {
  readonly [key: string]: unknown
}

/** Throws for a history that the service would refuse. */
export function assertAccepted(messages: readonly unknown[]): void {
  const list = messages as readonly Loose[]
  const ids: unknown[] = []
  for (const [index, message] of list.entries()) {
    assert.equal(message['role'], index % 2 === 0 ? 'user' : 'assistant', `role of message ${index}`)
    const blocks = blocksOf(message)
    assert.ok(blocks.length > 0, `message ${index} is empty`)
    for (const block of blocks) assertBlock(block, message['role'])
    const calls = blocks.filter((block) => block['type'] === 'tool_use').map((block) => block['id'])
    ids.push(...calls)
    const next = list[index + 1]
    const lead = (next === undefined ? [] : blocksOf(next)).slice(0, calls.length)
    assert.deepEqual(
      lead.map((block) => block['tool_use_id']),
      calls,
      `results after message ${index}`,
    )
    const results =
      next === undefined ? [] : blocksOf(next).filter((block) => block['type'] === 'tool_result')
    assert.equal(
      results.length,
      message['role'] === 'user' ? 0 : calls.length,
      `results of message ${index + 1}`,
    )
  }
  assert.equal(new Set(ids).size, ids.length, 'ids are unique')
  assert.ok(!ids.includes(''), 'ids are not empty')
}

function blocksOf({ content }: Loose): readonly Loose[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content as readonly Loose[])
}

function assertBlock(block: Loose, role: unknown): void {
  assert.equal(typeof block['type'], 'string')
  if (block['type'] === 'text') assert.notEqual(String(block['text']).trim(), '')
  if (block['type'] === 'tool_use') assert.ok(role === 'assistant' && block['input'] instanceof Object)
  if (block['type'] === 'tool_result') assertResult(block, role)
  else if (isOurs(block)) assertWellFormed(block)
}

function assertResult({ content, ...rest }: Loose, role: unknown): void {
  assert.equal(role, 'user')
  assertWellFormed(rest)
  if (!Array.isArray(content)) assertWellFormed({ content })
  else for (const part of content) assertBlock(part, role)
}

function assertWellFormed(data: Loose): void {
  assert.ok(!/\\ud[89a-f]../.test(JSON.stringify(data)), 'well-formed text')
}

function isOurs({ type }: Loose): boolean {
  return type === 'text' || type === 'tool_use'
}
