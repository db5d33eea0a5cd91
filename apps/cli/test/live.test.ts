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
