import { analyzeShell } from '@x/shell-analysis'

const scripts = [
  'git diff --name-only | head -30',
  'git status && timeout 5 sh -c "rm -rf build"',
  'sort -o names.txt names.txt 2>/dev/null',
  'echo "rm -rf build" | sh',
]

for (const script of scripts) {
  const { isUnderstood, isReadOnly, commands, writes, problems, effects } = analyzeShell(script)
  const verdict = isReadOnly ? 'read-only' : isUnderstood ? 'may change something' : 'not understood: ask'
  console.log(`${script}\n  ${verdict}`)
  console.log(`  runs ${commands.map((command) => command.program).join(', ')}`)
  for (const file of writes) console.log(`  writes ${file.path ?? file.word.text}`)
  for (const note of [...problems, ...effects]) console.log(`  - ${note.message}`)
}
