import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callTool, createToolUseContext } from '@x/contract'
import { createEnterWorktreeTool, createExitWorktreeTool, currentWorktree } from '@x/tools-worktree'

const cwd = mkdtempSync(join(tmpdir(), 'x-example-'))
const identity = ['-c', 'user.name=example', '-c', 'user.email=example@localhost']
execFileSync('git', ['init', '-q'], { cwd })
execFileSync('git', [...identity, 'commit', '-q', '--allow-empty', '-m', 'first'], { cwd })

const session = createToolUseContext({ cwd })
const entered = await callTool(createEnterWorktreeTool(), { name: 'try' }, session)
console.log(entered.context.cwd.endsWith('/.claude/worktrees/try')) // true
console.log(currentWorktree(entered.context)?.worktree.branch) // worktree-try

const left = await callTool(createExitWorktreeTool(), { action: 'remove' }, entered.context)
console.log(left.data.action, left.context.cwd === cwd) // remove true
rmSync(cwd, { recursive: true })
