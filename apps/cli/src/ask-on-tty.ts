import { createInterface } from 'node:readline/promises'
import type {
  CanUseToolCallback,
  CanUseToolContext,
  PermissionAnswer,
  PermissionUpdate,
} from '@x/permissions'
import { toneOf } from './live/describe-result.ts'
import { createPaint, toPlain } from './live/paint.ts'
import type { LiveView } from './live/view.ts'
import { showChange, showWhole } from './show-call.ts'

/** Where questions are put. */
export interface Terminal {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
}

/** Somebody who can be asked, one question after the other. */
export interface TerminalAsker {
  readonly canUseTool: CanUseToolCallback
  /** Resolves when no question is open: until then nothing else should be written. */
  quiet(): Promise<void>
}

/** What else is on the screen. */
export type QuestionPlace = Pick<LiveView, 'shown' | 'answered'>

/**
 * Asks a person at the terminal about calls: yes, no, always, or no with a comment. A question stands behind what the model said before
 * the call, however fast that came.
 */
export function createTerminalAsker(terminal: Terminal, place: QuestionPlace): TerminalAsker {
  let last: Promise<void> = Promise.resolve()
  return {
    quiet: () => last,
    async canUseTool(toolName, input, context) {
      const { toolUseID: id, agentID: agent } = context
      // What an agent says is not shown, nor are all calls of agents.
      if (agent === undefined) await place.shown(id)
      const question = { toolName, subject: showWhole(input), change: showChange(input), context }
      const answer = last.then(() => ask(terminal, question)).finally(() => place.answered(id))
      last = answer.then(nothing, nothing)
      return answer
    },
  }
}

function nothing(): void {}

/** Asks once whether the folder is trusted, telling what waits for it. Anything but yes is no. */
export async function askForTrust(
  { input, output }: Terminal,
  cwd: string,
  held: readonly string[],
): Promise<boolean> {
  const paint = createPaint(output)
  output.write(`${paint('strong', `Do you trust the files in ${cwd}?`)} Until then this does not count:\n`)
  for (const line of held) output.write(paint('dim', `  ${toPlain(line)}\n`))
  using lines = new Lines(input, output)
  const answer = await lines.question('  [y]es, [n]o: ', new AbortController().signal)
  return /^y(es)?$/i.test(answer?.trim() ?? '')
}

interface Question {
  readonly toolName: string
  readonly subject: string
  readonly change: readonly string[]
  readonly context: CanUseToolContext
}

async function ask({ input, output }: Terminal, question: Question): Promise<PermissionAnswer> {
  const { toolName, subject, change, context } = question
  const { signal, suggestions = [], verdict, agentID: agent } = context
  const who = agent === undefined ? '' : ' for an agent'
  signal.throwIfAborted()
  const paint = createPaint(output)
  const rules = (verdict.suggestions ?? []).map(
    ({ text, alsoAllows }) => `${text}, which also allows ${alsoAllows}`,
  )
  output.write(
    [
      '',
      `  ${paint('strong', `May ${toolName} run${who}?`)} ${subject}`,
      ...change.map((line) => `    ${paint(toneOf(line), line)}`),
      paint('dim', `    ${toPlain(verdict.reason.detail)}`),
      ...(suggestions.length > 0 ? [paint('dim', `    always: ${toPlain(rules.join('; '))}`)] : []),
      '',
    ].join('\n'),
  )
  const choices = suggestions.length > 0 ? '[y]es, [a]lways, [n]o' : '[y]es, [n]o'
  using lines = new Lines(input, output)
  for (;;) {
    const answer = await lines.question(`    ${choices}, or what to do instead: `, signal)
    if (answer === undefined) {
      output.write('\n')
      return unanswered
    }
    const decided = readAnswer(answer.trim(), suggestions)
    if (decided !== undefined) return decided
  }
}

/** Ctrl-D. */
const unanswered: PermissionAnswer = {
  behavior: 'deny',
  message: 'The user ended the question without an answer.',
  interrupt: true,
}

/** An empty answer is none. */
function readAnswer(answer: string, suggestions: readonly PermissionUpdate[]): PermissionAnswer | undefined {
  switch (answer.toLowerCase()) {
    case '':
      return undefined
    case 'y':
    case 'yes':
      return { behavior: 'allow' }
    case 'a':
    case 'always':
      return suggestions.length > 0 ? { behavior: 'allow', updatedPermissions: suggestions } : undefined
    case 'n':
    case 'no':
      return { behavior: 'deny', message: 'The user said no.', interrupt: true }
    default:
      return { behavior: 'deny', message: `The user does not want this call, and says: ${answer}` }
  }
}

/** A line editor for one question. Ctrl-C means what it means to the program, not to the line. */
class Lines implements Disposable {
  readonly #reader: ReturnType<typeof createInterface>

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
    this.#reader = createInterface({ input, output })
    this.#reader.on('SIGINT', () => void process.kill(process.pid, 'SIGINT'))
  }

  /** The answer; undefined when the input ends. */
  question(text: string, signal: AbortSignal): Promise<string | undefined> {
    const { promise: ended, resolve } = Promise.withResolvers<undefined>()
    this.#reader.once('close', () => resolve(undefined))
    return Promise.race([this.#reader.question(text, { signal }), ended])
  }

  [Symbol.dispose](): void {
    this.#reader.close()
  }
}
