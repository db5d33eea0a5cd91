import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['@x/source', 'module', 'node', 'development|production'] } },
  // Each test starts the built program, some of them several times; on a busy machine that takes a while.
  test: { testTimeout: 60_000, fileParallelism: false },
})
