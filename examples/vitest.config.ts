import { configureTests } from '@x/vitest-config'

export default configureTests()
