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
    /** What it came from, or how. */
    source: z.string(),
    /** The model. */
    model: text,
    /** The title of the session. */
    session_title: text,
    /** Seconds since the last answer, when a session goes on. */
    seconds_since_last_response: z.number().optional(),
    /** Tokens in the context. */
    context_tokens: z.number().optional(),
    /** Whether the cache of the prompt is probably gone. */
    prompt_cache_likely_expired: flag,
    /** What writing the cache would cost, in US dollars. */
    estimated_cache_write_usd: z.number().optional(),
  },
  output: {
    /** Context for the model. */
    additionalContext: text,
    /** The first turn of a session that nobody types in. */
    initialUserMessage: text,
    /** A title for the session. */
    sessionTitle: text,
    /** Files to watch. */
    watchPaths: paths,
    /** Reads the skills again. */
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
  input: {
    /** Why. */
    reason: z.string(),
  },
  output: {},
})

/** The project is set up, on request. Only what the hooks do counts, not what they say. */
export const Setup = defineEvent({
  matcher: 'trigger',
  handlers: ['command', 'mcp_tool'],
  exitTwo: 'ignore',
  universal: 'none',
  hasEnvFile: true,
  input: {
    /** What set it off. */
    trigger: z.string(),
  },
  output: {},
})

/** A file with instructions entered the context. */
export const InstructionsLoaded = defineEvent({
  matcher: 'load_reason',
  handlers: plainHandlers,
  exitTwo: 'ignore',
  universal: 'none',
  input: {
    /** The file, as an absolute path. */
    file_path: z.string(),
    /** Whose instructions they are. */
    memory_type: z.string(),
    /** Why it was read. */
    load_reason: z.string(),
    /** The patterns that it is for. */
    globs: z.array(z.string()).optional(),
    /** The file whose reading led to it. */
    trigger_file_path: text,
    /** The file that includes it. */
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
  input: {
    /** What it came from, or how. */
    source: z.string(),
    /** The file, as an absolute path. */
    file_path: text,
  },
  output: {},
})

/** A shell command moved the working folder. */
export const CwdChanged = defineEvent({
  handlers: plainHandlers,
  exitTwo: 'notice',
  universal: 'no-continue',
  hasEnvFile: true,
  input: {
    /** The folder before. */
    old_cwd: z.string(),
    /** The folder now. */
    new_cwd: z.string(),
  },
  output: {
    /** Files to watch. */
    watchPaths: paths,
  },
})

/** A watched file changed on disk. */
export const FileChanged = defineEvent({
  matcher: 'file_path',
  names: 'narrow',
  handlers: plainHandlers,
  exitTwo: 'notice',
  universal: 'no-continue',
  hasEnvFile: true,
  input: {
    /** The file, as an absolute path. */
    file_path: z.string(),
    /** `change`, `add` or `unlink`. */
    event: z.string(),
  },
  output: {
    /** Files to watch. */
    watchPaths: paths,
  },
})

/** A folder was added to the session. */
export const DirectoryAdded = defineEvent({
  matcher: 'source',
  handlers: plainHandlers,
  exitTwo: 'ignore',
  universal: 'no-continue',
  input: {
    /** The folder. */
    directory: z.string(),
    /** What it came from, or how. */
    source: z.string(),
  },
  output: {},
})
