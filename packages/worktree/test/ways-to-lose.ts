import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { FindingCode, Worktree } from '@x/worktree'
import { type Repo, write } from './repo.ts'

/** One way to have something in a worktree that only is there. */
interface Way {
  readonly title: string
  /** Why it is kept; `unknown` when nobody can tell. */
  readonly code: FindingCode | 'unknown'
  readonly act: (place: Place) => void
  /** Folders that the worktree has as links. */
  readonly links: readonly string[]
}

/** Where it happens. */
export interface Place {
  readonly repo: Repo
  readonly worktree: Worktree
  git: (...args: readonly string[]) => string
  readonly write: (path: string, text: string) => void
  readonly path: (...parts: readonly string[]) => string
}

export function placeOf(repo: Repo, worktree: Worktree): Place {
  return {
    repo,
    worktree,
    git: (...args) => repo.runIn(worktree.path, ...args),
    write: (path, text) => void write(join(worktree.path, path), text),
    path: (...parts) => join(worktree.path, ...parts),
  }
}

/** What git exits with 1 for, as a conflict. */
function fails(act: () => unknown): void {
  try {
    act()
  } catch {
    return
  }
  throw new Error('it was to fail')
}

const files: readonly Way[] = [
  way('an untracked file', 'untracked', ({ write }) => write('new.txt', 'x')),
  way('an untracked file in a new folder', 'untracked', ({ write }) => write('new/deep/x.txt', 'x')),
  way('an untracked file beside tracked ones', 'untracked', ({ write }) => write('src/new.txt', 'x')),
  way('an empty untracked file', 'untracked', ({ write }) => write('empty', '')),
  way('a hidden untracked file', 'untracked', ({ write }) => write('.hidden', 'x')),
  way('an untracked link', 'untracked', ({ path }) => symlinkSync('/nowhere', path('link'))),
  way(
    'a named pipe',
    'untracked',
    ({ path }) => void execFileSync('sh', ['-c', 'mkfifo pipe'], { cwd: path() }),
  ),
  way('a file with a line break in its name', 'untracked', ({ write }) => write('a\nb "c".txt', 'x')),
  way('a file whose name is no UTF-8', 'unknown', ({ path }) =>
    writeFileSync(Buffer.concat([Buffer.from(path('f')), Buffer.from([0xff, 0xfe])]), 'x'),
  ),
  way('an ignored file (SU-04)', 'ignored', ({ write }) => write('out/result.json', '{}')),
  way('an ignored file by its ending', 'ignored', ({ write }) => write('src/run.log', 'x')),
  way('a file ignored by info/exclude', 'ignored', ({ write }) => write('local-only.bin', 'x')),
  way('a file ignored by the settings of the user', 'ignored', ({ write }) => write('user-only.bin', 'x')),
  way('a folder that ignores itself', 'ignored', ({ write }) => {
    write('self/.gitignore', '*\n')
    write('self/work.txt', 'x')
  }),
  way('an untracked file while the status shows none', 'untracked', ({ git, write }) => {
    git('config', '--worktree', 'status.showUntrackedFiles', 'no')
    write('quiet.txt', 'x')
  }),
  way('a changed file', 'modified', ({ write }) => write('a.txt', 'changed\n')),
  way('a change of the same size and time', 'modified', ({ path, write }) => {
    const { atime, mtime } = statSync(path('a.txt'))
    write('a.txt', 'b\n')
    utimesSync(path('a.txt'), atime, mtime)
  }),
  way('a deleted file', 'modified', ({ path }) => unlinkSync(path('a.txt'))),
  way('a renamed file', 'modified', ({ path }) => renameSync(path('a.txt'), path('z.txt'))),
  way('a file replaced by a link', 'modified', ({ path }) => {
    unlinkSync(path('a.txt'))
    symlinkSync('src/b.txt', path('a.txt'))
  }),
  way('a file replaced by a folder', 'untracked', ({ path, write }) => {
    unlinkSync(path('a.txt'))
    write('a.txt/inner', 'x')
  }),
  way('a changed mode', 'modified', ({ path }) => chmodSync(path('a.txt'), 0o755)),
]

