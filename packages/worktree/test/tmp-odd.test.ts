import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync, cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createWorktree, listWorktrees, removeWorktree, sweepWorktrees, inspectWorktree, openWorktree, releaseWorktree, lockWorktree, createWorktreeGuard } from '@x/worktree'
import { test } from 'vitest'
import { makeRepo, Repo } from './repo.ts'
const cases: Record<string, (r: Repo) => void | (() => void)> = {
  'hooksPath failing': (r) => { mkdirSync(r.outside('hooks'), {recursive: true}); writeFileSync(r.outside('hooks/post-checkout'), '#!/bin/sh\necho bad; exit 1\n'); chmodSync(r.outside('hooks/post-checkout'), 0o755); r.run('config','core.hooksPath', r.outside('hooks')) },
  'fsmonitor true': (r) => r.run('config','core.fsmonitor','true') as never,
  'fsmonitor hook': (r) => { writeFileSync(r.outside('fsm'), '#!/bin/sh\nprintf "/"\n'); chmodSync(r.outside('fsm'), 0o755); r.run('config','core.fsmonitor', r.outside('fsm')) },
  'split index': (r) => { r.run('config','core.splitIndex','true'); r.run('update-index','--split-index') },
  'untracked cache': (r) => { r.run('update-index','--untracked-cache') },
  'sparse main': (r) => { r.run('sparse-checkout','set','src') },
  'sparse index main': (r) => { r.run('sparse-checkout','set','--cone','--sparse-index','src') },
  'checkout.workers': (r) => { r.run('config','checkout.workers','8') },
  'merge in progress': (r) => { r.run('checkout','-qb','o'); r.write('a.txt','other\n'); r.commit('o'); r.run('checkout','-q','main'); r.write('a.txt','mine\n'); r.commit('m'); try { r.run('merge','o') } catch {} },
  'rebase in progress': (r) => { r.run('checkout','-qb','o'); r.write('a.txt','other\n'); r.commit('o'); r.run('checkout','-q','main'); r.write('a.txt','mine\n'); r.commit('m'); try { r.run('rebase','o') } catch {} },
  'index.lock in main': (r) => writeFileSync(r.path('.git/index.lock'), ''),
  'HEAD.lock in main': (r) => writeFileSync(r.path('.git/HEAD.lock'), ''),
  'packed-refs.lock in main': (r) => writeFileSync(r.path('.git/packed-refs.lock'), ''),
  'config.lock in main': (r) => writeFileSync(r.path('.git/config.lock'), ''),
  'gc.pid': (r) => writeFileSync(r.path('.git/gc.pid'), `${process.pid} ${execFileSync('hostname', { encoding: 'utf8' })}`),
  'shallow': (r) => { execFileSync('git', ['clone','-q','--depth','1','file://' + r.root, r.outside('sh')], { env: r.env }); rmSync(r.root, {recursive: true}); renameSync(r.outside('sh'), r.root) },
  'reference clone': (r) => { cpSync(r.root, r.outside('orig'), {recursive: true}); execFileSync('git', ['clone','-q','-s', r.outside('orig'), r.outside('sh')], { env: r.env }); rmSync(r.root, {recursive: true}); renameSync(r.outside('sh'), r.root) },
  'packed refs': (r) => { r.run('pack-refs','--all'); r.run('gc','-q') },
  'lfs like filter': (r) => { writeFileSync(r.outside('clean'), '#!/bin/sh\ntr a-z A-Z\n'); writeFileSync(r.outside('smudge'), '#!/bin/sh\ntr A-Z a-z\n'); for (const f of ['clean','smudge']) chmodSync(r.outside(f), 0o755); r.run('config','filter.up.clean', r.outside('clean')); r.run('config','filter.up.smudge', r.outside('smudge')); r.run('config','filter.up.required','true'); r.write('.gitattributes','*.up filter=up\n'); r.write('x.up','hello\n'); r.commit('f') },
  'autocrlf': (r) => { r.run('config','core.autocrlf','true'); r.write('c.txt','a\r\nb\r\n'); r.commit('crlf') },
  'eol attr': (r) => { r.write('.gitattributes','*.txt eol=crlf\n'); r.write('c.txt','a\r\nb\r\n'); r.commit('crlf') },
  'ident attr': (r) => { r.write('.gitattributes','*.id ident\n'); r.write('c.id','$Id$\n'); r.commit('id') },
  'working-tree-encoding': (r) => { r.write('.gitattributes','*.u16 working-tree-encoding=UTF-16\n'); writeFileSync(r.path('c.u16'), Buffer.from('\ufeffhi\n','utf16le')); r.commit('enc') },
  'case names': (r) => { r.write('Read.md','1'); r.write('read.md','2'); r.write('DIR/x','1'); r.write('dir/x','2'); r.commit('case') },
  'symlink tracked': (r) => { symlinkSync('a.txt', r.path('l')); symlinkSync('/nowhere', r.path('l2')); symlinkSync('src', r.path('l3')); r.commit('links') },
  'unicode nfd': (r) => { r.write('e\u0301.txt','1'); r.write('\u00e9.txt','2'); r.write('tab\there','3'); r.write('new\nline','4'); r.commit('u') },
  'submodule': (r) => { const sub = r.outside('sub'); mkdirSync(sub); for (const a of [['init','-q'],['commit','-q','--allow-empty','-m','s']]) execFileSync('git', a, {cwd: sub, env: r.env}); r.run('-c','protocol.file.allow=always','submodule','add','-q', sub, 'sub'); r.commit('sub') },
  'submodule recurse': (r) => { const sub = r.outside('sub'); mkdirSync(sub); for (const a of [['init','-q'],['commit','-q','--allow-empty','-m','s']]) execFileSync('git', a, {cwd: sub, env: r.env}); r.run('-c','protocol.file.allow=always','submodule','add','-q', sub, 'sub'); r.commit('sub'); r.run('config','submodule.recurse','true') },
  'detached': (r) => r.run('checkout','-q','--detach') as never,
  'worktree config ext': (r) => { r.run('config','extensions.worktreeConfig','true'); r.run('config','--worktree','core.sparseCheckout','false') },
  'core.worktree in config': (r) => { r.run('config','core.worktree', r.root) },
  'replace ref': (r) => { r.write('a.txt','2\n'); r.commit('2'); r.run('replace','HEAD','HEAD~1') },
  'grafts': (r) => { r.write('a.txt','2\n'); r.commit('2'); mkdirSync(r.path('.git/info'),{recursive:true}); writeFileSync(r.path('.git/info/grafts'), r.run('rev-parse','HEAD') + '\n') },
  'color always': (r) => { r.run('config','color.ui','always'); r.run('config','column.ui','always'); r.run('config','status.short','true'); r.run('config','log.decorate','full'); r.run('config','log.showSignature','true'); r.run('config','core.pager','cat'); r.run('config','status.branch','true'); r.run('config','log.follow','true'); r.run('config','format.pretty','fuller'); r.run('config','log.graphColors','red'); r.run('config','core.abbrev','4') },
  'hideRefs': (r) => { r.run('config','transfer.hideRefs','refs/heads') },
  'readonly .claude': (r) => { mkdirSync(r.path('.claude')); r.write('.claude/x','1'); },
  'clean.requireForce etc': (r) => { r.run('config','advice.statusHints','true'); r.run('config','core.logAllRefUpdates','false') },
  'logAllRefUpdates always': (r) => { r.run('config','core.logAllRefUpdates','always') },
  'core.fileMode false': (r) => { r.run('config','core.fileMode','false'); },
  'core.symlinks false': (r) => { symlinkSync('a.txt', r.path('l')); r.commit('links'); r.run('config','core.symlinks','false') },
  'core.ignoreCase true': (r) => { r.write('Read.md','1'); r.commit('c'); r.run('config','core.ignoreCase','true') },
  'core.precomposeunicode': (r) => { r.write('e\u0301.txt','1'); r.commit('u'); r.run('config','core.precomposeunicode','true') },
  'bare=true in config of main': (r) => { r.run('config','extensions.worktreeConfig','true') },
  'sha256': (r) => { rmSync(r.path('.git'), {recursive: true}); r.run('init','-q','--object-format=sha256','-b','main'); r.commit('x') },
  'branch worktree exists as prefix dir': (r) => { r.run('branch','worktree-w/sub') },
  'branch named worktree': (r) => { r.run('branch','worktree') },
  'many branches': (r) => { const h = r.run('rev-parse','HEAD'); execFileSync('git',['update-ref','--stdin'],{cwd:r.root, env: r.env, input: Array.from({length: 5000},(_,i)=>`create refs/heads/b${i} ${h}\n`).join('')}) },
  'huge reflog/stash': (r) => { for (let i=0;i<5;i++) { r.write('a.txt', 's'+i); r.run('stash') } },
}
test('odd', async () => {
  for (const [name, act] of Object.entries(cases)) {
    if (process.env['ONLY'] && !name.includes(process.env['ONLY'])) continue
    const r = makeRepo()
    let out = ''
    try {
      act(r)
      const before = r.run('status','--porcelain=v1') + r.run('rev-parse','HEAD') + readFileSync(r.path('.git/HEAD'),'utf8')
      const t = performance.now()
      const made = await createWorktree({ cwd: r.root, git: r.git, name: 'w', baseRef: 'head' })
      out += made.type === 'created' ? 'created ' + made.notes : `failed ${made.code}: ${made.message.slice(0, 200).replaceAll('\n',' ')}`
      if (made.type === 'created') {
        const i = await inspectWorktree(made.worktree, { git: r.git })
        out += ' | ' + i.type + (i.type === 'changed' ? JSON.stringify(i.reasons.map((x) => x.message)) : i.type === 'unknown' ? i.why.slice(0, 200) : '')
        writeFileSync(join(made.worktree.path, 'a.txt'), 'agent\n')
        const i2 = await removeWorktree(made.worktree, { git: r.git })
        out += ' | changed→' + i2.type
        if (i2.type === 'removed') out += ' LOST!!!'
        r.runIn(made.worktree.path, 'checkout', '--', 'a.txt')
        const e = await removeWorktree(made.worktree, { git: r.git })
        out += ' | ' + e.type + (e.type === 'removed' ? ' ' + e.branch : e.type === 'kept' ? JSON.stringify(e.reasons.map((x) => x.message)) : e.why)
        out += ` | left ${(await listWorktrees({ cwd: r.root, git: r.git })).length} br ${r.run('branch','--list','worktree-w')}`
      } else out += ` | left ${(await listWorktrees({ cwd: r.root, git: r.git })).length}` + (existsSync(r.path('.claude/worktrees')) ? readdirSync(r.path('.claude/worktrees')) : '')
      const after = r.run('status','--porcelain=v1') + r.run('rev-parse','HEAD') + readFileSync(r.path('.git/HEAD'),'utf8')
      if (after !== before) out += ' MAIN CHANGED ' + before + ' -> ' + after
      out += ` ${Math.round(performance.now() - t)}ms`
    } catch (e) { out += ' THROW ' + String(e).slice(0, 300) }
    console.log(`${name}: ${out}`)
  }
}, 600000)
