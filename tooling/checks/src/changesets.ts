import { root, runProgram } from './workspace.ts'

/** `changeset status`: what changed against the base branch has a note. On the base branch itself there is nothing to compare. */
export function checkChangesets(): readonly string[] {
  const base = ['origin/main', 'main'].find(
    (ref) => runProgram('git', ['rev-parse', '--verify', '--quiet', ref]).ok,
  )
  const { ok, output } = runProgram('changeset', ['status', `--since=${base ?? 'HEAD'}`], { cwd: root })
  return ok ? [] : [output]
}
