import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { callTool, createToolUseContext, declareCall } from '@x/contract'
import {
  createEnterWorktreeTool,
  createExitWorktreeTool,
  currentWorktree,
  type EnteredWorktree,
  resumeWorktree,
  worktreeState,
} from '@x/tools-worktree'
import { createWorktree, releaseWorktree } from '@x/worktree'
import { describe, expect, it } from 'vitest'
import { Session } from './session.ts'

describe('declarations (A8)', () => {
  const enter = createEnterWorktreeTool()
  const exit = createExitWorktreeTool()

  it('both are deferred and bounded, change things, and never run beside others', () => {
    for (const [tool, input] of [[enter, {}] as const, [exit, { action: 'keep' }] as const]) {
      expect(tool).toMatchObject({ shouldDefer: true, maxResultSizeChars: 100_000 })
      expect(declareCall(tool, input)).toMatchObject({
        isConcurrencySafe: false,
        isReadOnly: false,
        isDestructive: false,
      })
    }
  })

  it('ExitWorktree is destructive when it removes', () => {
    expect(declareCall(exit, { action: 'remove' }).isDestructive).toBe(true)
  })

  it('say when to use them and when not', () => {
    expect(enter.description).toContain('Use it only when')
    expect(exit.description).toContain('use git in Bash')
  })
})

describe('EnterWorktree', () => {
  it('makes a worktree and moves the session into it', async () => {
    const session = new Session()
    const before = session.state()
    const { data, context, result } = await callTool(session.enter, { name: 'w' }, session.context)
    const path = join(session.root, '.claude/worktrees/w')
    expect(data).toMatchObject({ worktreePath: path, worktreeBranch: 'worktree-w' })
    expect(result.content).toContain(path)
    expect(context.cwd).toBe(path)
    expect(context.options.projectDir).toBe(path)
    expect(currentWorktree(context)).toMatchObject({
      worktree: { path },
      originalCwd: session.root,
      isNew: true,
      isNamed: true,
    })
    expect(session.state()).toBe(before)
  })

  it('leaves no variable that leads git to another repository; ExitWorktree puts it back', async () => {
    const session = new Session()
    const env = {
      GIT_DIR: join(session.root, '.git'),
      GIT_INDEX_FILE: '/elsewhere',
      GIT_SSH: 'kept',
      HOME: '/h',
    }
    const { options } = session.context
    session.context = { ...session.context, options: { ...options, env } }
    await session.goIn({ name: 'w' })
    expect(session.context.options.env).toEqual({ GIT_SSH: 'kept', HOME: '/h' })
    await session.goOut('keep')
    expect(session.context.options.env).toEqual(env)
  })

  it('83. name and path together are an input error', async () => {
    const session = new Session()
    const verdict = await session.enter.validateInput?.({ name: 'w', path: 'x' }, session.context)
    expect(verdict).toMatchObject({ ok: false })
  })

  it('shows an absolute path to hooks and permissions', () => {
    const context = createToolUseContext({ cwd: '/work' })
    const tool = createEnterWorktreeTool()
    expect(tool.backfillInput?.({ path: '../elsewhere' }, context)).toEqual({ path: '/elsewhere' })
    expect(tool.backfillInput?.({ name: 'w' }, context)).toEqual({ name: 'w' })
  })

  it('nests nothing: inside only the path of another worktree of ours is taken', async () => {
    const session = new Session()
    const first = await session.goIn({ name: 'first' })
    session.run(session.root, 'worktree', 'add', '-q', session.outside('foreign'))
    await expect(session.goIn()).rejects.toThrow('not nested')
    await expect(session.goIn({ path: session.outside('foreign') })).rejects.toThrow('Use ExitWorktree first')
    expect(session.context.cwd).toBe(first)

    session.context.setState(worktreeState, () => undefined)
    // An agent that was started there is inside, too.
    await expect(session.goIn()).rejects.toThrow('not nested')
  })

  it('goes from one worktree to another and back to where it began', async () => {
    const session = new Session()
    const first = await session.goIn({ name: 'first' })
    await session.goOut('keep')
    await session.goIn({ name: 'second' })
    expect(await session.goIn({ path: first })).toBe(first)
    expect(await session.goOut('keep')).toMatchObject({ originalCwd: session.root })
    expect(session.context.cwd).toBe(session.root)
  })

  it('enters a worktree elsewhere by its path, from the main checkout', async () => {
    const session = new Session()
    session.run(session.root, 'worktree', 'add', '-q', '-b', 'foreign', session.outside('foreign'))
    expect(await session.goIn({ path: session.outside('foreign') })).toBe(session.outside('foreign'))
  })

  it('does not enter one that somebody else in this process works in', async () => {
    const session = new Session()
    const made = await createWorktree({ cwd: session.root, name: 'busy', git: session.git })
    if (made.type === 'failed') throw new Error(made.message)
    await expect(session.goIn({ path: made.worktree.path })).rejects.toThrow('in use by process')
    await releaseWorktree(made.worktree)
    expect(await session.goIn({ path: made.worktree.path })).toBe(made.worktree.path)
    // Where it is already, it may go again.
    expect(await session.goIn({ path: made.worktree.path })).toBe(made.worktree.path)
  })

  it.each(['.', 'a.txt', 'none', '/tmp'])('does not enter what is no worktree: %s', async (path) => {
    const session = new Session()
    await expect(session.goIn({ path })).rejects.toThrow()
    expect(session.context.cwd).toBe(session.root)
    expect(currentWorktree(session.context)).toBeUndefined()
  })

  it('fails without a repository and stays where it is', async () => {
    const session = new Session()
    session.context = createToolUseContext({ cwd: session.outside('') })
    await expect(session.goIn()).rejects.toThrow('not in a git repository')
  })

  it('34. takes the path of a hook', async () => {
    let path = ''
    const session = new Session({
      hooks: {
        create: async (name) => {
          path = session.outside(name)
          mkdirSync(path)
          return { type: 'created', path }
        },
      },
    })
    expect(await session.goIn({ name: 'hooked' })).toBe(path)
  })

  it('ends with the reason of its signal', async () => {
    const session = new Session()
    const reason = new Error('enough')
    session.context.abortController.abort(reason)
    await expect(session.goIn()).rejects.toBe(reason)
  })
})

