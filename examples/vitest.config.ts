import { configureTests } from '@x/vitest-config'

// The stories run servers and commands; on a busy machine that takes a while.
export default configureTests({ testTimeout: 60_000 })
