import { type AgentDefinition, loadSkill, type Skill } from '@x/subagent'
import { notice } from '../notice.ts'
import type { SessionSetup } from '../session-setup.ts'

/**
 * Reads the skills that an agent begins with, as texts for its context. One that cannot be had is told to the user and left out.
 *
 * Rejects with `signal.reason` after an abort.
 */
export async function preloadSkills(
  { cwd, env, options, news, access }: Pick<SessionSetup, 'cwd' | 'env' | 'options' | 'news' | 'access'>,
  { name: agent, skills = [] }: Pick<AgentDefinition, 'name' | 'skills'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { additionalDirectories = [] } = options
  const plugins = options.plugins?.plugins.map(({ agents }) => agents) ?? []
  const found = await Promise.all(
    skills.map(async (name) => {
      const loaded = isDenied(name, access)
        ? { ok: false as const, reason: 'a permission rule denies it' }
        : await loadSkill(name, { cwd, env, additionalDirectories, plugins, signal })
      if (loaded.ok && !loaded.skill.isForUserOnly) return describeSkill(loaded.skill)
      const reason = loaded.ok ? 'only the user may use it (disable-model-invocation)' : loaded.reason
      news.push(notice(`The agent ${agent} begins without the skill ${shorten(name)}: ${reason}.`, 'warning'))
      return []
    }),
  )
  return found.flat()
}

/** A mode that would ask has nothing to say: the author of the agent has named the skill. */
function isDenied(skill: string, { permissions }: SessionSetup['access']): boolean {
  const { behavior, reason } = permissions.check('Skill', { skill })
  return behavior === 'deny' && reason.type === 'rule'
}

function describeSkill({ name, folder, body }: Skill): string {
  return `The skill "${name}", for the work you are given. Its folder is ${folder}; paths in it start there.\n\n${body}`
}

/** As it stands in the file, where it may be anything. */
function shorten(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80).toWellFormed()}…` : name)
}
