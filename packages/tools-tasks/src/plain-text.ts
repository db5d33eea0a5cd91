/** Takes out what is for terminals only: control sequences, and of a line that was redrawn all but the last state. */
export function toPlainText(text: string): string {
  return text.replace(SEQUENCE, '').split('\n').map(lastState).join('\n')
}

function lastState(line: string): string {
  const states = line.split('\r')
  const state = states.findLast((one) => one.trim() !== '') ?? states.at(-1) ?? ''
  return state.replaceAll('\0', '\uFFFD').replace(CONTROL, '')
}

/** CSI; OSC and other strings with their end; the rest of ESC. */
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- finding control characters is what this is for
  /\u001B\[[0-?]*[ -/]*[@-~]|\u001B[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)|\u001B[ -/]*[0-~]/g

// oxlint-disable-next-line no-control-regex -- as above
const CONTROL = /[\u0001-\u0008\u000B-\u001F\u007F-\u009F]/g
