import type { AgentOutcome, Message, TextBlock, Tool, ToolUseContext, UserMessage } from '@x/contract'
import { createAgentContext } from './agent-context.ts'
import { firstPrompt, systemPrompt } from './agent-prompt.ts'
import { makeTools } from './agent-tools.ts'
import { viewOf } from './agent-view.ts'
import type { AgentExtras, AgentView } from './agents-options.ts'
import { choosePlace, type Place } from './choose-place.ts'
import { type Beginning, enterAgent, followCall } from './enter-agent.ts'
import { copyFiles } from './fork.ts'
import { ask, type Host } from './host.ts'
import { historyOf, openSidechain, stoppedEnd } from './open-sidechain.ts'
import { followOwnTasks, type OwnTasks } from './own-tasks.ts'
import type { AgentPlan } from './plan-agent.ts'
import type { LiveAgent } from './roster.ts'
import type { Scope } from './scope.ts'
import type { Sidechain, SidechainEnd } from './sidechains.ts'
import { createTally, type Tally } from './tally.ts'
import { withGrace } from './with-grace.ts'
import type { EndedWorktree } from './worktrees.ts'

/** An agent that may run: everything it needs is there, and all of it is in the scope. */
export interface PreparedAgent {
  readonly plan: AgentPlan
  readonly live: LiveAgent
  readonly scope: Scope
  readonly view: AgentView
  readonly tally: Tally
  readonly tools: readonly Tool[]
  readonly system: readonly TextBlock[]
  readonly context: ToolUseContext
  readonly history: readonly Message[]
  readonly prompt: UserMessage
  readonly ownTasks: OwnTasks
  readonly sidechain: Sidechain
  readonly filesChanged: ReadonlySet<string>
  readonly startedAt: number
  /** Set when the worktree's fate is known. */
  worktree?: EndedWorktree
  /** The worktree that it went into by itself. */
  entered?: AgentOutcome['worktree']
  /** What the transcript is told at the end; nothing before it ran. */
  end?: SidechainEnd
  /** The run did not end in time after its abort: what it uses must stay. */
  isStuck: boolean
}

const maxFilesChanged = 1_000

/**
 * Gets everything ready: worktree, extras, tools, transcript, context. When a step fails or the signal aborts, what the steps before
 * it made is released, and it rejects: the agent never ran.
 */
export async function prepareAgent(host: Host, plan: AgentPlan): Promise<PreparedAgent> {
  const beginning = enterAgent(host, plan)
  const { live, scope } = beginning
  const stop = followCall(plan, live)
  try {
    const ready = makeReady(host, plan, beginning)
    // Whatever a step that does not hear its abort still makes is released as soon as it is there.
    const ended = await withGrace(ready, live.controller.signal, host.abortGraceMs)
    if (ended.inTime) return ended.value
    throw new Error('The agent was not made ready in time.')
  } catch (error) {
    await scope.close()
    live.controller.signal.throwIfAborted()
    throw error
  } finally {
    stop()
    beginning.markReady()
  }
}

async function makeReady(host: Host, plan: AgentPlan, beginning: Beginning): Promise<PreparedAgent> {
  const { live, scope } = beginning
  const { signal } = live.controller
  const startedAt = performance.now()
  signal.throwIfAborted()
  const prepared: Pick<PreparedAgent, 'worktree' | 'isStuck' | 'end'> = { isStuck: false }
  const place = await choosePlace(host, plan, { ...beginning, prepared })
  const draft = viewOf(plan, place)
  const extras = await setUp(host, draft, beginning)
  const tools = makeTools(host, plan, { extras, worktree: place.worktree })
  const opened = await openSidechain(host, plan, { place, tools, live })
  scope.add(() => opened.close(prepared.end ?? stoppedEnd(live)))
  const lost = plan.resumed?.running ?? []
  const ownTasks = followOwnTasks(host.options.tasks, plan.agentId, { sidechain: opened, lost })
  const { sidechain } = ownTasks
  scope.add(() => ownTasks.leave())
  const view = { ...draft, ...(sidechain.path !== undefined && { transcriptPath: sidechain.path }) }
  const start = await ask(() => host.options.onStart?.(view, signal))
  signal.throwIfAborted()
  const filesChanged = new Set<string>()
  const context = contextOf(host, plan, { place, view, tools, filesChanged, controller: live.controller })
  scope.add(() => releaseTasks(host, plan.agentId, ownTasks))
  const system = systemPrompt(host, plan, { cwd: place.cwd, extras })
  live.system = system
  return Object.assign(prepared, {
    plan,
    live,
    scope,
    view,
    tally: createTally(plan.budget),
    tools,
    system,
    context: extras.modifyContext?.(context) ?? context,
    history: historyOf(plan),
    prompt: firstPrompt(host, plan, { extras, start, tools, place }),
    ownTasks,
    sidechain,
    filesChanged,
    startedAt,
  })
}

async function setUp(host: Host, view: AgentView, { live, scope }: Beginning): Promise<AgentExtras> {
  const { signal } = live.controller
  const extras = (await host.options.setUp?.(view, signal)) ?? {}
  scope.add(() => extras.release?.())
  signal.throwIfAborted()
  return extras
}

function contextOf(
  { options }: Host,
  { agentId, definition, depth, model, isBackground, context, fork, resumed }: AgentPlan,
  own: {
    readonly place: Place
    readonly view: Pick<AgentView, 'projectDir'>
    readonly tools: readonly Tool[]
    readonly filesChanged: Set<string>
    readonly controller: AbortController
  },
): ToolUseContext {
  const { place, view, tools, filesChanged, controller } = own
  const { env } = context.options
  const files = options.createFiles()
  if (fork !== undefined && resumed === undefined) copyFiles(context.files, files)
  return createAgentContext(context, {
    agentId,
    agentType: definition.name,
    depth,
    cwd: place.cwd,
    projectDir: view.projectDir,
    env: place.worktree && env ? (options.worktrees?.environment?.(env) ?? env) : env,
    tools,
    model,
    controller,
    files,
    isBackground,
    onFileChanged: (path) => void (filesChanged.size < maxFilesChanged && filesChanged.add(path)),
  })
}

/** What it started in the background ends with it; it reads of that when it goes on. */
async function releaseTasks({ options: { tasks } }: Host, agentId: string, own: OwnTasks): Promise<void> {
  await tasks?.stopAll({ agentId })
  const news = own.takeNotices()
  if (news.length > 0) await own.sidechain.append(news)
}
