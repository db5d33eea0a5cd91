import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: ['packages/*', 'apps/*', 'tooling/*/vitest.config.ts', 'examples/vitest.config.ts'],
    reporters: ['default', './tooling/checks/src/summary-reporter.ts'],
  },
})
