import { runProcess } from '@x/process'

// The command leaves a process behind and would run for a minute; it gets half a second.
const { exit, stdout } = await runProcess('sh', ['-c', 'sleep 60 & cat; sleep 60'], {
  stdin: 'hello\n',
  timeoutMs: 500,
})

console.log(stdout.text.trim()) // hello
console.log(exit.kind, exit.leftovers) // timed-out { ended: 2, kept: [] }
