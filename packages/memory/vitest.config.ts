import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['@x/source', 'module', 'node', 'development|production'] } },
  test: { typecheck: { tsconfig: './tsconfig.json', checker: 'tsc' } },
})
