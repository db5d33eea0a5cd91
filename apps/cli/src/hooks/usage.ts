/** How the command is used. */
export const usage = `x hooks list [--json] [--settings FILE|JSON] [--plugin-dir FOLDER]...
  Lists the hooks that are configured: event, matcher, handler, file, whether it runs here, and what is wrong with it.

x hooks test --event EVENT [--input FILE|-] [--json] [--settings FILE|JSON] [--plugin-dir FOLDER]...
  Runs the hooks of EVENT as a session in this folder would, on the JSON object of FILE (- for standard input), and prints what
  they come to. No model is asked but by hooks that ask one. The fields that every hook gets are filled in.
  Exit codes: 0 it may go on; 2 a hook denies, blocks or stops it; 3 a hook asks or puts it off; 1 a hook failed, or none could be run.

  echo '{"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}' | x hooks test --event PreToolUse --input -
`
