import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorktree, createWorktreeGuard, removeWorktree } from '@x/worktree'

const cwd = mkdtempSync(join(tmpdir(), 'x-example-'))
const identity = ['-c', 'user.name=example', '-c', 'user.email=example@localhost']
execFileSync('git', ['init', '-q'], { cwd })
execFileSync('git', [...identity, 'commit', '-q', '--allow-empty', '-m', 'first'], { cwd })

const made = await createWorktree({ cwd, name: 'try' })
if (made.type === 'failed') throw new Error(made.message)
const { worktree } = made
console.log(worktree.branch) // worktree-try

const guard = createWorktreeGuard(worktree)
console.log(await guard.check('Bash', { command: 'git add -A' }, worktree.path)) // undefined: nothing against it
console.log((await guard.check('Bash', { command: 'cd ../../..' }, worktree.path)) !== undefined) // true

writeFileSync(join(worktree.path, 'result.txt'), 'work')
const kept = await removeWorktree(worktree)
console.log(kept.type, kept.type === 'kept' && kept.reasons[0]?.message) // kept untracked files: result.txt

rmSync(join(worktree.path, 'result.txt'))
console.log(await removeWorktree(worktree)) // { type: 'removed', branch: 'removed' }
rmSync(cwd, { recursive: true })
