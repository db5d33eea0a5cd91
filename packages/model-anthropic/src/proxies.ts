import type { ProxyEnv } from 'node:http'
import type { Environment } from './model-name.ts'

/** Which requests go through which proxy, as the usual variables say it. */
export interface ProxyOptions {
  /** For `https` addresses, through a tunnel: an `http` or `https` address, with a name and password if it wants them. @default none */
  readonly https?: string
  /** For `http` addresses. @default none */
  readonly http?: string
  /** Hosts that are reached directly, with commas between: names, `.suffixes`, addresses, ranges of them. This machine always is. @default none */
  readonly except?: string
}

/** Reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; their small spelling wins, as for most programs. */
export function readProxies(env: Environment): ProxyOptions | undefined {
  const read = (name: string): string | undefined =>
    [env[name.toLowerCase()], env[name]].map((value) => value?.trim()).find(Boolean)
  const https = withScheme(read('HTTPS_PROXY'))
  const http = withScheme(read('HTTP_PROXY'))
  const except = read('NO_PROXY')
  if (https === undefined && http === undefined) return undefined
  return {
    ...(https !== undefined && { https }),
    ...(http !== undefined && { http }),
    ...(except !== undefined && { except }),
  }
}

/**
 * What `setGlobalProxyFromEnv` of Node and the `proxyEnv` of its agents take, for hosts whose other requests are to go the way of the
 * model's. Undefined where the environment names no proxy.
 *
 * @throws TypeError for an address that is none of a proxy.
 */
export function proxyEnvironment(env: Environment): ProxyEnv | undefined {
  const proxies = readProxies(env)
  if (proxies === undefined) return undefined
  assertProxies(proxies)
  return toProxyEnv(proxies)
}

/** @throws TypeError for an address that is none of a proxy: to go past it unasked could be refused, or forbidden. */
export function assertProxies({ https, http }: ProxyOptions): void {
  for (const [name, address] of Object.entries({ HTTPS_PROXY: https, HTTP_PROXY: http }))
    if (address !== undefined && !/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
      throw new TypeError(`proxies (${name}): expected an http or https address, got ${hidden(address)}`)
}

/** As Node's agents take them. */
export function toProxyEnv({ https, http, except }: ProxyOptions): ProxyEnv {
  return {
    ...(https !== undefined && { HTTPS_PROXY: https }),
    ...(http !== undefined && { HTTP_PROXY: http }),
    NO_PROXY: [...(except === undefined ? [] : [except]), ...ownHosts].join(','),
  }
}

const ownHosts = ['localhost', '.localhost', '127.0.0.1-127.255.255.255', '::1', '[::1]']

/** `proxy.example:8080` is what many write. */
function withScheme(address: string | undefined): string | undefined {
  return address === undefined || address.includes('://') ? address : `http://${address}`
}

function hidden(address: string): string {
  return address.replace(/\/\/[^/]*@/, '//***@')
}
