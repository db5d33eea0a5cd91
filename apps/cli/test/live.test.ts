import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { Cli, hasTerminal } from './cli.ts'

// There is no terminal without a program that makes one.
describe.skipIf(!hasTerminal)('a run with a person', () => {
  it('shows all that the model said before it asks about the call', async () => {
    const words = Array.from({ length: 400 }, (_, index) => `word-${index}`).join(' ')
    const script = [[text(words), toolUse('Bash', { command: 'touch made' })], [text('Done.')]]
    await using cli = await Cli.start(script, {}, 1)
    const running = cli.start(['go'], { isTerminal: true, stdin: null })
    await running.sees('instead: ')
    running.child.stdin?.write('n\n')
    const { stdout } = await running.ended
    expect(stdout.slice(0, stdout.indexOf('May Bash run?'))).toContain('word-399')
  })
})

describe.skipIf(!hasTerminal)('--continue', () => {
  it('of a person goes on with what a person did, with -p with the last session of all (agents.md 9)', async () => {
    const texts = ['Mine.', 'Of a script.', 'More of mine.', 'Of a script again.', 'The last.']
    await using cli = await Cli.start(texts.map((one) => [text(one)]))
    await cli.run(['First'], { isTerminal: true })
    await cli.run(['-p', 'Second'])
    await cli.run(['Third', '--continue'], { isTerminal: true })
    await cli.run(['-p', 'Fourth'])
    await cli.run(['-p', 'Fifth', '--continue'])
    const told = cli.server.requests.map(({ body }) =>
      ['First', 'Second', 'Third', 'Fourth', 'Fifth'].filter((word) =>
        JSON.stringify(body.messages).includes(word),
      ),
    )
    expect(told).toEqual([['First'], ['Second'], ['First', 'Third'], ['Fourth'], ['Fourth', 'Fifth']])
  })
})
