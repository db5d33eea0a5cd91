import { configureTests } from '@x/vitest-config'

// Each test starts the built program, some of them several times.
export default configureTests({ isSerial: true })
