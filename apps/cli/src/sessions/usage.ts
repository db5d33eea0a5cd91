/** How the command is used. */
export const usage = `x sessions list [--all] [--json]
  Lists the sessions of this folder (--all: of every folder), the latest first.

x sessions show ID|NAME [--json]
  Prints a conversation.

x sessions export ID|NAME [--json] [--output FILE]
  Writes a conversation out as Markdown, or as JSON.

x sessions rewind ID|NAME PROMPT [--files] [--conversation] [--dry-run] [--overwrite]
  Takes files and conversation (or one of them) back to before a prompt; \`x sessions prompts ID|NAME\` lists them. Files that
  somebody else has changed since are named and left alone, unless --overwrite is given: then a copy of them is kept.

x sessions prompts ID|NAME [--json]
x sessions rename ID|NAME NEW-NAME
x sessions rm ID|NAME...
  Lists the prompts of a session, also those that a rewind left behind, which are marked; names a session; removes sessions with all that belongs
  to them.
`