const hidden: readonly Way[] = [
  way('a staged new file', 'staged', ({ git, write }) => {
    write('new.txt', 'x')
    git('add', 'new.txt')
  }),
  way('a staged change that the folder no longer has (SU-04)', 'staged', ({ git, write }) => {
    write('a.txt', 'staged\n')
    git('add', 'a.txt')
    write('a.txt', 'a\n')
  }),
  way('a staged deletion', 'staged', ({ git }) => void git('rm', '-q', '--cached', 'a.txt')),
  way('a file that is only announced', 'modified', ({ git, write }) => {
    write('new.txt', 'x')
    git('add', '-N', 'new.txt')
  }),
  way('a change of a file assumed unchanged (SU-04)', 'hidden', ({ git, write }) => {
    git('update-index', '--assume-unchanged', 'a.txt')
    write('a.txt', 'changed\n')
  }),
  way('a change of a file to be skipped', 'hidden', ({ git, write }) => {
    git('update-index', '--skip-worktree', 'a.txt')
    write('a.txt', 'changed\n')
  }),
  way('a change that a filter hides', 'hidden', ({ git, write }) => {
    git('config', '--worktree', 'filter.strip.clean', 'echo b')
    write('../../../.git/info/attributes', 'src/b.txt filter=strip\n')
    write('src/b.txt', 'outputs of a notebook\n')
    git('add', 'src/b.txt')
  }),
  way('line ends that the settings hide', 'hidden', ({ git, write }) => {
    git('config', '--worktree', 'core.autocrlf', 'input')
    write('a.txt', 'a\r\n')
    git('add', 'a.txt')
  }),
  way('a change that a monitor denies', 'modified', ({ git, repo, write }) => {
    const monitor = repo.outside('monitor.sh')
    writeFileSync(monitor, '#!/bin/sh\nprintf "token\\0"\n', { mode: 0o755 })
    git('config', '--worktree', 'core.fsmonitor', monitor)
    git('update-index', '--fsmonitor')
    git('status')
    write('a.txt', 'changed\n')
  }),
  way('a repository in an untracked folder (SU-04)', 'untracked', ({ git, path, write }) => {
    write('nested/x.txt', 'x')
    git('init', '-q', path('nested'))
  }),
  way('a repository made around tracked files', 'nested-repository', ({ path, repo }) => {
    repo.runIn(path('src'), 'init', '-q')
    repo.runIn(path('src'), 'add', '-A')
    repo.runIn(path('src'), 'commit', '-q', '-m', 'inner')
  }),
  way('a repository in an ignored folder', 'ignored', ({ git, path }) => void git('init', '-q', path('out'))),
  way('a submodule that was filled', 'submodule', ({ git, repo }) => {
    const url = repo.outside('library')
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', url, 'library')
  }),
  way('a copied file that was changed', 'ignored', ({ write }) => write('.env', 'CHANGED=1\n')),
  {
    ...way('a linked folder that became a real one', 'ignored', ({ path, write }) => {
      unlinkSync(path('out'))
      write('out/kept.txt', 'x')
    }),
    links: ['out'],
  },
]

const commits: readonly Way[] = [
  way('a commit (SU-03)', 'commits', commit),
  way('an empty commit', 'commits', ({ git }) => void git('commit', '-q', '--allow-empty', '-m', 'note')),
  way('a commit and its reversal', 'commits', (place) => {
    commit(place)
    place.git('revert', '--no-edit', 'HEAD')
  }),
  way('a commit on a detached HEAD (SU-04)', 'detached', (place) => {
    place.git('checkout', '-q', '--detach')
    commit(place)
  }),
  way('a commit that only the reflog of HEAD knows', 'dropped-commits', (place) => {
    place.git('checkout', '-q', '--detach')
    commit(place)
    place.git('checkout', '-q', place.worktree.branch ?? '')
  }),
  way('a commit that was reset', 'dropped-commits', (place) => {
    commit(place)
    place.git('reset', '-q', '--hard', 'HEAD~1')
  }),
  way('a commit of an amended branch that was reset', 'dropped-commits', (place) => {
    commit(place)
    place.git('commit', '-q', '--amend', '-m', 'again')
    place.git('reset', '-q', '--hard', place.worktree.base ?? '')
  }),
  way('a commit on another branch that is checked out', 'other-branch', (place) => {
    place.git('checkout', '-q', '-b', `worktree-feature-${place.worktree.name}`)
    commit(place)
  }),
  way('a commit on its branch, which is not checked out', 'commits', (place) => {
    commit(place)
    place.git('checkout', '-q', '--detach', place.worktree.base ?? '')
  }),
  way('a HEAD that went back', 'commits', ({ git }) => void git('reset', '-q', '--hard', 'HEAD~1')),
  way(
    'commits fetched from elsewhere',
    'dropped-commits',
    ({ git, repo }) => void git('fetch', '-q', repo.outside('library')),
  ),
  way('a ref of the worktree alone', 'private-refs', (place) => {
    place.git('update-ref', 'refs/worktree/mine', 'HEAD')
  }),
  way('a stash (SU-04)', 'stash', ({ git, write }) => {
    write('a.txt', 'stashed\n')
    git('stash', '-q')
  }),
  way('a stash with a message and untracked files', 'stash', ({ git, write }) => {
    write('new.txt', 'stashed\n')
    git('stash', 'push', '-q', '-u', '-m', 'for later')
  }),
  way('a stash on a detached HEAD', 'stash', ({ git, write }) => {
    git('checkout', '-q', '--detach')
    write('a.txt', 'stashed\n')
    git('stash', '-q')
  }),
]

