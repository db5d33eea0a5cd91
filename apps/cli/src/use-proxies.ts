import process from 'node:process'
import { type Environment, proxyEnvironment } from '@x/model-anthropic'

/** Whatever else the program asks over HTTP, such as MCP servers and hooks, takes the way of the requests to the model. */
export function useProxies(env: Environment): void {
  const proxies = proxyEnvironment(env)
  // Only here, and not by an import: either would load the `fetch` of Node for everybody.
  if (proxies !== undefined) process.getBuiltinModule('node:http').setGlobalProxyFromEnv(proxies)
}
