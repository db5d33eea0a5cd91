import type { Checker, Question } from './checker.ts'
import { createEditChecker, createReadChecker } from './file-checker.ts'
import {
  createAgentChecker,
  createGenericChecker,
  createSkillChecker,
  createWebFetchChecker,
  createWorktreeChecker,
} from './other-checkers.ts'
import { createPowerShellChecker } from './powershell-checker.ts'
import { createShellChecker } from './shell-checker.ts'
import { bashTools, editTools, readTools } from './tool-names.ts'

const byName: ReadonlyMap<string, (question: Question) => Checker> = new Map([
  ...[...bashTools].map((name) => [name, createShellChecker] as const),
  ...[...readTools.keys()].map((name) => [name, createReadChecker] as const),
  ...[...editTools.keys()].map((name) => [name, createEditChecker] as const),
  ['PowerShell', createPowerShellChecker] as const,
  ['WebFetch', createWebFetchChecker] as const,
  ['Skill', createSkillChecker] as const,
  ['Agent', createAgentChecker] as const,
  ['EnterWorktree', createWorktreeChecker] as const,
])

/** Makes the checker for the kind of tool that is called. */
export function createChecker(question: Question): Checker {
  return (byName.get(question.toolName) ?? createGenericChecker)(question)
}
