import { checkHistory, isContinuation, type Message, repairHistory } from '@x/contract'

// A session checks its whole history on every turn: 200 turns with two calls each, text of a usual size.
const history = Array.from({ length: 401 }, (_, index): Message => {
  const ids = [`toolu_${Math.ceil(index / 2)}_a`, `toolu_${Math.ceil(index / 2)}_b`]
  if (index === 0) return { role: 'user', content: 'Go' }
  if (index % 2 === 0) {
    const results = ids.map((id) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: 'line\n'.repeat(200),
    }))
    return { role: 'user', content: results }
  }
  const calls = ids.map((id) => ({
    type: 'tool_use' as const,
    id,
    name: 'Read',
    input: { file_path: `/tmp/${id}` },
  }))
  return { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, ...calls] }
})

report('check 401 messages again', 100, () => checkHistory(history))
report('repair 401 messages again', 100, () => repairHistory(history))
report('is a continuation of 401 messages', 100, () => isContinuation(history, history.slice()))

function report(figure: string, limitUs: number, run: () => unknown): void {
  const ours = measureUs(run)
  const bare = measureUs(() => JSON.stringify(history))
  const line = {
    bench: 'history',
    figure,
    ours,
    bare,
    ratio: ours / bare,
    target: `<= ${limitUs} us`,
    ok: ours <= limitUs,
  }
  console.log(JSON.stringify(line))
}

// The least of several rounds: the machine is shared.
function measureUs(run: () => unknown): number {
  const rounds = Array.from({ length: 12 }, () => {
    const start = performance.now()
    for (let turn = 0; turn < 100; turn += 1) run()
    return (performance.now() - start) * 10
  })
  return Number(Math.min(...rounds).toFixed(2))
}
