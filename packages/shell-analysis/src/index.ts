export { analyzeShell } from './analyze-shell.ts'
export type {
  FileAccess,
  ShellAnalysis,
  ShellAssignment,
  ShellNote,
  ShellRedirection,
  ShellWord,
  SimpleCommand,
  Span,
  Via,
  WordPiece,
} from './types.ts'
