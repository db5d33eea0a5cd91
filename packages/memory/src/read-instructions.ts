import type { FoundFile } from './find-files.ts'
import { readFrontMatter } from './front-matter.ts'
import { findMentions, type ImportMention, maxMentions } from './import-mentions.ts'
import type { MemoryProblem } from './memory-file.ts'
import { describeProblem } from './problem.ts'
import { readText } from './read-text.ts'
import { removeComments } from './remove-comments.ts'
import { scanBlocks } from './scan-blocks.ts'

/** A file that was read and taken apart. */
export interface Instructions extends FoundFile {
  /** What is sent of it; may be empty. */
  readonly text: string
  /** What it may import. */
  readonly mentions: readonly ImportMention[]
  /** For a rule that is for some files only: its patterns. */
  readonly globs?: readonly string[]
}

/** What came of reading a file. */
export interface ReadInstructions {
  /** Nothing if it was skipped. */
  readonly instructions: Instructions | undefined
  readonly problems: readonly MemoryProblem[]
}

/** Reads a file and takes it apart. Never throws. */
export async function readInstructions(found: FoundFile): Promise<ReadInstructions> {
  // The real path, so that what was judged is what is read.
  const read = await readText(found.realPath)
  if (read.kind === 'absent') {
    const why = { why: 'is a link that leads nowhere, or went away' }
    return { instructions: undefined, problems: [describeProblem('unreadable', found.path, why)] }
  }
  if (read.kind !== 'text') {
    return { instructions: undefined, problems: [describeProblem(read.kind, found.path, read)] }
  }
  return found.ruleBase === undefined ? takeApart(found, read.text) : takeRuleApart(found, read.text)
}

async function takeRuleApart(found: FoundFile, text: string): Promise<ReadInstructions> {
  const { globs, bodyStart, fault } = await readFrontMatter(text)
  const firstLine = text.slice(0, bodyStart).split('\n').length
  const { instructions, problems } = takeApart(found, text.slice(bodyStart), firstLine)
  const isForSome = instructions !== undefined && globs !== undefined
  return {
    instructions: isForSome ? { ...instructions, globs } : instructions,
    problems: [...(fault === undefined ? [] : [describeFault(found.path, fault)]), ...problems],
  }
}

function describeFault(path: string, fault: { readonly line: number; readonly why: string }): MemoryProblem {
  const why = `the front matter ${fault.why}; its paths are read line by line`
  return describeProblem('front-matter', path, { line: fault.line, why })
}

function takeApart(found: FoundFile, text: string, firstLine = 1): ReadInstructions {
  // Most files need no scanning.
  if (!/@|<!--/.test(text)) {
    return { instructions: { ...found, text: removeComments(text, []), mentions: [] }, problems: [] }
  }
  const lines = scanBlocks(text)
  const all = findMentions(text, lines).map((mention) => ({ ...mention, line: mention.line + firstLine - 1 }))
  const tooMany = all[maxMentions]
  return {
    instructions: { ...found, text: removeComments(text, lines), mentions: all.slice(0, maxMentions) },
    problems: tooMany === undefined ? [] : [describeTooMany(found.path, tooMany.line)],
  }
}

function describeTooMany(path: string, line: number): MemoryProblem {
  const why = `only the first ${maxMentions} imports of a file are looked at`
  return describeProblem('too-many', path, { line, why })
}
