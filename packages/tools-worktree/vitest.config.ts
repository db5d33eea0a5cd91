import { configureTests } from '@x/vitest-config'

// Every test runs git many times, and the machine may be busy.
export default configureTests({ testTimeout: 60_000 })
