import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['@x/source', 'module', 'node', 'development|production'] } },
  // Every test runs git many times, and the machine may be busy.
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    typecheck: { tsconfig: './tsconfig.json', checker: 'tsc' },
  },
})
