/** How the command is used. */
export const usage = `x worktrees list [--json]
  Lists the worktrees of this repository below .claude/worktrees: how they stand, their branch, and what is in them.

x worktrees clean [--older-than DAYS] [--dry-run]
  Removes those that nobody uses and that hold nothing which is nowhere else (with --older-than only those unused so long), goes on
  with what a program was killed in the middle of, releases locks of programs that are gone, and says what stays and why.
  Those that were made with --worktree, or under a name, stay until you remove them.
`
