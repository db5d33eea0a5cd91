import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** In what the tests of one package differ from those of the others. */
export interface TestOptions {
  /** Milliseconds until a test counts as hanging. 30,000 by default: wide enough for a machine that does ten other things. */
  readonly testTimeout?: number
  /** Whether its test files run one after the other. */
  readonly isSerial?: boolean
}

/** The test configuration of one package: its sources without a build, one worker for each core, and its type tests. */
export function configureTests({ testTimeout = 30_000, isSerial = false }: TestOptions = {}): ViteUserConfig {
  return defineConfig({
    ssr: { resolve: { conditions: ['@x/source', 'module', 'node', 'development|production'] } },
    test: {
      testTimeout,
      hookTimeout: testTimeout,
      maxWorkers: '100%',
      fileParallelism: !isSerial,
      setupFiles: [fileURLToPath(new URL('./seed-properties.ts', import.meta.url))],
      typecheck: { tsconfig: './tsconfig.json', checker: 'tsc' },
    },
  })
}
