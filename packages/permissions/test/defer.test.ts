import { describe, expect, it } from 'vitest'
import { permissionModes, toAuthorize } from '../src/index.ts'
import { permissionsFor } from './builders.ts'
import { viewOf } from './call-view.ts'

const hook = { behavior: 'defer', reason: 'later' } as const

describe('a call that a hook puts off', () => {
  it('is forbidden all the same where a rule denies it', async () => {
    const decide = toAuthorize(permissionsFor('- Bash(rm *)'))
    const decision = await decide(viewOf('Bash', { command: 'rm a' }, { hook }))
    expect(decision).toMatchObject({ behavior: 'deny', reason: { type: 'rule', rule: 'Bash(rm *)' } })
    expect(decision).not.toHaveProperty('isDeferral')
  })

  it.each(permissionModes)(
    'is put off in mode %s, whether it would be asked about or allowed',
    async (mode) => {
      for (const command of ['npm test', 'ls', 'rm -rf ~', 'git push']) {
        const permissions = permissionsFor('? Bash(git push *)', { mode, isBypassAvailable: true })
        const asked: unknown[] = []
        const decide = toAuthorize(permissions, {
          canUseTool: async (name) => (asked.push(name), { behavior: 'allow' }),
          requestPermission: async ({ tool }) => (asked.push(tool), { behavior: 'allow' }),
        })
        expect(await decide(viewOf('Bash', { command }, { hook }))).toEqual({
          behavior: 'deny',
          isDeferral: true,
          message: 'later',
          reason: { type: 'hook', detail: 'later' },
        })
        expect(asked).toEqual([])
      }
    },
  )
})