describe('ExitWorktree', () => {
  it('keeps the worktree, unlocked, and goes back', async () => {
    const session = new Session()
    const path = await session.goIn({ name: 'w' })
    session.write(join(path, 'x'), 'x')
    expect(await session.goOut('keep')).toEqual({
      action: 'keep',
      originalCwd: session.root,
      worktreePath: path,
      worktreeBranch: 'worktree-w',
      message: `Left the worktree ${path} (branch worktree-w); it is kept. The session is in ${session.root}.`,
    })
    expect(currentWorktree(session.context)).toBeUndefined()
    expect(readFileSync(join(path, 'x'), 'utf8')).toBe('x')
    expect(session.run(session.root, 'worktree', 'list', '--porcelain')).not.toContain('locked')
  })

  it('removes one that is empty, with its branch', async () => {
    const session = new Session()
    const before = session.state()
    const path = await session.goIn()
    expect(await session.goOut('remove')).toMatchObject({ action: 'remove', worktreePath: path })
    expect(existsSync(path)).toBe(false)
    expect(session.run(session.root, 'branch', '--list', 'worktree-*')).toBe('')
    expect(session.state()).toBe(before)
  })

  it('82. does not remove one with changes; the session stays in it, and it stays locked', async () => {
    const session = new Session()
    const path = await session.goIn()
    session.write(join(path, 'new.txt'), 'x')
    await expect(session.goOut('remove')).rejects.toThrow(/new\.txt[^]*discard_changes: true/)
    await expect(session.goOut('remove', false)).rejects.toThrow('is not removed')
    expect(session.context.cwd).toBe(path)
    expect(currentWorktree(session.context)?.worktree.path).toBe(path)
    expect(session.run(session.root, 'worktree', 'list', '--porcelain')).toContain('locked x: in-use')
  })

  it('82. does not remove one with commits', async () => {
    const session = new Session()
    const path = await session.goIn()
    session.run(path, 'commit', '-q', '--allow-empty', '-m', 'work')
    await expect(session.goOut('remove')).rejects.toThrow('commits beyond where it began')
  })

  it('discards what it is told to, and counts it', async () => {
    const session = new Session()
    const path = await session.goIn()
    session.write(join(path, 'new.txt'), 'x')
    session.run(path, 'commit', '-q', '--allow-empty', '-m', 'work')
    const data = await session.goOut('remove', true)
    expect(data).toMatchObject({ action: 'remove', discardedFiles: 1, discardedCommits: 1 })
    expect(data.message).toContain('Discarded: 1 file(s), 1 commit(s).')
    expect(existsSync(path)).toBe(false)
    expect(session.run(session.root, 'branch', '--list', 'worktree-*')).toBe('')
  })

  it('does not discard what this session did not make', async () => {
    const session = new Session()
    const path = await session.goIn({ name: 'w' })
    session.write(join(path, 'new.txt'), 'x')
    await session.goOut('keep')
    await session.goIn({ path })
    await expect(session.goOut('remove', true)).rejects.toThrow('did not make')
    expect(readFileSync(join(path, 'new.txt'), 'utf8')).toBe('x')
  })

  it('is an input error outside of a worktree, and so is discarding what is kept', async () => {
    const session = new Session()
    await expect(session.goOut('keep')).rejects.toThrow('in no worktree')
    await session.goIn()
    await expect(session.goOut('keep', true)).rejects.toThrow('action "remove" only')
  })

  it('goes to the main checkout where the folder it came from is gone', async () => {
    const session = new Session()
    const folder = join(session.root, 'gone')
    session.write(join(folder, 'x'), 'x')
    session.context = { ...session.context, cwd: folder }
    await session.goIn()
    rmSync(folder, { recursive: true })
    expect(await session.goOut('keep')).toMatchObject({ originalCwd: session.root })
  })

  it("is not for an agent to leave its parent's worktree", async () => {
    const session = new Session()
    await session.goIn()
    session.context = { ...session.context, agent: { id: 'a1', type: 'general-purpose' } }
    expect(currentWorktree(session.context)).toBeUndefined()
    await expect(session.goOut('remove', true)).rejects.toThrow('in no worktree')
  })
})

