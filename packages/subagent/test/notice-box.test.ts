import type { Message, UserMessage } from '@x/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  collectNotices,
  confirmNotices,
  type NoticeBox,
  type NoticeEntry,
  type NoticeJournal,
  openNoticeBox,
} from '../src/index.ts'
import { fakeTasks } from './fake-tasks.ts'
import { gate, textsOf } from './kit.ts'

/** A journal on a disk that outlives the process. */
function journalOn(entries: NoticeEntry[]): NoticeJournal {
  return {
    append: async (entry) => void entries.push(structuredClone(entry)),
    read: async () => entries,
  }
}

function notice(text: string): UserMessage {
  return { role: 'user', content: text }
}

describe('openNoticeBox', () => {
  it('hands a notice out once, and again only if nobody logged it', async () => {
    const box = await openNoticeBox()
    await box.add(notice('one'))
    const [first] = box.take()
    expect(box.take()).toEqual([])
    box.release()
    expect(box.take()).toEqual([first])
    await box.confirm([first!])
    box.release()
    expect([box.take(), box.size]).toEqual([[], 0])
  })

  it('remembers what waits over a crash, and what the transcript holds as seen', async () => {
    const entries: NoticeEntry[] = []
    const box = await openNoticeBox({ journal: journalOn(entries) })
    await box.add(notice('logged'))
    await box.add(notice('waiting'))
    const [logged] = box.take()
    // The program dies after the transcript was written and before the journal was.
    const again = await openNoticeBox({ journal: journalOn(entries), transcript: [logged!] })
    expect(textsOf(again.take())).toContain('waiting')
    expect(again.size).toBe(1)
    const third = await openNoticeBox({ journal: journalOn(entries) })
    expect(third.size).toBe(1)
  })

  it('finds a notice inside a message that was merged with others', async () => {
    const box = await openNoticeBox()
    await box.add(notice('one'))
    const [message] = box.take()
    const content = typeof message!.content === 'string' ? [] : message!.content
    await box.confirm([
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }, ...content] },
    ])
    expect(box.size).toBe(0)
  })

  it('does not take an id that the model wrote for one that it was shown', async () => {
    const box = await openNoticeBox()
    await box.add(notice('one'))
    const text = textsOf(box.take())
    await box.confirm([{ role: 'assistant', content: text }])
    expect(box.size).toBe(1)
  })

  it('confirms only what is safe', async () => {
    const box = await openNoticeBox()
    await box.add(notice('one'))
    const log = confirmNotices({ append: async () => Promise.reject(new Error('disk full')) }, box)
    await expect(log.append(box.take())).rejects.toThrow('disk full')
    expect(box.size).toBe(1)
  })

  it('lets nothing be logged before what is to be told of it is safe', async () => {
    const isSafe = gate()
    const box = await openNoticeBox({ journal: { append: () => isSafe.promise, read: async () => [] } })
    const logged: Message[] = []
    const log = confirmNotices({ append: async (messages) => void logged.push(...messages) }, box)
    box.expect(notice('it ended with the program'))
    const logging = log.append([notice('it was started')])
    await new Promise((resolve) => setImmediate(resolve))
    expect(logged).toEqual([])
    isSafe.open()
    await logging
    expect(logged).toHaveLength(1)
  })

  it('whose journal fails keeps nothing from being logged, and shows nothing twice', async () => {
    const journal = { append: async () => Promise.reject(new Error('disk full')), read: async () => [] }
    const box = await openNoticeBox({ journal })
    await expect(box.add(notice('one'))).rejects.toThrow('disk full')
    const log = confirmNotices({ append: async () => {} }, box)
    await log.append(box.take())
    box.release()
    expect([box.size, box.fresh]).toEqual([0, 0])
  })

  it('tells who listens, and goes on when a listener throws', async () => {
    const box = await openNoticeBox()
    let count = 0
    box.subscribe(() => {
      throw new Error('broken')
    })
    const leave = box.subscribe(() => {
      count += 1
    })
    await box.add(notice('one'))
    leave()
    await box.add(notice('two'))
    expect(count).toBe(1)
  })

  it('tells in the next process what was running in the one that died, and how to go on', async () => {
    const entries: NoticeEntry[] = []
    const tasks = fakeTasks()
    collectNotices(tasks, await openNoticeBox({ journal: journalOn(entries) }))
    const base = { toolUseId: 't', outputFile: '', startedAtMs: 0, stop: async () => {} }
    const never = new Promise<never>(() => {})
    const over = Promise.resolve({ status: 'completed', summary: 'over' } as const)
    tasks.add({
      ...base,
      id: 'agent_1',
      aliases: ['a1'],
      type: 'local_agent',
      description: 'look',
      ended: never,
    })
    tasks.add({ ...base, id: 'bash_2', type: 'local_bash', description: 'build', ended: never })
    tasks.add({ ...base, id: 'bash_3', type: 'local_bash', description: 'quick', ended: over })
    tasks.add({
      ...base,
      id: 'bash_4',
      agentId: 'a1',
      type: 'local_bash',
      description: 'inner',
      ended: never,
    })
    await new Promise((resolve) => setImmediate(resolve))
    const text = textsOf((await openNoticeBox({ journal: journalOn(entries) })).take())
    expect(text).toContain('SendMessage with to: a1')
    expect(text).toContain('Background task bash_2 ("build") ended with the program')
    expect(text.match(/bash_3/g)).toHaveLength(1)
    expect(text).not.toContain('bash_4')
  })

  it('collects the ends of the main session’s tasks, and those from before', async () => {
    const box = await openNoticeBox()
    const tasks = fakeTasks()
    const ends = ['early', 'late', 'of an agent'].map((name) => {
      const end = gate<{ status: 'completed'; summary: string }>()
      tasks.add({
        id: name,
        type: 'local_bash',
        description: name,
        toolUseId: 't',
        ...(name === 'of an agent' && { agentId: 'a1' }),
        outputFile: '',
        startedAtMs: 0,
        ended: end.promise,
        stop: async () => {},
      })
      return () => end.open({ status: 'completed', summary: `${name} ended` })
    })
    ends[0]!()
    await new Promise((resolve) => setImmediate(resolve))
    const leave = collectNotices(tasks, box)
    ends[1]!()
    ends[2]!()
    await new Promise((resolve) => setImmediate(resolve))
    const text = textsOf(box.take())
    expect([text.includes('early ended'), text.includes('late ended'), text.includes('agent ended')]).toEqual(
      [true, true, false],
    )
    expect(tasks.takeNotices('a1')).toHaveLength(1)
    leave()
  })
})

