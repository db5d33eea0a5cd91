import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['@x/source', 'module', 'node', 'development|production'] } },
  // The stories run servers and commands; on a busy machine that takes a while.
  test: { testTimeout: 60_000 },
})
