import { spawn } from 'node:child_process'
import { createHooks, type HookInput, type Hooks } from '@x/hooks'

// A hook beside Node's bare spawn of the same shell with the same input, in turns, so that both meet the same machine. Medians,
// milliseconds.

const line = 'read -r line; echo "{}"'
const input: HookInput<'PreToolUse'> = {
  tool_name: 'Bash',
  tool_input: { command: 'x'.repeat(1000) },
  tool_use_id: 'toolu_1',
}
const stdin = `${JSON.stringify(input)}\n`

await compare('one hook', { count: 1, rounds: 200 })
await compare('ten hooks at once', { count: 10, rounds: 40 })
// A process that holds much has much to copy when it starts another: the bare spawn pays it too.
const held = Buffer.alloc(1024 ** 3, 1)
await compare('one hook, from a process that holds 1 GiB', { count: 1, rounds: 40 })
if (held.at(-1) !== 1) throw new Error('the memory is gone')

async function compare(
  figure: string,
  { count, rounds }: { readonly count: number; readonly rounds: number },
): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) => `${line} # ${index}`)
  const hooks = createHooks({
    PreToolUse: [{ hooks: lines.map((command) => ({ type: 'command', command })) }],
  })
  const ours = (): Promise<unknown> => runOurs(hooks)
  const bare = (): Promise<unknown> => Promise.all(lines.map(runBare))
  const [oursMs, bareMs] = await inTurns(rounds, ours, bare)
  const ratio = oursMs / bareMs
  console.log(
    JSON.stringify({
      bench: 'hooks',
      figure,
      ours: round(oursMs),
      bare: round(bareMs),
      ratio: round(ratio),
      target: '<= 1.15 x',
      ok: ratio <= 1.15,
    }),
  )
}

async function runOurs(hooks: Hooks): Promise<void> {
  const { errors, handlers } = await hooks.run('PreToolUse', input)
  if (errors.length > 0 || handlers.length === 0) throw new Error(errors.join())
}

function runBare(command: string): Promise<unknown> {
  const child = spawn('bash', ['-c', command], { stdio: 'pipe' })
  const pieces: Buffer[] = []
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
  child.stderr.resume()
  child.stdin.end(stdin)
  return new Promise((resolve) => {
    child.once('close', () => resolve(JSON.parse(Buffer.concat(pieces).toString())))
  })
}

async function inTurns(
  rounds: number,
  ours: () => Promise<unknown>,
  bare: () => Promise<unknown>,
): Promise<readonly [number, number]> {
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let round = -5; round < rounds; round += 1) {
    const first = round % 2 === 0
    for (const isOurs of [first, !first]) {
      const startedAt = performance.now()
      await (isOurs ? ours() : bare())
      if (round >= 0) times[isOurs ? 'ours' : 'bare'].push(performance.now() - startedAt)
    }
  }
  return [median(times.ours), median(times.bare)]
}

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
