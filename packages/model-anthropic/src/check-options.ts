import type { AnthropicModelOptions } from './options.ts'
import { assertProxies } from './proxies.ts'

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** @throws TypeError or RangeError naming the option, what was expected and what came. */
export function assertOptions(options: AnthropicModelOptions): void {
  const { baseURL, idleTimeoutMs, timeoutMs, maxOutputTokens, thinking, proxies } = options
  if (baseURL !== undefined && !/^https?:$/.test(URL.parse(baseURL)?.protocol ?? '')) {
    throw new TypeError(
      `baseURL (ANTHROPIC_BASE_URL): expected an http or https address, got ${withoutPassword(baseURL)}`,
    )
  }
  if (proxies !== undefined) assertProxies(proxies)
  assertRange('connectTimeoutMs', options.connectTimeoutMs, { from: 0, to: LONGEST_TIMER_MS })
  assertRange('idleTimeoutMs', idleTimeoutMs, { from: 0, to: LONGEST_TIMER_MS })
  assertRange('timeoutMs', timeoutMs, { from: 0, to: LONGEST_TIMER_MS })
  assertRange('maxOutputTokens', maxOutputTokens, { from: 1, to: Number.MAX_SAFE_INTEGER })
  if (thinking?.type === 'enabled') {
    assertRange('thinking.budgetTokens', thinking.budgetTokens, { from: 1024, to: Number.MAX_SAFE_INTEGER })
  }
}

function assertRange(name: string, value: number | undefined, range: { from: number; to: number }): void {
  if (value === undefined || (Number.isInteger(value) && value >= range.from && value <= range.to)) return
  throw new RangeError(`${name}: expected a whole number from ${range.from} to ${range.to}, got ${value}`)
}

function withoutPassword(address: string): string {
  return address.replace(/\/\/[^/@]*@/, '//***@')
}