describe('resumeWorktree', () => {
  /** What a session that ended in a worktree has written down. */
  async function endIn(session: Session, name = 'w'): Promise<EnteredWorktree> {
    await session.goIn({ name })
    const entered = currentWorktree(session.context)
    if (entered === undefined) throw new Error('not in a worktree')
    await releaseWorktree(entered.worktree)
    return JSON.parse(JSON.stringify(entered))
  }

  it('goes back in, and holds it', async () => {
    const session = new Session()
    const entered = await endIn(session)
    expect(await resumeWorktree(entered, { git: session.git })).toEqual({ type: 'entered', entered })
    expect(session.run(session.root, 'worktree', 'list', '--porcelain')).toContain('locked x: in-use')
  })

  it('one that was made anew in its place is not its to discard', async () => {
    const session = new Session()
    const entered = await endIn(session)
    const { path } = entered.worktree
    session.run(session.root, 'worktree', 'remove', path)
    session.run(session.root, 'worktree', 'add', '-q', '-b', 'other', path)
    expect(await resumeWorktree(entered, { git: session.git })).toMatchObject({
      type: 'entered',
      entered: { isNew: false, worktree: { branch: 'other' } },
    })
  })

  it('says when it is gone, and when it must not be used', async () => {
    const session = new Session()
    const entered = await endIn(session)
    const { path } = entered.worktree
    rmSync(path, { recursive: true })
    expect(await resumeWorktree(entered, { git: session.git })).toEqual({ type: 'gone' })
    mkdirSync(path)
    expect(await resumeWorktree(entered, { git: session.git })).toMatchObject({
      type: 'unsafe',
      why: expect.stringContaining('knows no worktree there'),
    })
  })

  it('goes back into what a hook made as long as it is that folder', async () => {
    const session = new Session()
    const path = session.outside('made')
    const worktree = { name: 'made', path, root: session.root, isHookMade: true }
    const entered = { worktree, originalCwd: session.root, isNew: true, isNamed: true }
    expect(await resumeWorktree(entered)).toEqual({ type: 'gone' })
    mkdirSync(path)
    expect(await resumeWorktree(entered)).toEqual({ type: 'entered', entered })
    rmSync(path, { recursive: true })
    symlinkSync(session.root, path)
    expect(await resumeWorktree(entered)).toMatchObject({ type: 'unsafe' })
  })

  it('ends with the reason of its signal', async () => {
    const session = new Session()
    const entered = await endIn(session)
    const reason = new Error('enough')
    await expect(resumeWorktree(entered, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
