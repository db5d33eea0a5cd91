import { analyzeShell } from '@x/shell-analysis'
import { parse } from 'unbash'

// A permission verdict begins with this analysis, so it must stay far below a millisecond for a usual command,
// and a hostile line must not hold up the host.
const usual = `cd packages/x && git diff main...HEAD --name-only | grep -E "\\.ts$" | xargs -n1 wc -l 2>/dev/null | sort -rn | head -30
for f in src/*.ts; do echo "$f: $(grep -c export "$f")"; done; if [ -f a.json ]; then jq -r .name a.json; fi
timeout 30 sh -c 'ls -la | tail -5'; npm test > out.log`

const hostile: readonly [name: string, piece: string][] = [
  ['lists', 'ls -la; '],
  ['substitutions beside each other', '$(ls) '],
  ['substitutions in each other', '$('],
  ['quoted substitutions in each other', '"$('],
  ['arithmetic in each other', '$(('],
  ['process substitutions in each other', '<('],
  ['eval of eval', 'eval '],
  ['wrappers of wrappers', 'nohup env '],
  ['here-documents', 'cat <<E '],
]

report('300 characters, p99', usual, { share: 0.99, rounds: 1000, limitMs: 1 })
for (const [name, piece] of hostile) {
  const script = piece.repeat(10_000 / piece.length)
  report(`10,000 characters, ${name}`, script, { share: 0.5, rounds: 9, limitMs: 50 })
}

function report(
  figure: string,
  script: string,
  { share, rounds, limitMs }: { share: number; rounds: number; limitMs: number },
): void {
  const ours = measureMs(() => analyzeShell(script), { share, rounds })
  const bare = measureMs(() => parse(script), { share, rounds })
  const ratio = Number((ours / bare).toFixed(1))
  console.log(
    JSON.stringify({
      bench: 'analysis',
      figure,
      ours,
      bare,
      ratio,
      target: `<= ${limitMs} ms`,
      ok: ours <= limitMs,
    }),
  )
}

/** The least of several batches: the machine is shared. */
function measureMs(run: () => unknown, { share, rounds }: { share: number; rounds: number }): number {
  const batches = Array.from({ length: 5 }, () => {
    const times = Array.from({ length: rounds }, () => timeOf(run)).sort((a, b) => a - b)
    return times[Math.floor(times.length * share)] ?? 0
  })
  return Number(Math.min(...batches).toFixed(3))
}

function timeOf(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}