const states: readonly Way[] = [
  way('a merge with conflicts', 'conflict', (place) => {
    commitOther(place)
    fails(() => place.git('merge', '-q', 'side'))
  }),
  way('a merge that waits for its commit', 'operation', ({ git }) => {
    git('merge', '-q', '--no-commit', '--no-ff', 'calm')
  }),
  way('a merge of notes with conflicts', 'operation', ({ git }) => {
    git('notes', 'add', '-m', 'mine')
    git('notes', '--ref=other', 'add', '-m', 'theirs')
    fails(() => git('notes', 'merge', '-q', 'other'))
  }),
  way('a rebase that stopped', 'operation', (place) => {
    commitOther(place)
    fails(() => place.git('rebase', '-q', 'side'))
  }),
  way('a cherry-pick with conflicts', 'operation', (place) => {
    commitOther(place)
    fails(() => place.git('cherry-pick', 'side'))
  }),
  way('a search that is going on', 'operation', ({ git }) => void git('bisect', 'start')),
  way('an index that somebody is writing', 'operation', ({ git }) =>
    writeFileSync(join(git('rev-parse', '--absolute-git-dir'), 'index.lock'), ''),
  ),
  way('an index that cannot be read', 'unknown', ({ git }) =>
    writeFileSync(join(git('rev-parse', '--absolute-git-dir'), 'index'), 'broken'),
  ),
  way('a HEAD that cannot be read', 'unknown', ({ git }) =>
    writeFileSync(join(git('rev-parse', '--absolute-git-dir'), 'HEAD'), 'broken'),
  ),
  way('a .git file that is gone', 'unknown', ({ path }) => unlinkSync(path('.git'))),
  way('a .git file that leads to the main checkout', 'unknown', ({ path, repo }) =>
    writeFileSync(path('.git'), `gitdir: ${repo.path('.git')}\n`),
  ),
  way('a .git file that became a repository', 'unknown', ({ git, path }) => {
    unlinkSync(path('.git'))
    git('init', '-q', path())
  }),
  way('a folder that another one replaced', 'unknown', ({ path, write }) => {
    rmSync(path(), { recursive: true })
    mkdirSync(path())
    write('other.txt', 'x')
  }),
  way('a folder that a link replaced', 'unknown', ({ path, repo, worktree }) => {
    renameSync(path(), repo.outside(`moved-${worktree.name}`))
    symlinkSync(repo.outside(`moved-${worktree.name}`), path())
  }),
  way('a lock of a person', 'locked', ({ git, path }) => {
    git('worktree', 'unlock', path())
    git('worktree', 'lock', '--reason', 'on a stick', path())
  }),
]

/** All of them, in groups of a minute's fraction each. */
export const waysToLose = { files, hidden, commits, states }

function way(title: string, code: Way['code'], act: Way['act']): Way {
  return { title, code, act, links: [] }
}

/** The name is in it: the same commit made in another worktree would be kept by that one's branch. */
function commit({ git, worktree, write }: Place): void {
  write('new.txt', 'x')
  git('add', '-A')
  git('commit', '-q', '-m', `work in ${worktree.name}`)
}

/** A change that does not go together with the branch `side`. */
function commitOther({ git, write }: Place): void {
  write('a.txt', 'mine\n')
  git('commit', '-q', '-a', '-m', 'mine')
}
