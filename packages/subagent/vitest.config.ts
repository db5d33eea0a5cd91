import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['@x/source', 'module', 'node', 'development|production'] } },
  test: { testTimeout: 20_000, typecheck: { tsconfig: './tsconfig.json', checker: 'tsc' } },
})
