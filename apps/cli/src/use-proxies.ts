import { setGlobalProxyFromEnv } from 'node:http'
import { type Environment, proxyEnvironment } from '@x/model-anthropic'

/** Whatever else the program asks over HTTP, such as MCP servers and hooks, takes the way of the requests to the model. */
export function useProxies(env: Environment): void {
  const proxies = proxyEnvironment(env)
  // Without one nothing is set: that would load the `fetch` of Node.
  if (proxies !== undefined) setGlobalProxyFromEnv(proxies)
}
