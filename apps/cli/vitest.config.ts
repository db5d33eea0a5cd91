import { configureTests } from '@x/vitest-config'

// Each test starts the built program, some of them several times; on a busy machine that takes a while.
export default configureTests({ testTimeout: 60_000, isSerial: true })