/** What may happen to a session while notices come. */
const step = fc.oneof(
  { weight: 8, arbitrary: fc.constant('notice' as const) },
  { weight: 4, arbitrary: fc.constant('start' as const) },
  { weight: 4, arbitrary: fc.constant('end' as const) },
  { weight: 4, arbitrary: fc.constant('turn' as const) },
  { weight: 1, arbitrary: fc.constant('compact' as const) },
  { weight: 1, arbitrary: fc.constant('turn on a full disk' as const) },
  { weight: 1, arbitrary: fc.constant('stop' as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('kill' as const, 'kill before log' as const, 'kill after log' as const),
  },
)

const deaths: ReadonlyMap<string, 'before log' | 'after log'> = new Map([
  ['kill before log', 'before log'],
  ['kill after log', 'after log'],
])

/** A session whose process may die; disk is what survives. It may be full for a moment, for the journal alone. */
class Session {
  isFull = false
  readonly disk: { readonly journal: NoticeEntry[]; readonly transcript: Message[] } = {
    journal: [],
    transcript: [],
  }
  /** What the model has been shown, request by request what was new. */
  readonly shown: string[] = []
  box!: NoticeBox
  history: Message[] = []
  /** What runs in this process. */
  running: { readonly text: string; readonly end: (message: UserMessage) => Promise<void> }[] = []

  async start(): Promise<void> {
    this.running = []
    this.isFull = false
    const journal = journalOn(this.disk.journal)
    this.box = await openNoticeBox({
      journal: {
        append: async (entry) => {
          if (this.isFull) throw new Error('disk full')
          await journal.append(entry)
        },
        read: () => journal.read(),
      },
      transcript: this.disk.transcript,
    })
    this.history = [...this.disk.transcript]
  }

  async turn(death?: 'before log' | 'after log'): Promise<void> {
    const news = this.box.take()
    if (death === 'before log') return this.start()
    const log = confirmNotices(
      {
        append: async (messages) => {
          this.disk.transcript.push(...messages)
        },
      },
      death === 'after log' ? { confirm: async () => {}, flush: async () => {} } : this.box,
    )
    await log.append(news)
    // What is logged is what the next request holds, of this process or of the one that resumes.
    this.shown.push(...news.map((message) => textsOf([message])))
    this.history.push(...news)
    if (death === 'after log') await this.start()
  }

  /** The history becomes a summary, and so does what is read when the session goes on. */
  async compact(): Promise<void> {
    // Whatever was logged meanwhile, an answer at least.
    await confirmNotices({ append: async () => {} }, this.box).append([])
    this.history = [{ role: 'user', content: 'summary' }]
    this.disk.transcript.splice(0, Infinity, ...this.history)
  }

  /** A turn whose notices reach the transcript and not, at first, the journal. */
  async turnOnFullDisk(): Promise<void> {
    this.isFull = true
    await this.turn()
    this.isFull = false
  }

  async step(name: string, text: string): Promise<void> {
    if (name === 'notice') return this.box.add(notice(text))
    if (name === 'start') return void this.running.push({ text, end: this.box.expect(notice(text)) })
    if (name === 'end') {
      const first = this.running.shift()
      return first?.end(notice(first.text))
    }
    if (name === 'compact') return this.compact()
    if (name === 'kill') return this.start()
    if (name === 'stop') {
      // A query that is stopped before it logged what it took.
      this.box.take()
      this.box.release()
      return
    }
    return name === 'turn on a full disk' ? this.turnOnFullDisk() : this.turn(deaths.get(name))
  }
}

async function play(
  steps: readonly string[],
): Promise<{ readonly sent: string[]; readonly shown: string[] }> {
  const session = new Session()
  await session.start()
  const sent: string[] = []
  for (const [index, name] of steps.entries()) {
    const text = `notice number ${index}.`
    if (name === 'notice' || name === 'start') sent.push(text)
    await session.step(name, text)
  }
  // What still runs is lost with the process, and the next one tells.
  await session.step('kill', '')
  await session.turn()
  const shown = session.shown.map((one) => one.split('\n')[0] ?? '')
  return { sent, shown }
}

describe('notices', () => {
  it('are shown exactly once each, in any order of turns, stops, compactions and deaths', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { sent, shown } = await play(steps)
        expect(shown.toSorted()).toEqual(sent.toSorted())
      }),
      { numRuns: 300 },
    )
  })

  it('are shown exactly once each: 1,000 of them under everything', async () => {
    const [steps] = fc.sample(fc.array(step, { minLength: 2_200, maxLength: 2_200, size: 'max' }), {
      numRuns: 1,
    })
    const { sent, shown } = await play(steps!)
    expect(sent.length).toBeGreaterThan(1_000)
    expect(shown.toSorted()).toEqual(sent.toSorted())
  })
})
