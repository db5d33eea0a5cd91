import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** In what the tests of one package differ from those of the others. */
export interface TestOptions {
  /** Whether its test files run one after the other. */
  readonly isSerial?: boolean
}

/**
 * Milliseconds until a test counts as hanging. Nothing but a hang may reach it, also on a machine that does ten other things:
 * a test takes a tenth of it at most where it is alone.
 */
const testTimeout = 120_000

/** The test configuration of one package: its sources without a build, one worker for each core, and its type tests. */
export function configureTests({ isSerial = false }: TestOptions = {}): ViteUserConfig {
  return defineConfig({
    ssr: { resolve: { conditions: ['@x/source', 'module', 'node', 'development|production'] } },
    test: {
      testTimeout,
      hookTimeout: testTimeout,
      // A test waits for what it means, not for a time. What never comes is named before the test itself is ended.
      expect: { poll: { timeout: testTimeout / 2, interval: 10 } },
      maxWorkers: '100%',
      fileParallelism: !isSerial,
      setupFiles: [fileURLToPath(new URL('./seed-properties.ts', import.meta.url))],
      typecheck: { tsconfig: './tsconfig.json', checker: 'tsc' },
    },
  })
}
