import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['@x/source', 'module', 'node', 'development|production'] } },
  // A hang bound, wide enough for a machine that does ten other things.
  test: { testTimeout: 30_000, typecheck: { tsconfig: './tsconfig.json', checker: 'tsc' } },
})
