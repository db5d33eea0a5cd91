import { createHooks } from '@x/hooks'

const hooks = createHooks({
  PreToolUse: [
    {
      matcher: 'Bash',
      hooks: [
        { type: 'command', command: `grep -q 'rm -rf' && { echo 'not with rm -rf' >&2; exit 2; } || true` },
      ],
    },
  ],
})
hooks.on('PreToolUse', { matcher: 'Bash' }, ({ tool_input }) => ({
  additionalContext: `The command has ${String(tool_input['command']).length} characters.`,
}))

for (const command of ['ls', 'rm -rf /']) {
  const input = { tool_name: 'Bash', tool_input: { command }, tool_use_id: '1' }
  const { outcome, reason, context } = await hooks.run('PreToolUse', input, {
    signal: AbortSignal.timeout(5000),
  })
  console.log(outcome, reason?.split(': ').at(-1), context)
}
