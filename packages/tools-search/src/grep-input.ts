import { z } from 'zod'

const lines = (): z.ZodInt => z.int().min(0)

/** What Grep takes. */
export const grepInputSchema = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe(
      'Regular expression in ripgrep syntax. A literal brace, bracket or parenthesis needs a backslash: "interface\\{\\}".',
    ),
  path: z.string().optional().describe('File or folder to search in. Leave it out for the working folder.'),
  glob: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Only files that fit this glob, such as "*.ts" or "src/**/*.{js,jsx}"; with "!" in front, only files that do not.',
    ),
  type: z.string().min(1).optional().describe('Only files of this ripgrep type, such as js, py, rust.'),
  output_mode: z
    .enum(['content', 'files_with_matches', 'count'])
    .optional()
    .describe(
      '"content": matching lines; "files_with_matches" (default): paths, newest first; "count": matching lines per file.',
    ),
  '-i': z.boolean().optional().describe('Ignore case.'),
  '-o': z.boolean().optional().describe('Only the matching parts of lines. For content.'),
  '-n': z.boolean().optional().describe('Line numbers, on by default. For content.'),
  '-A': lines().optional().describe('Lines to show after each match. For content.'),
  '-B': lines().optional().describe('Lines to show before each match. For content.'),
  '-C': lines().optional().describe('Lines to show before and after each match. For content.'),
  context: lines().optional().describe('The same as -C.'),
  head_limit: lines()
    .optional()
    .describe('Most entries (lines, files or counts) to show. Default 250; 0 for no limit.'),
  offset: lines()
    .optional()
    .describe('Entries to leave out at the beginning, to go on from an earlier result.'),
  multiline: z
    .boolean()
    .optional()
    .describe('Matches may span lines, and "." fits line breaks too. Off by default.'),
})

/** A parsed input of Grep. */
export type GrepInput = z.output<typeof grepInputSchema>

/** Which part of the entries is shown. */
export interface PageRequest {
  /** Entries to leave out. */
  readonly offset: number
  /** Most entries to show; may be Infinity. */
  readonly limit: number
  /** Most characters of them together, line breaks included. */
  readonly maxChars: number
}
