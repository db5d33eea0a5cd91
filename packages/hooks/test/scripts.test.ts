import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bash, command, quote, runHooks, temporaryFolder } from './helpers.ts'

// Handlers as people write them: one-liners with a program in it, scripts beside the project, state in files.

const node = quote(process.execPath)
const readInput = `let s='';process.stdin.on('data',d=>s+=d).on('end',()=>{const i=JSON.parse(s);`

test('a guard in one line of another language', async () => {
  const line = `${node} -e ${quote(`${readInput}if(/rm -rf/.test(i.tool_input.command)){console.error('refused: '+i.tool_input.command);process.exit(2)}})`)}`
  expect((await runHooks('PreToolUse', bash('rm -rf /'), [command(line)])).feedback[0]).toMatch(
    /refused: rm -rf \/$/,
  )
  expect((await runHooks('PreToolUse', bash('ls'), [command(line)])).outcome).toBe('none')
})

test('lines, comments and folded blocks', async () => {
  const line = `# keeps the branch\n  input=$(cat)\n  case "$input" in\n    *'git push'*) echo "no pushing" >&2; exit 2 ;;\n  esac\n`
  expect((await runHooks('PreToolUse', bash('git push'), [command(line)])).outcome).toBe('deny')
  expect((await runHooks('PreToolUse', bash('git pull'), [command(line)])).outcome).toBe('none')
})

test('a script by its path below the project, with state beside it by session', async () => {
  using folder = temporaryFolder()
  writeFileSync(
    folder.file('count.sh'),
    `#!/bin/bash
id=$(${node} -e ${quote(`${readInput}console.log(i.session_id)})`)})
n=$(($(cat "$CLAUDE_PROJECT_DIR/$id" 2>/dev/null || echo 0) + 1))
echo $n > "$CLAUDE_PROJECT_DIR/$id"
[[ $n -ge 2 ]] && echo '{"decision": "approve", "reason": "seen before"}'
exit 0
`,
  )
  const options = { projectDir: folder.path, common: () => ({ session_id: 's1' }) }
  const run = (): ReturnType<typeof runHooks<'PreToolUse'>> =>
    runHooks('PreToolUse', bash('ls'), [command('bash "$CLAUDE_PROJECT_DIR"/count.sh')], options)
  expect([(await run()).outcome, (await run()).outcome]).toEqual(['none', 'allow'])
})

test('a formatter after an edit finds the file in a variable, and adds context', async () => {
  using folder = temporaryFolder()
  const line = `echo "formatted" >> "$CLAUDE_FILE_PATHS"; echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"formatted"},"suppressOutput":true}'`
  const input = {
    tool_name: 'Write',
    tool_input: { file_path: folder.file('a.txt') },
    tool_use_id: '1',
    tool_response: {},
  }
  expect((await runHooks('PostToolUse', input, [command(line)])).context).toEqual(['formatted'])
})

test('an answer of kilobytes, pretty-printed, with keys nobody knows', async () => {
  const out = JSON.stringify(
    {
      version: 2,
      decision: 'block',
      reason: 'r'.repeat(3000),
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', details: { a: [1] } },
    },
    null,
    4,
  )
  const result = await runHooks('PreToolUse', bash('ls'), [command({ out: `${out}\n` })])
  expect(result).toMatchObject({ outcome: 'deny', reason: 'r'.repeat(3000), errors: [] })
})

test('text on stdout with status 2 blocks without it; JSON on stderr is plain text', async () => {
  const onStdout = await runHooks('PreToolUse', bash('ls'), [command({ out: 'no!', exit: 2 })])
  expect(onStdout.feedback[0]).toMatch(/No stderr output$/)
  const onStderr = await runHooks('PreToolUse', bash('ls'), [
    command({ err: '{"decision":"approve"}', exit: 2 }),
  ])
  expect(onStderr).toMatchObject({
    outcome: 'deny',
    reason: expect.stringContaining('{"decision":"approve"}'),
  })
})

test('approve at another event means nothing', async () => {
  const stop = await runHooks('Stop', { stop_hook_active: false }, [
    command({ out: { decision: 'approve' } }),
  ])
  expect(stop).toMatchObject({ outcome: 'none', errors: [] })
})
