import {
  createAnthropicModel,
  modelLimits,
  readAnthropicEnvironment,
  resolveModelName,
} from '@x/model-anthropic'
import { expect, test } from 'vitest'

test('an empty environment gives no options', () => {
  expect(readAnthropicEnvironment({})).toEqual({})
})

test('every variable becomes its option', () => {
  const options = readAnthropicEnvironment({
    ANTHROPIC_API_KEY: ' key ',
    ANTHROPIC_AUTH_TOKEN: 'token',
    ANTHROPIC_BASE_URL: 'http://localhost:8080',
    ANTHROPIC_CUSTOM_HEADERS: 'X-One: 1\n  X-Two : a: b  \nnonsense\n: none',
    ANTHROPIC_BETAS: 'a, b,,c',
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: '4096',
    MAX_THINKING_TOKENS: '8000',
    CLAUDE_CODE_EFFORT_LEVEL: 'high',
    ENABLE_PROMPT_CACHING_1H: '1',
    DISABLE_PROMPT_CACHING_HAIKU: 'true',
    DISABLE_PROMPT_CACHING_FABLE: '1',
    DISABLE_PROMPT_CACHING_OPUS: '0',
    API_TIMEOUT_MS: '1000',
    CLAUDE_STREAM_IDLE_TIMEOUT_MS: '2000',
    CLAUDE_CODE_EXTRA_BODY: '{"metadata":{"user_id":"u"}}',
    HTTPS_PROXY: 'http://proxy.example:8080',
    NO_PROXY: '.example',
    NODE_EXTRA_CA_CERTS: '/etc/authorities.pem',
    UNRELATED: 'x',
  })
  expect(options).toEqual({
    apiKey: 'key',
    authToken: 'token',
    baseURL: 'http://localhost:8080',
    customHeaders: { 'X-One': '1', 'X-Two': 'a: b' },
    proxies: { https: 'http://proxy.example:8080', except: '.example' },
    extraCaFile: '/etc/authorities.pem',
    betas: ['a', 'b', 'c'],
    maxOutputTokens: 4096,
    thinking: { type: 'enabled', budgetTokens: 8000 },
    effort: 'high',
    promptCaching: '1h',
    promptCachingOffFor: ['haiku', 'fable'],
    timeoutMs: 1000,
    idleTimeoutMs: 2000,
    extraBody: { metadata: { user_id: 'u' } },
  })
})

test.each([
  ['CLAUDE_CODE_MAX_OUTPUT_TOKENS', 'many'],
  ['CLAUDE_CODE_MAX_OUTPUT_TOKENS', '0'],
  ['CLAUDE_CODE_MAX_OUTPUT_TOKENS', '-5'],
  ['MAX_THINKING_TOKENS', '1e3'],
  ['CLAUDE_CODE_EFFORT_LEVEL', 'extreme'],
  ['API_TIMEOUT_MS', '10s'],
  ['API_TIMEOUT_MS', '99999999999'],
  ['CLAUDE_STREAM_IDLE_TIMEOUT_MS', ''],
  ['CLAUDE_CODE_EXTRA_BODY', '[1]'],
  ['CLAUDE_CODE_EXTRA_BODY', '{'],
  ['ANTHROPIC_API_KEY', '  '],
  ['ANTHROPIC_CUSTOM_HEADERS', 'no colon'],
  ['ANTHROPIC_BASE_URL', ''],
])('a value that can not be read keeps the default: %s=%s', (name, value) => {
  const options = readAnthropicEnvironment({ [name]: value })
  expect(options).toEqual({})
  expect(() => createAnthropicModel(options)).not.toThrow()
})

test.each([
  [{ MAX_THINKING_TOKENS: '0' }, { thinking: { type: 'disabled' } }],
  [{ MAX_THINKING_TOKENS: '5' }, { thinking: { type: 'enabled', budgetTokens: 1024 } }],
  [{ DISABLE_PROMPT_CACHING: '1', ENABLE_PROMPT_CACHING_1H: '1' }, { promptCaching: 'off' }],
  [{ FORCE_PROMPT_CACHING_5M: '1', ENABLE_PROMPT_CACHING_1H: '1' }, { promptCaching: '5m' }],
  [{ CLAUDE_CODE_OAUTH_TOKEN: 'oauth' }, { authToken: 'oauth' }],
])('some say more than one thing: %j', (env, expected) => {
  expect(readAnthropicEnvironment(env)).toMatchObject(expected)
})

test.each([
  ['opus', {}, 'claude-opus-5-5'],
  ['Sonnet', {}, 'claude-sonnet-5-5'],
  ['haiku', {}, 'claude-haiku-5-5'],
  ['fable', {}, 'claude-fable-5-2'],
  ['opus', { ANTHROPIC_DEFAULT_OPUS_MODEL: 'my-opus' }, 'my-opus'],
  ['haiku', { ANTHROPIC_SMALL_FAST_MODEL: 'small' }, 'small'],
  ['haiku', { ANTHROPIC_SMALL_FAST_MODEL: 'small', ANTHROPIC_DEFAULT_HAIKU_MODEL: 'mine' }, 'mine'],
  ['sonnet', { ANTHROPIC_DEFAULT_SONNET_MODEL: ' ' }, 'claude-sonnet-5-5'],
  ['sonnet[1m]', {}, 'claude-sonnet-5-5[1m]'],
  ['claude-opus-4-8', {}, 'claude-opus-4-8'],
  [' local/model:7b ', {}, 'local/model:7b'],
])('the alias %s with %j is %s', (name, env, expected) => {
  expect(resolveModelName(name, env)).toBe(expected)
})

test.each([
  ['claude-sonnet-5-5', 1_000_000, 128_000],
  ['claude-haiku-4-5-20251001', 200_000, 64_000],
  ['claude-sonnet-4-5[1m]', 1_000_000, 64_000],
  ['qwen3-coder', 200_000, 32_000],
])('the limits of %s are known', (model, contextWindow, maxOutputTokens) => {
  expect(modelLimits(model)).toMatchObject({ contextWindow, maxOutputTokens })
  expect(createAnthropicModel().contextWindow(model)).toBe(contextWindow)
  expect(createAnthropicModel().maxOutputTokens?.(model)).toBe(maxOutputTokens)
  expect(createAnthropicModel({ maxOutputTokens: 4_096 }).maxOutputTokens?.(model)).toBe(4_096)
})
