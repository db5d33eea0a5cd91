import { readFileSync } from 'node:fs'
import type { Agent, AgentOptions } from 'node:http'
import { ModelError } from '@x/contract'
import type { AnthropicModelOptions } from './options.ts'
import { toProxyEnv } from './proxies.ts'

/** What decides on the way to the service. */
export type WayOptions = Pick<AnthropicModelOptions, 'proxies' | 'extraCaFile' | 'connectTimeoutMs'>

/** Gives what holds the connections for a kind of address; undefined where Node's own will do, which all programs share. */
export function createAgents(options: WayOptions) {
  const agents = new Map<string, Agent>()
  const isPlain = options.proxies === undefined && options.extraCaFile === undefined
  return (protocol: string): Agent | undefined => {
    if (isPlain) return undefined
    const known = agents.get(protocol)
    if (known !== undefined) return known
    const made = makeAgent(protocol, options)
    agents.set(protocol, made)
    return made
  }
}

/** As Node makes its own. */
const ownWay: AgentOptions = { keepAlive: true, scheduling: 'lifo', timeout: 5_000 }

function makeAgent(protocol: string, { proxies, extraCaFile }: WayOptions): Agent {
  const options = { ...ownWay, ...(proxies && { proxyEnv: toProxyEnv(proxies) }) }
  if (protocol !== 'https:') return new (process.getBuiltinModule('node:http').Agent)(options)
  const https = process.getBuiltinModule('node:https')
  return new https.Agent({ ...options, ...(extraCaFile !== undefined && { ca: authorities(extraCaFile) }) })
}

/** Node's own and those of the file: a list alone would take the place of Node's. */
function authorities(file: string): string[] {
  const own = process.getBuiltinModule('node:tls').getCACertificates('default')
  try {
    return [...own, readFileSync(file, 'utf8')]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ModelError(`The certificates of NODE_EXTRA_CA_CERTS cannot be read: ${why}`, {
      code: 'invalid_request',
      status: null,
      isRetryable: false,
    })
  }
}
