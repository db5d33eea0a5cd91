import { z } from 'zod'
import { defineEvent, flag, plainHandlers, text } from './event.ts'

const paths = z.array(z.string()).optional()

/** A session begins, or goes on after a pause, a fork or a compaction. */
export const SessionStart = defineEvent({
  matcher: 'source',
  handlers: ['command', 'mcp_tool'],
  exitTwo: 'notice',
  plainText: 'context',
  hasEnvFile: true,
  input: {
    source: z.string(),
    model: text,
    session_title: text,
    seconds_since_last_response: z.number().optional(),
    context_tokens: z.number().optional(),
    prompt_cache_likely_expired: flag,
    estimated_cache_write_usd: z.number().optional(),
  },
  output: {
    additionalContext: text,
    initialUserMessage: text,
    sessionTitle: text,
    watchPaths: paths,
    reloadSkills: flag,
  },
})

/** A session ends. All its hooks share one short time limit. */
export const SessionEnd = defineEvent({
  matcher: 'reason',
  handlers: plainHandlers,
  timeoutSeconds: 1.5,
  exitTwo: 'notice',
  universal: 'none',
  input: { reason: z.string() },
  output: {},
})

/** The project is set up, on request. Only what the hooks do counts, not what they say. */
export const Setup = defineEvent({
  matcher: 'trigger',
  handlers: ['command', 'mcp_tool'],
  exitTwo: 'ignore',
  universal: 'none',
  hasEnvFile: true,
  input: { trigger: z.string() },
  output: {},
})

/** A file with instructions entered the context. */
export const InstructionsLoaded = defineEvent({
  matcher: 'load_reason',
  handlers: plainHandlers,
  exitTwo: 'ignore',
  universal: 'none',
  input: {
    file_path: z.string(),
    memory_type: z.string(),
    load_reason: z.string(),
    globs: z.array(z.string()).optional(),
    trigger_file_path: text,
    parent_file_path: text,
  },
  output: {},
})

/** A settings file changed during the session. */
export const ConfigChange = defineEvent({
  matcher: 'source',
  handlers: plainHandlers,
  exitTwo: 'block',
  audience: 'nobody',
  takesDecision: true,
  universal: 'none',
  input: { source: z.string(), file_path: text },
  output: {},
})

/** A shell command moved the working folder. */
export const CwdChanged = defineEvent({
  handlers: plainHandlers,
  exitTwo: 'notice',
  universal: 'no-continue',
  hasEnvFile: true,
  input: { old_cwd: z.string(), new_cwd: z.string() },
  output: { watchPaths: paths },
})

/** A watched file changed on disk. */
export const FileChanged = defineEvent({
  matcher: 'file_path',
  names: 'narrow',
  handlers: plainHandlers,
  exitTwo: 'notice',
  universal: 'no-continue',
  hasEnvFile: true,
  input: { file_path: z.string(), event: z.string() },
  output: { watchPaths: paths },
})

/** A folder was added to the session. */
export const DirectoryAdded = defineEvent({
  matcher: 'source',
  handlers: plainHandlers,
  exitTwo: 'ignore',
  universal: 'no-continue',
  input: { directory: z.string(), source: z.string() },
  output: {},
})
