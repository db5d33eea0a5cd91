import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['@x/source', 'module', 'node', 'development|production'] } },
  // A generous bound against hangs: the tests start real processes, also on a busy machine.
  test: { testTimeout: 30_000, typecheck: { tsconfig: './tsconfig.json', checker: 'tsc' } },
})
