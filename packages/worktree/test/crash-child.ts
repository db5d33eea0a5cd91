// Makes or removes a worktree and kills itself at a step: `node crash-child.ts create|remove ROOT STEP`.
import { createGit, createWorktree, listWorktrees, removeWorktree } from '@x/worktree'

const [, , act, root = '', stopAt] = process.argv
const git = createGit()
const onStep = (step: string): void => {
  if (step === stopAt) process.kill(process.pid, 'SIGKILL')
}
if (act === 'create') {
  const made = await createWorktree({ cwd: root, name: 'w', git, onStep, symlinkDirectories: ['out'] })
  console.log(made.type === 'failed' ? made.code : made.type)
} else {
  const [listed] = await listWorktrees({ cwd: root, git })
  if (listed !== undefined) await removeWorktree(listed.worktree, { git, onStep })
}
