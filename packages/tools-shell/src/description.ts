import type { BashSettings } from './options.ts'

/** What the model is told about the tool. */
export function describeBash(settings: BashSettings): string {
  const { tasks, allowsBackground } = settings
  const parts = [
    whatItDoes(settings),
    tasks !== undefined && allowsBackground ? BACKGROUND : NO_BACKGROUND,
    OTHER_TOOLS,
    HABITS,
    GIT,
  ]
  return parts.join('\n\n')
}

function whatItDoes({ defaultTimeoutMs, maxTimeoutMs, maintainsProjectDirectory }: BashSettings): string {
  const folder = maintainsProjectDirectory
    ? 'Every command starts in the project directory.'
    : 'The working directory carries over to the next command while it stays inside the working directories; outside, it goes back to the project directory.'
  return [
    'Runs one shell command and returns what it wrote, both streams in the order written; a non-zero exit code is told.',
    'Use it for what only a shell can do: builds, tests, git, package managers, running programs.',
    `${folder} Variables do not carry over; the user's shell functions and aliases are there.`,
    `Standard input is empty: nothing can be typed, no editor or pager opens. Pass answers as options (-y, -m, --no-edit).`,
    `Time limit: ${defaultTimeoutMs} ms unless timeout says otherwise, at most ${maxTimeoutMs} ms. Output over 30,000 characters goes to a file whose path you get.`,
  ].join('\n')
}

const BACKGROUND =
  'Servers, watchers and long work: run_in_background, never a trailing "&" (what a command leaves running ends with it). It returns an id and an output file at once; look at the file with Read, end it with TaskStop, do not poll or sleep: a notice comes when it has ended.'

const NO_BACKGROUND = 'Nothing can run in the background: what a command leaves running ends with it.'

const OTHER_TOOLS = `Not for these, where the other tool is there:
- read a known file: Read, not cat, head, tail or sed
- find files by name: Glob, not find or ls -R
- search text or a definition: Grep, not grep or rg
- change or write a file: Edit or Write, not sed -i, echo > or a here-document
- tell the user something: write it as text, not echo
- search over many files whose conclusion alone matters: Agent`

const HABITS = `- Quote paths with blanks. Before making files or folders, see that the parent is the right one.
- Commands that depend on each other: one call with &&. Independent read-only ones: several calls at once.
- Prefer absolute paths to cd. No sleep to wait for something that can be waited for.`

const GIT = `Git, unless the user asked for exactly that:
- no commit, push, or change of git config
- no forced push, and never one to main or master without a warning first
- no skipped hooks or signatures (--no-verify, --no-gpg-sign); when a hook fails, mend the cause and make a new commit
- no rewritten history (--amend, rebase) of commits that are pushed or not yours
- no discarded work: reset --hard, checkout ., restore ., clean -f, branch -D, stash drop
- no -i flags; stage files by name rather than add -A; look at status and diff before a commit`
